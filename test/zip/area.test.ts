// What lies beside the contents of workspaces: backups of archives, and /.zipfs, which other families may look at and hardly change.
import { describe, expect, it } from "vitest";
import { bytesOf } from "../harness/zip-builder";
import { book } from "./book";
import { ZipRoot } from "./zip-root";

describe("backups", () => {
  it("rotate as siblings, three deep; a name that is taken sends them to the session's folder", async () => {
    const root = await ZipRoot.signIn();
    const { session_id: id } = await root.opened("b", book);
    const versions = [await root.bytes("/in/b.zip")];
    for (let round = 0; round < 5; round++) {
      await root.ok("zipfs_write", { path: "round", content: `${round}` });
      expect((await root.ok("zipfs_sync", {})).backup_path).toBe("/in/b.bak.zip");
      versions.unshift(await root.bytes("/in/b.zip"));
    }
    for (const [index, name] of ["b.zip", "b.bak.zip", "b.bak.2.zip", "b.bak.3.zip"].entries()) {
      expect(await root.bytes(`/in/${name}`), name).toEqual(versions[index]);
    }
    await root.put("/in/b.bak.2.zip", bytesOf("somebody's own"));
    await root.ok("zipfs_write", { path: "round", content: "last" });
    expect((await root.ok("zipfs_sync", {})).backup_path).toBe(`/.zipfs/backups/${id}/b.bak.zip`);
    expect(await root.bytes("/in/b.bak.2.zip")).toEqual(bytesOf("somebody's own"));
    expect(await root.bytes(`/.zipfs/backups/${id}/b.bak.zip`)).toEqual(versions[0]);
  });
});

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
