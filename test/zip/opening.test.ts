// zipfs_open beyond the archive itself: which refusal comes first, names of sessions, one archive in several sessions. Hostile archives:
// hostile.test.ts. Order within an archive: src/domain/zip/check-order.test.ts.
import { beforeAll, describe, expect, it } from "vitest";
import { login } from "../harness/login";
import { connect } from "../harness/tool-root";
import { bytesOf, zipOf } from "../harness/zip-builder";
import { book } from "./book";
import { ZipRoot } from "./zip-root";

let root: ZipRoot;
beforeAll(async () => {
  root = await ZipRoot.signIn();
  await root.opened("taken", book);
  await root.put("/dir/plain", bytesOf("no archive"));
});

describe("zipfs.md §3.1, steps 1 to 6: the first failure is told", () => {
  it.each([
    ["wrong types before paths", { path: "../x", name: 5 }, "INVALID_PARAMS", "name: "],
    ["unknown arguments before paths", { path: "../x", force: true }, "INVALID_PARAMS", "force: "],
    ["a path that escapes before a name", { path: "/../x", name: "no good" }, "PATH_TRAVERSAL", ""],
    ["an absent source before a name", { path: "/absent", name: "no good" }, "ZIP_NOT_FOUND", ""],
    ["a directory before a name", { path: "/dir", name: "no good" }, "ZIP_INVALID", "it is a directory"],
    ["a name before the archive", { path: "/dir/plain", name: "no good" }, "INVALID_PARAMS", "name: "],
    ["a taken name before the archive", { path: "/dir/plain", name: "taken" }, "NAME_COLLISION", "taken"],
    ["the archive at last", { path: "/dir/plain", name: "free" }, "ZIP_INVALID", "it has no end record"],
  ])("%s", async (_, args, code, words) => {
    const refused = await root.refused("zipfs_open", args);
    expect(refused.code).toBe(code);
    expect(refused.message).toContain(words);
  });

  it("paths before scopes, scopes before what exists", async () => {
    const { accessToken } = await login(root.url, { user: root.user, scope: "write:/elsewhere/" });
    const other = ZipRoot.of(await connect(root.url, root.user, accessToken, "2025-11-25"));
    expect((await other.refused("zipfs_open", { path: "../x" })).code).toBe("PATH_TRAVERSAL");
    expect((await other.refused("zipfs_open", { path: "/x", name: 5 })).code).toBe("INVALID_PARAMS");
    for (const path of ["/absent", "/dir", "/in/taken.zip"]) {
      expect(await other.forbidden("zipfs_open", { path, name: "taken" })).toBe(`read:${path}`);
    }
  });
});

describe("zipfs.md §3", () => {
  it("takes any extension, a path without its leading slash and with dots, and says the normalized one", async () => {
    const hash = await root.put("/dir/book.epub", zipOf(book));
    const opened = await root.ok("zipfs_open", { path: "dir/../dir//./book.epub" });
    expect(opened).toMatchObject({ source_path: "/dir/book.epub", name: "", file_count: 3, zip_hash: hash });
    expect(opened.workspace_path).toBe(`/.zipfs/workspaces/${opened.session_id}/contents`);
    await root.ok("zipfs_close", { session: opened.session_id });
  });

  it("takes a name that is the beginning of an id, and the name wins", async () => {
    const path = "/in/taken.zip";
    const first = await root.ok("zipfs_open", { path });
    const prefix = first.session_id.slice(0, 8);
    const second = await root.ok("zipfs_open", { path, name: prefix });
    expect((await root.ok("zipfs_path", { session: prefix })).path).toBe(second.workspace_path);
    expect((await root.ok("zipfs_path", { session: first.session_id.slice(0, 9) })).path).toBe(first.workspace_path);
    for (const session of [first.session_id, prefix]) await root.ok("zipfs_close", { session });
  });

  it("zipfs.md §3.8: opens one archive twice; the second to sync meets a conflict", async () => {
    const path = "/in/taken.zip";
    await root.ok("zipfs_open", { path, name: "second" });
    for (const session of ["taken", "second"]) await root.ok("zipfs_write", { session, path: session, content: "x" });
    await root.ok("zipfs_sync", { session: "taken" });
    expect((await root.refused("zipfs_sync", { session: "second" })).code).toBe("CONFLICT_DETECTED");
    expect((await root.ok("zipfs_status", { session: "second" })).added).toEqual(["second"]);
    await root.ok("zipfs_close", { session: "second" });
  });

  it("zipfs.md §1.4: no tool of the family takes an argument that it does not know", async () => {
    const required = { path: "a.txt", content: "x", pattern: "x" };
    const takes = { zipfs_open: "path", zipfs_read: "path", zipfs_write: "path content", zipfs_grep: "pattern" };
    for (const verb of "open close ls tree read write delete grep path sync status sessions prune".split(" ")) {
      const tool = `zipfs_${verb}` as "zipfs_ls";
      const names = ({ ...takes, zipfs_delete: "path" } as Record<string, string>)[tool] ?? "";
      const args = Object.fromEntries(Object.entries(required).filter(([name]) => names.split(" ").includes(name)));
      const { code, message } = await root.refused(tool, { ...args, sesion: "taken" });
      expect([tool, code]).toEqual([tool, "INVALID_PARAMS"]);
      expect(message).toMatch(/^sesion: no such argument; /);
    }
    expect(await root.ok("zipfs_status", { session: "taken" })).toMatchObject({ deleted: [], modified: [] });
  });
});
