// What lies beside the contents of workspaces: /.zipfs, which other families may look at and hardly change.
import { describe, expect, it } from "vitest";
import { bytesOf } from "../harness/zip-builder";
import { book } from "./book";
import { ZipRoot } from "./zip-root";

describe("/.zipfs", () => {
  it("is written by other families below live contents alone; single backups may be removed", async () => {
    const root = await ZipRoot.signIn();
    const { workspace_path: workspace, session_id: id } = await root.opened("p", book);
    const { lease_id: lease } = await root.ok("snapshot.list", {});
    for (const path of [
      "/.zipfs/x",
      "/.zipfs/workspaces/p/x",
      "/.zipfs/workspaces/other/contents/x",
      "/.zipfs/backups/x",
    ]) {
      expect((await root.refused("file.create", { path, content: "x" })).code, path).toBe("INVALID_ARGUMENT");
      const args = { path: path.slice(1), content: "x", lease_id: lease };
      expect((await root.refused("workspace.write_file", args)).code, path).toBe("PERMISSION_DENIED");
    }
    for (const path of [".zipfs", ".zipfs/workspaces", ".zipfs/workspaces/p", workspace.slice(1)]) {
      const args = { path, recursive: true, lease_id: lease };
      expect((await root.refused("workspace.delete", args)).code, path).toBe("PERMISSION_DENIED");
    }
    await root.put(`${workspace}/put`, bytesOf("by PUT"));
    expect((await root.ok("zipfs_status", {})).added).toEqual(["put"]);
    await root.put("/in/p.bak.zip", bytesOf("in the way"));
    const { backup_path: backup } = await root.ok("zipfs_sync", {});
    expect(backup).toBe(`/.zipfs/backups/${id}/p.bak.zip`);
    const hash = await hashOf(root, backup);
    const message = "/.zipfs is managed by zipfs; use zipfs_open and zipfs_close.";
    expect(await root.refused("text.append", { path: backup, hash, content: "x" })).toMatchObject({
      code: "INVALID_ARGUMENT",
      message,
    });
    const fresh = (await root.ok("snapshot.list", {})).lease_id;
    for (const path of [".zipfs/backups", `.zipfs/backups/${id}`]) {
      const args = { path, recursive: true, lease_id: fresh };
      expect(await root.refused("workspace.delete", args), path).toMatchObject({ code: "PERMISSION_DENIED", message });
    }
    await root.ok("file.remove", { path: backup, hash });
    expect(await root.get(backup)).toBeNull();
  });

  it("is left out of walks from above, and there when it is named", async () => {
    const root = await ZipRoot.signIn();
    const { workspace_path: workspace } = await root.opened("w", book);
    const above = await root.ok("snapshot.list", { depth: 64 });
    expect(above.entries.filter(({ path }) => path.startsWith(".zipfs"))).toEqual([]);
    const named = await root.ok("snapshot.list", { path: workspace.slice(1), depth: 64 });
    expect(named.entries.length).toBeGreaterThan(3);
    const direct = await root.ok("file.list", { path: "/" });
    expect(direct.entries).toContainEqual({ name: ".zipfs", type: "directory" });
  });
});

async function hashOf(root: ZipRoot, path: string): Promise<string> {
  const response = await fetch(`${root.url}/files${path}`, {
    method: "HEAD",
    headers: { authorization: `Bearer ${root.token}` },
  });
  return (response.headers.get("etag") ?? "").replaceAll('"', "");
}
