/** Git object ids and the fingerprint of a root: the vectors of the spec, and the real git over generated roots. Not here: the cache per directory. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { counts, seed } from "../../test/counts";
import { GitRepository } from "../../test/harness/git";
import { canonicalFingerprint, fingerprintOf, type LiveFile, statusHash } from "./fingerprint";
import {
  emptyTreeOid,
  encodeTree,
  type GitOid,
  gitBlobHeader,
  gitBlobId,
  gitTreeId,
  type TreeEntry,
} from "./git-objects";
import { sha1HexOfChunks, sha256Hex } from "./hash";
import { isGitDirectoryName, type RootPath } from "./path";

interface Vector {
  readonly id: string;
  readonly name: string;
  readonly files: readonly { path: string; content?: string; content_base64?: string; size: number; git_oid: string }[];
  readonly index_oid: string;
  readonly status_hex: string;
  readonly status_hash: string;
  readonly fingerprint: string;
}

const oidA = gitBlobId(Buffer.from("a"));

function bytesOf({ content, content_base64 }: Vector["files"][number]): Uint8Array {
  return content_base64 === undefined ? Buffer.from(content ?? "") : Buffer.from(content_base64, "base64");
}

function liveFiles(files: ReadonlyMap<string, Uint8Array>): LiveFile[] {
  return [...files].map(([path, bytes]) => ({ path: `/${path}` as RootPath, oid: gitBlobId(bytes) }));
}

describe("the vectors of snapshot-ids.json", () => {
  const { cases } = JSON.parse(
    readFileSync(new URL("../../test/vectors/snapshot-ids.json", import.meta.url), "utf8"),
  ) as { cases: Vector[] };

  it("are all there", () => expect(cases.map((vector) => vector.id)).toHaveLength(14));

  it.each(cases)("$id: $name", (vector) => {
    const files = new Map(vector.files.map((file) => [file.path, bytesOf(file)]));
    for (const { path, size, git_oid } of vector.files) {
      const bytes = files.get(path) ?? new Uint8Array();
      expect([path, bytes.length, gitBlobId(bytes)]).toEqual([path, size, git_oid]);
    }
    // Reversed: the order of the files given must not matter.
    const fingerprint = fingerprintOf(liveFiles(files).reverse());
    expect(fingerprint.index_oid).toBe(vector.index_oid);
    expect(fingerprint.status_hash).toBe(vector.status_hash);
    expect(canonicalFingerprint(fingerprint)).toBe(vector.fingerprint);
    expect(sha256Hex(Buffer.from(vector.status_hex, "hex"))).toBe(vector.status_hash);
  });
});

describe("git objects", () => {
  it("orders entries by name bytes, directories as if they ended with a slash", () => {
    const entries = ["a0", "a", "a-b", "a.txt", "😀", "～"].map(
      (name): TreeEntry => ({ name, type: name === "a" ? "dir" : "file", oid: oidA }),
    );
    const body = Buffer.from(encodeTree(entries));
    const names = [...body.toString("latin1").matchAll(/(100644|40000) ([^\0]+)\0[\s\S]{20}/g)];
    expect(names.map((match) => Buffer.from(match[2] ?? "", "latin1").toString())).toEqual([
      "a-b",
      "a.txt",
      "a",
      "a0",
      "～",
      "😀",
    ]);
    expect(names.map((match) => match[1])).toEqual(["100644", "100644", "40000", "100644", "100644", "100644"]);
  });

  it("names the tree without entries and the root without files as git does", () => {
    expect(gitTreeId([])).toBe(emptyTreeOid);
    expect(fingerprintOf([]).index_oid).toBe(emptyTreeOid);
    expect(statusHash([])).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  });

  it("gives a blob that arrives in pieces the id of the whole", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 50 })), (pieces) => {
        const whole = Buffer.concat(pieces);
        return sha1HexOfChunks([gitBlobHeader(whole.length), ...pieces]) === gitBlobId(whole);
      }),
      { seed },
    );
  });

  it("gives equal states equal fingerprints again after an edit is taken back, and others after it", () => {
    const files = [{ path: "/d/a" as RootPath, oid: oidA }];
    const edited = [{ path: "/d/a" as RootPath, oid: emptyTreeOid as GitOid }];
    const renamed = [{ path: "/d/b" as RootPath, oid: oidA }];
    const texts = [files, edited, renamed, files].map((state) => canonicalFingerprint(fingerprintOf(state)));
    expect(texts[3]).toBe(texts[0]);
    expect(new Set(texts).size).toBe(3);
  });
});

describe("the real git", () => {
  let git: GitRepository;
  beforeAll(() => {
    git = new GitRepository();
  });
  afterAll(() => git.remove());

  // Few and similar names, so that paths share directories and the orders differ: by UTF-16, by name, by full path.
  const name = fc.oneof(
    fc.constantFrom(
      "a",
      "a-b",
      "a.b",
      "a b",
      "a0",
      "A",
      "é",
      "e\u0301",
      "～",
      "😀",
      '"',
      "~",
      "...",
      ".gitignore",
      "*",
    ),
    fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 8 })
      .filter((text) => /^[^/\\\p{Cc}]+$/u.test(text) && !/^\.\.?$/.test(text) && !isGitDirectoryName(text)),
  );
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join("/"));
  const content = fc.oneof(fc.constantFrom("", "*\n", "x"), fc.string()).map((text) => Buffer.from(text));
  const root = fc.array(fc.tuple(path, content), { maxLength: 40 }).map((files) => {
    const live = new Map(files);
    // Where one path is a directory of another, the longer one stays.
    for (const file of live.keys()) {
      for (let slash = file.indexOf("/"); slash !== -1; slash = file.indexOf("/", slash + 1)) {
        live.delete(file.slice(0, slash));
      }
    }
    return live;
  });

  it("computes the same index and the same status for generated roots", () => {
    fc.assert(
      fc.property(root, (files) => {
        const fingerprint = fingerprintOf(liveFiles(files));
        expect(fingerprint.index_oid).toBe(git.stage(files));
        const status = git.run(["status", "--porcelain=v1", "-z"]);
        expect(fingerprint.status_hash).toBe(sha256Hex(status));
      }),
      { seed, numRuns: counts.gitRoots },
    );
  }, 600_000);
});
