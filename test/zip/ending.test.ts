// zipfs_sessions, zipfs_close and zipfs_prune, sentence by sentence. Ages and locked sessions: test/workers/zip/locks.test.ts.
import { describe, expect, it } from "vitest";
import { zipOf } from "../harness/zip-builder";
import { opened } from "../harness/zip-core";
import { book } from "./book";
import { ZipRoot } from "./zip-root";

const utcTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

async function three(): Promise<ZipRoot> {
  const root = await ZipRoot.signIn({ era: "2026-07-28" });
  await root.put("/in/b.zip", zipOf(book));
  for (const name of ["c", "a", "b"]) await root.ok("zipfs_open", { path: "/in/b.zip", name });
  return root;
}

describe("zipfs.md §7: zipfs_sessions", () => {
  it("lists by age, then id, with what was opened and what there is now", async () => {
    const root = await three();
    await root.ok("zipfs_open", { path: "/in/b.zip" });
    await root.ok("zipfs_write", { session: "a", path: "more", content: "12345" });
    const { sessions } = await root.ok("zipfs_sessions", {});
    const times = sessions.map(({ created_at: created }) => String(created));
    expect(times).toEqual([...times].sort());
    expect(sessions.map(({ name }) => name)).toEqual(["c", "a", "b", ""]);
    const [, edited] = sessions;
    expect(edited).toEqual({
      id: expect.any(String),
      name: "a",
      source_path: "/in/b.zip",
      state: "open",
      created_at: expect.stringMatching(utcTime),
      last_accessed_at: expect.stringMatching(utcTime),
      file_count: 3,
      extracted_size_bytes: 32,
      workspace_path: "/.zipfs/workspaces/a/contents",
      last_synced_at: null,
      current_file_count: 4,
      current_size_bytes: 37,
    });
    expect(sessions[3]?.workspace_path).toBe(`/.zipfs/workspaces/${sessions[3]?.id}/contents`);
  });
});

describe("zipfs.md §7: zipfs_close", () => {
  it("frees the name, and leaves the source and its backups", async () => {
    const root = await ZipRoot.signIn({ era: "2026-07-28" });
    await root.opened("n", book);
    await root.ok("zipfs_write", { path: "a.txt", content: "new" });
    expect(await root.ok("zipfs_close", { sync: true })).toEqual({
      closed: true,
      synced: true,
      discarded: { modified: 0, added: 0, deleted: 0 },
    });
    expect((await opened(await root.bytes("/in/n.bak.zip"))).files.size).toBe(3);
    expect(await root.ok("zipfs_open", { path: "/in/n.zip", name: "n" })).toMatchObject({ file_count: 3 });
    expect((await root.ok("zipfs_read", { path: "a.txt" })).content).toBe("new");
  });

  it("counts what it discards against the last sync, not against the open", async () => {
    const root = await ZipRoot.signIn({ era: "2026-07-28" });
    await root.opened("n", book);
    await root.ok("zipfs_write", { path: "a.txt", content: "synced" });
    await root.ok("zipfs_sync", {});
    await root.ok("zipfs_write", { path: "x", content: "1" });
    await root.ok("zipfs_write", { path: "y", content: "2" });
    await root.ok("zipfs_write", { path: "d/b.txt", content: "3" });
    await root.ok("zipfs_delete", { path: "d/bin" });
    expect((await root.ok("zipfs_close", {})).discarded).toEqual({ modified: 1, added: 2, deleted: 1 });
  });
});

describe("zipfs.md §7: zipfs_prune", () => {
  it("takes nothing where neither all nor stale is given, and what was used now for not stale", async () => {
    const root = await three();
    for (const args of [{}, { all: false }, { stale: "1h" }, { dry_run: true }]) {
      expect(await root.ok("zipfs_prune", args), JSON.stringify(args)).toEqual({ pruned: [], freed_bytes: 0 });
    }
    expect((await root.ok("zipfs_sessions", {})).sessions).toHaveLength(3);
  });

  it("takes all in the order of sessions, for that reason also beside stale, says what is lost, and previews the same", async () => {
    const root = await three();
    await root.ok("zipfs_write", { session: "a", path: "lost", content: "x" });
    await root.ok("zipfs_delete", { session: "b", path: "empty", recursive: true });
    const ids = (await root.ok("zipfs_sessions", {})).sessions.map(({ id }) => id);
    const expected = {
      pruned: [
        { id: ids[0], name: "c", reason: "all sessions", had_unsynced_changes: false },
        { id: ids[1], name: "a", reason: "all sessions", had_unsynced_changes: true },
        { id: ids[2], name: "b", reason: "all sessions", had_unsynced_changes: true },
      ],
      freed_bytes: 3 * 32,
    };
    const args = { all: true, stale: "1ns" };
    expect(await root.ok("zipfs_prune", { ...args, dry_run: true })).toEqual(expected);
    expect((await root.ok("zipfs_sessions", {})).sessions).toHaveLength(3);
    expect(await root.ok("zipfs_prune", args)).toEqual(expected);
    expect((await root.ok("zipfs_sessions", {})).sessions).toEqual([]);
    expect(await root.get("/.zipfs/workspaces/c/contents/a.txt")).toBeNull();
    expect(await root.get("/in/b.zip")).not.toBeNull();
  });
});
