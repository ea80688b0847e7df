/** Manifests and documents out of foreign hands: what resolve refuses, what it bears, and what verify says of both. Not here: the vectors. */
import { describe, expect, it } from "vitest";
import { filesOf, vectors } from "../../../test/context/vectors";
import { usableDocument } from "./cache-document";
import { type CacheManifest, readManifest, usableManifest } from "./cache-manifest";
import { isDateTime } from "./date-time";
import { inspectionOf } from "./inspect";
import { checkNames } from "./problems";
import { CacheVerifier, type Verification } from "./verify";

const bytes = (text: string) => new TextEncoder().encode(text);
const lamp = vectors.caches.lamp;
if (lamp === undefined) throw new Error("no lamp");
const lampFiles = filesOf(lamp);
const kiln = "documents/2ad1279e7a47.json";
type Json = Record<string, unknown>;

/** The lamp's manifest with another text in it. */
function changed(change: (manifest: Json & { documents: Json[] }) => void): string {
  const manifest = JSON.parse(lamp?.manifest_text ?? "");
  change(manifest);
  return JSON.stringify(manifest, null, 2);
}

function manifestOf(text: string | Uint8Array): CacheManifest | null {
  return usableManifest(readManifest(typeof text === "string" ? bytes(text) : text));
}

function verify(
  files: Readonly<Record<string, string | Uint8Array>>,
  emptyDirectories: readonly string[] = [],
): Verification {
  const at = (path: string) => {
    const file = files[path];
    return file === undefined ? null : typeof file === "string" ? bytes(file) : file;
  };
  const contents = { files: new Set(Object.keys(files)), emptyDirectories };
  const verifier = new CacheVerifier(readManifest(at("manifest.json")), contents, at("index.json"));
  for (const entry of verifier.manifest?.documents ?? []) {
    const file = at(entry.path);
    if (file !== null) verifier.checkDocument(entry, file);
  }
  return verifier.finish();
}

function problemsOf(verified: Verification): string[] {
  return verified.problems.map(({ check, path, problem }) => `${check} ${path} ${problem}`);
}

