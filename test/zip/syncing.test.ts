// zipfs_status and zipfs_sync, sentence by sentence: what counts as a change, idle syncs, force, a source that is gone.
// Order and bytes of the new archive: packing.test.ts beside the source. Backups: backups.test.ts. Races and crashes elsewhere.
import { beforeEach, describe, expect, it } from "vitest";
import { bytesOf, zipOf } from "../harness/zip-builder";
import { opened } from "../harness/zip-core";
import { book } from "./book";
import { ZipRoot } from "./zip-root";

const noChanges = { modified: [], added: [], deleted: [] };

let root: ZipRoot;
beforeEach(async () => {
  root = await ZipRoot.signIn({ era: "2026-07-28" });
  await root.opened("q", book);
});

async function synced(args: object = {}) {
  return root.ok("zipfs_sync", args);
}

async function namesBeside(directory: string): Promise<string[]> {
  return (await root.ok("file.list", { path: directory })).entries.map(({ name }) => name);
}

describe("zipfs.md §5: status", () => {
  it("takes an edit that was undone for none, and keeps both baselines apart through several syncs", async () => {
    const write = (content: string) => root.ok("zipfs_write", { path: "a.txt", content });
    const { content: original } = await root.ok("zipfs_read", { path: "a.txt" });
    await write("first");
    await write(original);
    expect(await root.ok("zipfs_status", {})).toMatchObject({ ...noChanges, unchanged_count: 3 });
    for (const content of ["first", "second"]) {
      await write(content);
      await synced();
      expect(await root.ok("zipfs_status", {})).toMatchObject({
        modified: ["a.txt"],
        unsynced: { ...noChanges, dirs_changed: false },
      });
    }
    await write(original);
    expect(await root.ok("zipfs_status", {})).toMatchObject({
      ...noChanges,
      unchanged_count: 3,
      unsynced: { ...noChanges, modified: ["a.txt"] },
    });
  });
});

describe("zipfs.md §6.2: an idle sync", () => {
  it("writes nothing and rotates nothing", async () => {
    await root.ok("zipfs_write", { path: "a.txt", content: "new" });
    const { zip_hash: hash, size_bytes: size } = await synced();
    const [good, archive] = [await root.bytes("/in/q.bak.zip"), await root.bytes("/in/q.zip")];
    for (let round = 0; round < 4; round++) {
      expect(await synced()).toEqual({
        synced: true,
        backup_path: "",
        files_modified: 0,
        files_added: 0,
        files_deleted: 0,
        unchanged: true,
        size_bytes: size,
        zip_hash: hash,
      });
    }
    expect(await root.bytes("/in/q.bak.zip")).toEqual(good);
    expect(await root.bytes("/in/q.zip")).toEqual(archive);
    expect(await namesBeside("/in")).toEqual(["q.bak.zip", "q.zip"]);
    expect(await root.ok("zipfs_close", { sync: true })).toMatchObject({ closed: true, synced: true });
  });

  it("is noted as the last sync", async () => {
    expect((await root.ok("zipfs_sessions", {})).sessions).toMatchObject([{ last_synced_at: null }]);
    expect(await synced()).toMatchObject({ unchanged: true });
    expect((await root.ok("zipfs_sessions", {})).sessions).toMatchObject([{ last_synced_at: expect.any(String) }]);
  });

  it("is none where only the set of directories differs", async () => {
    await root.ok("zipfs_delete", { path: "empty", recursive: true });
    expect((await root.ok("zipfs_status", {})).unsynced).toEqual({ ...noChanges, dirs_changed: true });
    expect(await synced()).toMatchObject({ unchanged: false, files_deleted: 0, backup_path: "/in/q.bak.zip" });
    const { archive } = await opened(await root.bytes("/in/q.zip"));
    expect([...archive.directories.keys()]).toEqual(["d"]);
  });
});

