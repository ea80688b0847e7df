// Seed 004, rule by rule, as far as it is about behaviour: its transport (stdio) and its silence about authentication are not ours.
// Errors of arguments, the vectors and storage that fails are tested beside this file.
import { beforeAll, describe, expect, it } from "vitest";
import { ContextRoot } from "./context-root";
import { filesOf, vectors } from "./vectors";

let root: ContextRoot;
let lamp: Record<string, string>;
beforeAll(async () => {
  root = await ContextRoot.signIn();
  if (vectors.caches.lamp === undefined) throw new Error("no lamp");
  lamp = filesOf(vectors.caches.lamp);
  await root.put("/caches/lamp", lamp);
});

describe("seed 004 context.list_caches", () => {
  it("seed 004 enumerates immediate subdirectories of the cache root, sorted by the bytes of path; files are none", async () => {
    const own = await ContextRoot.signIn();
    await own.put("/caches", { "b/x": "", "a/deep/manifest.json": "{}", ".dot/manifest.json": "", "file.txt": "" });
    await own.put("/caches", { "～/manifest.json": "", "😀/x": "", "Z/manifest.json": "not json" });
    expect(await own.text("list_caches", {})).toBe(
      `{"caches":[${[
        ...['{"path":".dot","has_manifest":true}', '{"path":"Z","has_manifest":true}'],
        ...['{"path":"a","has_manifest":false}', '{"path":"b","has_manifest":false}'],
        ...['{"path":"～","has_manifest":true}', '{"path":"😀","has_manifest":false}'],
      ].join(",")}]}`,
    );
  });

  it("seed 004 parses and validates nothing: a manifest of any bytes is one", async () => {
    const own = await ContextRoot.signIn();
    await own.put("/caches", { "x/manifest.json": new Uint8Array([0xff, 0x00]) });
    expect(await own.ok("list_caches", {})).toEqual({ caches: [{ path: "x", has_manifest: true }] });
  });

  it("seed 004 takes no parameters", async () => {
    expect(await root.text("list_caches", {})).toBe(await root.text("list_caches", undefined));
  });

  it("seed 004 io_error: the cache root is not accessible", async () => {
    const own = await ContextRoot.signIn();
    await own.put("", { caches: "a file" });
    expect(await own.refused("list_caches", {})).toEqual({ code: "io_error", message: "I/O error occurred" });
  });
});

describe("seed 004 context.inspect_cache", () => {
  const invalid = { cache_version: "", document_count: 0, total_bytes: 0, valid: false };

  it("seed 004 resolves the name against the cache root, with traversal protection", async () => {
    await root.put("/elsewhere", lamp);
    for (const cache of ["../elsewhere", "/elsewhere", "lamp/../../elsewhere", "..\\elsewhere", "lamp/.."]) {
      expect(await root.refused("inspect_cache", { cache })).toEqual({
        code: "cache_missing",
        message: "Cache does not exist",
      });
    }
  });

  it("seed 004 sets valid to false if the manifest is missing, unparseable or lacks required fields", async () => {
    const manifests = { gone: null, unparseable: "{", empty: "", list: "[]", fields: '{"documents":[]}' };
    for (const [cache, manifest] of Object.entries(manifests)) {
      await root.put(`/caches/${cache}`, manifest === null ? { note: "n" } : { "manifest.json": manifest });
      expect(await root.ok("inspect_cache", { cache })).toEqual(invalid);
    }
    await root.put("/caches/half", { "manifest.json": '{"document_count":3,"cache_version":5}' });
    expect(await root.ok("inspect_cache", { cache: "half" })).toEqual({ ...invalid, document_count: 3 });
  });

  it("seed 004 total_bytes is the sum of file sizes in the cache directory, not below it", async () => {
    const before = (await root.ok("inspect_cache", { cache: "lamp" })).total_bytes;
    await root.put("/caches/lamp", { "note.txt": "12345", "sub/deep.txt": "not counted" });
    expect((await root.ok("inspect_cache", { cache: "lamp" })).total_bytes).toBe(before + 5);
  });

  it("seed 004 cache_missing: the path does not exist or is not a directory", async () => {
    for (const cache of ["nowhere", "lamp/manifest.json", "lamp/manifest.json/below"]) {
      expect((await root.refused("inspect_cache", { cache })).code).toBe("cache_missing");
    }
  });

  it("seed 004 cache_invalid: a manifest that is not valid JSON is a result of inspect and an error of resolve", async () => {
    await root.put("/caches/notjson", { "manifest.json": "not json" });
    expect(await root.ok("inspect_cache", { cache: "notjson" })).toEqual(invalid);
    expect(await root.refused("resolve", { cache: "notjson", query: "", budget: 1 })).toEqual({
      code: "cache_invalid",
      message: "Cache exists but is invalid",
    });
  });
});

describe("seed 004 context.resolve", () => {
  it("seed 004 gives an ordered document bundle and selection metadata, and no provenance", async () => {
    const { value, meta } = await root.call("resolve", { cache: "lamp", query: "lamp", budget: 12 });
    expect(Object.keys(value)).toEqual(["documents", "selection"]);
    expect(Object.keys(value.documents[0])).toEqual(["id", "version", "content", "score", "tokens", "why"]);
    expect(Object.keys(value.selection)).toEqual([
      ...["query", "budget", "tokens_used", "documents_considered"],
      ...["documents_selected", "documents_excluded_by_budget"],
    ]);
    expect(meta).toBeUndefined();
  });

  it("seed 004 invalid_budget: the minimum is 0, which selects nothing", async () => {
    expect((await root.refused("resolve", { cache: "lamp", query: "", budget: -1 })).code).toBe("invalid_budget");
    const { documents, selection } = await root.ok("resolve", { cache: "lamp", query: "lamp", budget: 0 });
    expect(documents).toEqual([]);
    expect(selection).toMatchObject({ tokens_used: 0, documents_selected: 0, documents_excluded_by_budget: 4 });
  });

  it("seed 004 invalid_query: a query is a text", async () => {
    expect((await root.refused("resolve", { cache: "lamp", query: 1, budget: 1 })).code).toBe("invalid_query");
  });

  it("has no side effect: the files stay as they are", async () => {
    const listed = async () => (await root.files.call("snapshot.list", { path: "caches/lamp", depth: 5 })).body.result;
    const { fingerprint } = (await listed()).structuredContent;
    await root.ok("resolve", { cache: "lamp", query: "lamp", budget: 100 });
    await root.ok("plan", { cache: "lamp", query: "lamp", budget: 100 });
    expect((await listed()).structuredContent.fingerprint).toEqual(fingerprint);
  });
});