describe("a manifest", () => {
  it.each<[string, string, string]>([
    ["a cache_version of a number", changed((m) => (m.cache_version = 1)), "cache_version bad_field"],
    ["no build_config", changed((m) => delete m.build_config), "build_config bad_field"],
    ["a build_config of an array", changed((m) => (m.build_config = [])), "build_config bad_field"],
    ["a numeric version", changed((m) => ((m.build_config as Json).version = 1)), "build_config.version bad_field"],
    [
      "another version",
      changed((m) => ((m.build_config as Json).version = "2")),
      "build_config.version unsupported_version",
    ],
    [
      "another hash",
      changed((m) => ((m.build_config as Json).hash_algorithm = "md5")),
      "build_config.hash_algorithm unsupported_version",
    ],
    ["a date that is none", changed((m) => (m.created_at = "2026-02-30T00:00:00Z")), "created_at bad_field"],
    ["a count of half", changed((m) => (m.document_count = 1.5)), "document_count bad_field"],
    [
      "a count beyond all numbers",
      changed(() => {}).replace('"document_count": 4', '"document_count": 1e999'),
      "document_count bad_field",
    ],
    ["a count beyond exact numbers", changed((m) => (m.document_count = 2 ** 53)), "document_count bad_field"],
    ["a count as text", changed((m) => (m.document_count = "4")), "document_count bad_field"],
    ["documents of an object", changed((m) => (m.documents = {} as Json[])), "documents bad_field"],
    ["a document of null", changed((m) => (m.documents[1] = null as unknown as Json)), "documents[1] bad_field"],
    ["an empty id", changed((m) => ((m.documents[0] as Json).id = "")), "documents[0].id bad_field"],
    ["an id of a number", changed((m) => ((m.documents[0] as Json).id = 5)), "documents[0].id bad_field"],
    ["no version", changed((m) => delete (m.documents[0] as Json).version), "documents[0].version bad_field"],
    ["no file", changed((m) => delete (m.documents[0] as Json).file), "documents[0].file bad_field"],
    [
      "an id twice",
      changed((m) => ((m.documents[1] as Json).id = (m.documents[0] as Json).id)),
      "documents[1].id duplicate_id",
    ],
    ["a lone surrogate in an id", changed((m) => ((m.documents[0] as Json).id = "\ud800")), "documents bad_field"],
    ["a lone surrogate in a field of no meaning", changed((m) => (m.note = ["\udfff"])), "note bad_field"],
  ])("seed 004 cache_invalid: with %s is refused", (_, text, problem) => {
    expect(manifestOf(text)).toBeNull();
    const verified = verify({ ...lampFiles, "manifest.json": text });
    expect(problemsOf(verified)).toContain(`manifest manifest.json#${problem}`);
    expect(verified.checks.every(({ ok }) => !ok)).toBe(true);
    expect(verified.problems.every(({ check }) => check === "manifest")).toBe(true);
  });

  it.each<[string, string | Uint8Array, string]>([
    ["bytes that are no UTF-8", new Uint8Array([0x7b, 0xff, 0x7d]), "not_utf8"],
    ["a BOM", `\ufeff${lamp.manifest_text}`, "not_json"],
    ["nothing", "", "not_json"],
    ["a number", "5", "bad_field"],
    ["null", "null", "bad_field"],
    ["a million open brackets", "[".repeat(1_000_000), "not_json"],
    ["an array in arrays, a hundred thousand deep", `${"[".repeat(100_000)}${"]".repeat(100_000)}`, "bad_field"],
  ])("seed 004 cache_invalid: of %s is refused", (_, text, problem) => {
    expect(manifestOf(text)).toBeNull();
    const verified = verify({ ...lampFiles, "manifest.json": text });
    expect(problemsOf(verified)).toEqual([`manifest manifest.json ${problem}`]);
    expect(verified).toMatchObject({ cache_version: "", valid: false });
    const read = readManifest(typeof text === "string" ? bytes(text) : text);
    expect(inspectionOf(read, 7)).toEqual({ cache_version: "", document_count: 0, total_bytes: 0, valid: false });
  });

  it("may hold surrogates in a hundred thousand arrays, and is looked through all the same", () => {
    const deep = `${"[".repeat(100_000)}"\\ud800"${"]".repeat(100_000)}`;
    const text = lamp.manifest_text.replace("{", `{"note":${deep},`);
    expect(manifestOf(text)).toBeNull();
    expect(manifestOf(text.replace("\\ud800", "\\ud83d\\ude00"))).not.toBeNull();
  });

  it("is borne with unknown fields, a wrong count or version, and documents in any order", () => {
    const text = changed((manifest) => {
      manifest.extra = { deep: [1] };
      manifest.document_count = 0;
      manifest.cache_version = "";
      manifest.documents.reverse();
      Object.assign(manifest.documents[0] as Json, { more: null });
    });
    expect(manifestOf(text)?.documents).toHaveLength(4);
    const verified = verify({ ...lampFiles, "manifest.json": text });
    expect(problemsOf(verified)).toEqual([
      "cache_version manifest.json#cache_version mismatch",
      "count_and_order manifest.json#document_count wrong_count",
      "count_and_order manifest.json#documents not_sorted",
    ]);
  });

  it("is told of in full as to the first 200 problems by path, of however many", () => {
    const text = changed((manifest) => {
      manifest.documents = Array.from({ length: 5000 }, () => ({ id: "x", version: "v", file: "../x" }));
    });
    const { problems, problems_truncated } = verify({ ...lampFiles, "manifest.json": text });
    expect(problems_truncated).toBe(true);
    expect(problems).toHaveLength(200);
    const paths = problems.map(({ path }) => path);
    expect(paths).toEqual(paths.toSorted());
    expect(paths[0]).toBe("manifest.json#documents[0].file");
    expect(paths[2]).toBe("manifest.json#documents[1000].id");
  });
});

