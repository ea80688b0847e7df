// An archive within an archive: each a session of its own; a sync of the inner one is an edit of the outer one.
import { describe, expect, it } from "vitest";
import { zipOf } from "../harness/zip-builder";
import { opened } from "../harness/zip-core";
import { ZipRoot } from "./zip-root";

const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

async function openBoth(): Promise<{ root: ZipRoot; inner: string; id: string }> {
  const root = await ZipRoot.signIn();
  const innerBytes = zipOf([{ name: "deep.txt", data: "old" }]);
  const { workspace_path: outer } = await root.opened("outer", [
    { name: "a", data: "x" },
    { name: "in/inner.zip", data: innerBytes, method: 0 },
  ]);
  const inner = `${outer}/in/inner.zip`;
  const { session_id: id } = await root.ok("zipfs_open", { path: inner, name: "inner" });
  return { root, inner, id };
}

describe("a nested archive", () => {
  it("syncs into the outer workspace, keeps its backups out of it, and reaches the source with the outer sync", async () => {
    const { root, id } = await openBoth();
    await root.ok("zipfs_write", { session: "inner", path: "deep.txt", content: "new" });
    expect((await root.ok("zipfs_status", { session: "outer" })).modified).toEqual([]);
    const { backup_path: backup } = await root.ok("zipfs_sync", { session: "inner" });
    expect(backup).toBe(`/.zipfs/backups/${id}/inner.bak.zip`);
    expect(await root.ok("zipfs_status", { session: "outer" })).toMatchObject({
      modified: ["in/inner.zip"],
      added: [],
      deleted: [],
    });
    await root.ok("zipfs_sync", { session: "outer" });
    const { files } = await opened(await root.bytes("/in/outer.zip"));
    expect([...files.keys()]).toEqual(["a", "in/inner.zip"]);
    const innermost = await opened(files.get("in/inner.zip") ?? new Uint8Array(0));
    expect(text(innermost.files.get("deep.txt"))).toBe("new");
  });

  it("outlives the outer session, and then has no source to sync to, with force or without", async () => {
    const { root } = await openBoth();
    await root.ok("zipfs_write", { session: "inner", path: "deep.txt", content: "new" });
    await root.ok("zipfs_close", { session: "outer" });
    expect((await root.ok("zipfs_read", { path: "deep.txt" })).content).toBe("new");
    expect((await root.refused("zipfs_sync", {})).code).toBe("ZIP_NOT_FOUND");
    expect((await root.refused("zipfs_sync", { force: true })).code).toBe("SYNC_FAILED");
    expect(await root.ok("zipfs_sync", { dry_run: true })).toMatchObject({ source_missing: true, files_modified: 1 });
    expect(await root.ok("zipfs_close", {})).toMatchObject({ discarded: { modified: 1 } });
  });
});