describe("zipfs.md §6.3: force", () => {
  it("does not merge: the archive is built from the one that was opened, and the foreign one is a backup", async () => {
    const foreign = zipOf([{ name: "theirs", data: "x" }]);
    await root.put("/in/q.zip", foreign);
    await root.ok("zipfs_write", { path: "mine", content: "y" });
    expect(await synced({ force: true })).toMatchObject({ files_added: 1, backup_path: "/in/q.bak.zip" });
    const { files } = await opened(await root.bytes("/in/q.zip"));
    expect([...files.keys()].sort()).toEqual(["a.txt", "d/b.txt", "d/bin", "mine"]);
    expect(await root.bytes("/in/q.bak.zip")).toEqual(foreign);
  });

  it("writes the archive again without any edit where a foreign one stands", async () => {
    const original = await root.bytes("/in/q.zip");
    await root.put("/in/q.zip", zipOf([]));
    expect(await synced({ force: true })).toMatchObject({ unchanged: false, files_added: 0, files_deleted: 0 });
    const [then, now] = [await opened(original), await opened(await root.bytes("/in/q.zip"))];
    expect([...now.files]).toEqual([...then.files]);
  });
});

describe("zipfs.md §6.6: a source that is gone", () => {
  it("is written again with force, parents too, and has no backup", async () => {
    await root.put("/x/y/z.zip", zipOf(book));
    const { zip_hash: hash } = await root.ok("zipfs_open", { path: "/x/y/z.zip", name: "z" });
    await root.ok("file.remove", { path: "/x/y/z.zip", hash });
    const { lease_id: lease } = await root.ok("snapshot.list", {});
    await root.ok("workspace.delete", { path: "x", recursive: true, lease_id: lease });
    await root.ok("zipfs_write", { session: "z", path: "more", content: "x" });
    expect(await synced({ session: "z", force: true })).toMatchObject({
      synced: true,
      backup_path: "",
      files_added: 1,
    });
    expect(await namesBeside("/x/y")).toEqual(["z.zip"]);
    expect((await opened(await root.bytes("/x/y/z.zip"))).files.size).toBe(4);
  });

  it("cannot be written where one of its parents is a file now: SYNC_FAILED, and the session stays", async () => {
    await root.put("/x/y/z.zip", zipOf(book));
    const { zip_hash: hash } = await root.ok("zipfs_open", { path: "/x/y/z.zip", name: "z" });
    await root.ok("file.remove", { path: "/x/y/z.zip", hash });
    const { lease_id: lease } = await root.ok("snapshot.list", {});
    await root.ok("workspace.delete", { path: "x", recursive: true, lease_id: lease });
    await root.put("/x", bytesOf("a file"));
    expect(await root.refused("zipfs_sync", { session: "z", force: true })).toEqual({
      code: "SYNC_FAILED",
      message: "Sync failed: /x is a file now. The source zip is untouched.",
    });
    expect((await root.refused("zipfs_close", { session: "z", sync: true })).code).toBe("ZIP_NOT_FOUND");
    expect((await root.ok("zipfs_read", { session: "z", path: "a.txt" })).content).toContain("alpha");
  });
});

describe("zipfs.md §6.7: a preview", () => {
  it("knows the size exactly where no data is new", async () => {
    await root.ok("zipfs_delete", { path: "d/bin" });
    const { estimated_size_bytes: estimate } = await synced({ dry_run: true });
    expect(await synced()).toMatchObject({ size_bytes: estimate, files_deleted: 1 });
  });
});

describe("a file that other tools made under a name that no archive may have", () => {
  it.each([
    ["c:x", "it begins with a drive letter"],
    [`${"x".repeat(200)}/`.repeat(4) + "y".repeat(100), "a path of more than 900 bytes"],
  ])("is named by the sync, which tells what to do: %s", async (path, why) => {
    const file = `/.zipfs/workspaces/q/contents/${path}`;
    const hash = await root.put(file, bytesOf("x"));
    const refused = await root.refused("zipfs_sync", {});
    expect(refused.code).toBe("SYNC_FAILED");
    expect(refused.message).toContain(
      `can be no entry of an archive (${why}); write it under another name and remove it`,
    );
    await root.ok("file.remove", { path: file, hash });
    expect(await synced()).toMatchObject({ synced: true, files_added: 0 });
  });
});