describe("file", () => {
  const withFile = (file: string) => changed((manifest) => ((manifest.documents[0] as Json).file = file));

  it.each([
    ...["", ".", "./", "/", "..", "../x", "a/../b", "documents/..", "documents/../../lamp/x", "/etc/passwd"],
    ...[
      "/caches/lamp/documents/2ad1279e7a47.json",
      "\\x",
      "a\\b",
      "C:x",
      "c:/x",
      "documents/\u0000",
      "a\nb",
      "a\u007fb",
    ],
    ...["documents/", "documents/.", "documents/2ad1279e7a47.json/", "documents/2ad1279e7a47.json/."],
  ])("seed 004 traversal: %j is refused without a look at what it points to", (file) => {
    expect(manifestOf(withFile(file))).toBeNull();
    const verified = verify({ ...lampFiles, "manifest.json": withFile(file) });
    expect(problemsOf(verified)).toContain("manifest manifest.json#documents[0].file unsafe_file");
  });

  it.each([
    [kiln, kiln],
    [`./${kiln}`, kiln],
    ["documents//2ad1279e7a47.json", kiln],
    ["a..b", "a..b"],
    ["...", "..."],
    ["documents/%2e%2e/x", "documents/%2e%2e/x"],
    ["manifest.json", "manifest.json"],
  ])("%j stands for %s, inside the cache", (file, path) => {
    expect(manifestOf(withFile(file))?.documents[0]?.path).toBe(path);
  });
});

describe("a document", () => {
  const entry = manifestOf(lamp.manifest_text)?.documents[0];
  if (entry === undefined) throw new Error("no entry");
  const document = (change: (json: Json) => void): string => {
    const json = JSON.parse(lampFiles[kiln] ?? "");
    change(json);
    return JSON.stringify(json);
  };

  it.each<[string, string | Uint8Array, string]>([
    ["is no JSON", "{", "not_json"],
    ["is no UTF-8", new Uint8Array([0x22, 0x80, 0x22]), "not_json"],
    ["has a BOM", `\ufeff${lampFiles[kiln]}`, "not_json"],
    ["is an array", "[]", "bad_field"],
    ["has no source", document((json) => delete json.source), "bad_field"],
    ["has no metadata", document((json) => delete json.metadata), "bad_field"],
    ["has deep metadata", document((json) => (json.metadata = { a: {} })), "bad_field"],
    ["has metadata of a fraction", document((json) => (json.metadata = { a: 0.5 })), "bad_field"],
    ["has metadata of a truth", document((json) => (json.metadata = { a: true })), "bad_field"],
    ["has metadata of an array", document((json) => (json.metadata = [])), "bad_field"],
    ["has content of a number", document((json) => (json.content = 5)), "bad_field"],
    ["has a lone surrogate", document((json) => (json.source = "\ud83d")), "bad_field"],
    ["has another id", document((json) => (json.id = "guide/kilm.md")), "id_mismatch"],
    ["has another content", document((json) => (json.content = "Kiln firing schedule ")), "hash_mismatch"],
  ])("seed 004 cache_invalid: that %s makes the cache invalid", (_, file, problem) => {
    expect(usableDocument(typeof file === "string" ? bytes(file) : file, entry)).toBeNull();
    const verified = verify({ ...lampFiles, [kiln]: file });
    expect(problemsOf(verified)).toEqual([`documents ${kiln} ${problem}`]);
    expect(verified.checks.filter(({ ok }) => !ok)).toEqual([{ name: "documents", ok: false }]);
  });

  it.each<[string, string]>([
    ["metadata of texts and integers", document((json) => (json.metadata = { a: "b", c: -3, d: 1e300 }))],
    ["unknown fields", document((json) => (json.note = [{}]))],
    ["pairs of surrogates by escapes", document((json) => (json.source = "x")).replace('"x"', '"\\ud83d\\ude00"')],
  ])("with %s is usable", (_, file) => {
    expect(usableDocument(bytes(file), entry)).not.toBeNull();
    expect(verify({ ...lampFiles, [kiln]: file }).valid).toBe(true);
  });

  it("of another version in its own words is borne by resolve and told by verify", () => {
    const file = document((json) => (json.version = "sha256:00"));
    expect(usableDocument(bytes(file), entry)).not.toBeNull();
    expect(problemsOf(verify({ ...lampFiles, [kiln]: file }))).toEqual([`documents ${kiln} version_mismatch`]);
  });

  it("that is too large to be read is no document", () => {
    expect(usableDocument("too_large", entry)).toBeNull();
  });
});

