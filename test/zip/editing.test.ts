// zipfs_write and zipfs_delete: versions, encodings, directories, limits, and that a refusal changes nothing. Scopes: scopes.test.ts.
import { createHash } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { book } from "./book";
import { ZipRoot } from "./zip-root";

const sha256 = (content: string) => createHash("sha256").update(content).digest("hex");

let root: ZipRoot;
beforeEach(async () => {
  root = await ZipRoot.signIn();
  await root.opened("e", book);
});

async function expectUnchanged(): Promise<void> {
  const status = await root.ok("zipfs_status", {});
  expect(status).toMatchObject({ modified: [], added: [], deleted: [], unsynced: { dirs_changed: false } });
}

describe("zipfs.md §4 zipfs_write", () => {
  it("with a hash replaces that version alone; without one the last writer wins", async () => {
    const { hash } = await root.ok("zipfs_read", { path: "a.txt" });
    const written = await root.ok("zipfs_write", { path: "./a.txt", content: "é", hash });
    expect(written).toEqual({ written: true, size_bytes: 2, path: "a.txt", hash: sha256("é"), created: false });
    expect(await root.refused("zipfs_write", { path: "a.txt", content: "late", hash })).toMatchObject({
      code: "INVALID_PARAMS",
      message: "hash: the file has changed since you read it; read it again.",
    });
    await root.ok("zipfs_write", { path: "a.txt", content: "last" });
    expect((await root.ok("zipfs_read", { path: "a.txt" })).content).toBe("last");
    await root.ok("zipfs_write", { path: "a.txt", content: "again", hash: sha256("last") });
  });

  it("is refused, and changes nothing", async () => {
    const none = "0".repeat(64);
    const refusals: [object, string, string][] = [
      [{ path: "no", hash: none }, "PATH_NOT_FOUND", 'Path "no" not found in the workspace.'],
      [{ path: "no/x", create_dirs: false }, "PATH_NOT_FOUND", 'Path "no" not found in the workspace.'],
      [{ path: "d" }, "INVALID_PARAMS", 'path: "d" is a directory'],
      [{ path: "d", hash: none }, "INVALID_PARAMS", 'path: "d" is a directory'],
      [{ path: "a.txt/x" }, "INVALID_PARAMS", 'path: "a.txt/x" lies below a file'],
      [{ path: "a.txt/x/y", create_dirs: false }, "INVALID_PARAMS", 'path: "a.txt/x/y" lies below a file'],
      [{ path: "/" }, "INVALID_PARAMS", "path: "],
      [{ path: "x", content: "\ud800" }, "INVALID_PARAMS", "content: "],
      [{ path: "x", hash: "abc" }, "INVALID_PARAMS", "hash: "],
      [{ path: "x", create_dirs: "yes" }, "INVALID_PARAMS", "create_dirs: "],
      [{ path: "x", content: "", encoding: "utf8" }, "INVALID_PARAMS", "encoding: "],
    ];
    for (const [args, code, words] of refusals) {
      const refused = await root.refused("zipfs_write", { content: "x", ...args });
      expect([args, refused.code]).toEqual([args, code]);
      expect(refused.message).toContain(words);
    }
    await expectUnchanged();
  });

  it("takes strict base64 alone", async () => {
    for (const content of ["AA", "AB==", "AA==\n", "A A=", "A-_/", "=", "AA=A", "AA==AA=="]) {
      const refused = await root.refused("zipfs_write", { path: "x", content, encoding: "base64" });
      expect([content, refused.message]).toEqual([content, "content: invalid base64."]);
    }
    await expectUnchanged();
    const written = await root.ok("zipfs_write", { path: "x", content: "AP8=", encoding: "base64" });
    expect(written).toMatchObject({ size_bytes: 2, created: true });
    expect(await root.ok("zipfs_read", { path: "x" })).toMatchObject({ encoding: "base64", content: "AP8=" });
  });

  it("makes directories, unless it may not and they are missing", async () => {
    await root.ok("zipfs_write", { path: "empty/x", content: "", create_dirs: false });
    await root.ok("zipfs_write", { path: "p/q/r", content: "" });
    expect((await root.ok("zipfs_tree", { path: "p" })).tree).toBe(".\n└── q/\n    └── r");
  });

  it("takes 8 388 608 bytes and not one more", async () => {
    const most = "x".repeat(8 * 1024 * 1024);
    expect(await root.ok("zipfs_write", { path: "x", content: most })).toMatchObject({ size_bytes: 8_388_608 });
    expect(await root.refused("zipfs_write", { path: "x", content: `${most}x` })).toMatchObject({
      code: "LIMIT_EXCEEDED",
      message:
        "Limit exceeded: size of content in bytes (8388609) exceeds 8388608. Send larger files with PUT /files/.zipfs/workspaces/e/contents/x.",
    });
  });
});

describe("zipfs.md §4 zipfs_delete", () => {
  it("is refused, and changes nothing", async () => {
    const refusals: [object, string, string][] = [
      [{ path: "d" }, "INVALID_PARAMS", 'path: "d" is a directory; use recursive=true.'],
      [{ path: "empty/" }, "INVALID_PARAMS", 'path: "empty" is a directory; use recursive=true.'],
      [{ path: ".", recursive: true }, "INVALID_PARAMS", "path: "],
      [{ path: "", recursive: true }, "INVALID_PARAMS", "path: "],
      [{ path: "no", recursive: true }, "PATH_NOT_FOUND", 'Path "no" not found in the workspace.'],
      [{ path: "a.txt/x" }, "PATH_NOT_FOUND", 'Path "a.txt/x" not found in the workspace.'],
      [{ path: "d/..", recursive: true }, "PATH_TRAVERSAL", 'Path "d/.." attempts to escape the workspace.'],
    ];
    for (const [args, code, words] of refusals) {
      const refused = await root.refused("zipfs_delete", args);
      expect([args, refused.code]).toEqual([args, code]);
      expect(refused.message).toContain(words);
    }
    await expectUnchanged();
  });

  it("takes files and directories, counts the files, and leaves the parents", async () => {
    const gone = { deleted: true, path: "d/bin", files_deleted: 1 };
    expect(await root.ok("zipfs_delete", { path: "//d/./bin", recursive: true })).toEqual(gone);
    await root.ok("zipfs_delete", { path: "d/b.txt" });
    await root.ok("zipfs_write", { path: "p/q/r", content: "" });
    await root.ok("zipfs_write", { path: "p/s", content: "" });
    await root.ok("zipfs_write", { path: "p+", content: "" });
    expect(await root.ok("zipfs_delete", { path: "p/", recursive: true })).toMatchObject({
      path: "p",
      files_deleted: 2,
    });
    expect(await root.ok("zipfs_delete", { path: "empty", recursive: true })).toMatchObject({ files_deleted: 0 });
    expect((await root.ok("zipfs_tree", {})).tree).toBe(".\n├── a.txt\n├── d/\n└── p+");
  });
});