describe("verify", () => {
  it("has seven checks, always in this order", () => {
    expect(verify({}).checks.map(({ name }) => name)).toEqual(checkNames);
    expect(verify(lampFiles).checks.map(({ name }) => name)).toEqual(checkNames);
    expect(problemsOf(verify({}))).toEqual(["manifest manifest.json missing"]);
  });

  it("tells of files that are missing, misnamed or named by nobody, and of an index that differs", () => {
    const { [kiln]: moved = "", ...rest } = lampFiles;
    const text = changed((manifest) => ((manifest.documents[0] as Json).file = "kiln.json"));
    const files = { ...rest, "manifest.json": text, "kiln.json": moved, "documents/x/y.json": "{}", "note.txt": "" };
    expect(problemsOf(verify(files, ["documents/empty", "other"]))).toEqual([
      "files_present kiln.json wrong_name",
      "index index.json differs",
      "no_orphans documents/empty orphan",
      "no_orphans documents/x/y.json orphan",
    ]);
    expect(problemsOf(verify(rest))).toEqual([`files_present ${kiln} missing`]);
  });

  it.each([
    ["no index", undefined, "missing"],
    ["an index that is no JSON", "{", "not_json"],
    ["an index of an array", "[]", "differs"],
    ["an index with one entry more", lamp.index_text.replace("{", '{"__proto__": "documents/x.json",'), "differs"],
    ["an index with another file", lamp.index_text.replace("2ad1", "2ad2"), "differs"],
  ])("tells of %s", (_, index, problem) => {
    const { "index.json": _dropped, ...rest } = lampFiles;
    const files = index === undefined ? rest : { ...rest, "index.json": index };
    expect(problemsOf(verify(files))).toEqual([`index index.json ${problem}`]);
  });

  it("takes an index for the same map however it is written", () => {
    const index = JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(lamp.index_text)).reverse()));
    expect(verify({ ...lampFiles, "index.json": index }).valid).toBe(true);
  });
});

describe("created_at", () => {
  it.each([
    ...["2026-01-01T00:00:00Z", "2026-01-01t23:59:59z", "2024-02-29T00:00:00.123456789+05:30", "2016-12-31T23:59:60Z"],
    ...["0000-01-01T00:00:00-00:00", "2000-02-29T12:00:00Z"],
  ])("may be %s", (text) => {
    expect(isDateTime(text)).toBe(true);
  });

  it.each([
    ...[
      "",
      "2026-01-01",
      "2026-01-01T00:00:00",
      "2026-01-01 00:00:00Z",
      "2026-13-01T00:00:00Z",
      "2026-00-01T00:00:00Z",
    ],
    ...["2026-04-31T00:00:00Z", "2025-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-01-01T24:00:00Z"],
    ...["2026-01-01T00:60:00Z", "2026-01-01T00:00:61Z", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00+24:00"],
    ...["2026-01-01T00:00:00+0000", "26-01-01T00:00:00Z", "2026-01-01T00:00:00Z ", "+002026-01-01T00:00:00Z"],
  ])("may not be %j", (text) => {
    expect(isDateTime(text)).toBe(false);
  });
});
