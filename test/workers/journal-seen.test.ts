/** Who looks at the root right after edits that wait sees them: other families, and checks of what a caller has seen. */
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { sha256Hex } from "../../src/domain/hash";
import { clock } from "./clock";
import { freshRoot, okValue } from "./root";
import { SnapshotTestRoot, value } from "./snapshots/snapshot-root";
import { edited, waitingIn } from "./waiting";
import { good, ZipObject } from "./zip/zip-object";

beforeEach(() => {
  clock.reset();
});
afterAll(() => {
  vi.useRealTimers();
});

describe("an edit that waits is seen", () => {
  it("by file.remove, which leaves its history", async () => {
    const root = freshRoot();
    const [first, second, third] = await edited(root);
    expect(await root.remove("/a", second)).toMatchObject({ error: { code: "HASH_MISMATCH" } });
    okValue(await root.remove("/a", third));
    expect(await root.append("/a", third, "x")).toMatchObject({ error: { code: "NOT_FOUND" } });
    const versions = await root.sql<{ blob: string }>("SELECT blob FROM versions ORDER BY seq");
    expect(versions.map(({ blob }) => blob)).toEqual([first, second, third]);
    const again = okValue(await root.create("/a", "0\n"));
    expect(okValue(await root.append("/a", again, "1\n")).hash).toBe(second);
    await root.expectSound();
  });

  it("by list, and by file.create, which finds the path taken", async () => {
    const root = freshRoot();
    await edited(root, "/d/a");
    expect(await root.create("/d/a", "x")).toMatchObject({ error: { code: "ALREADY_EXISTS" } });
    expect(await root.list("/d")).toMatchObject({ total: 1 });
    const waiting = await edited(root, "/d/b");
    expect(await root.append("/d/b/c", waiting[2], "x")).toMatchObject({ error: { code: "NOT_FOUND" } });
  });

  it("by the tree ids and a snapshot, which restores it", async () => {
    const root = new SnapshotTestRoot();
    const before = await root.root.fingerprint();
    await edited(root.root);
    expect((await root.root.fingerprint()).index_oid).not.toBe(before.index_oid);
    const { hash } = okValue(await root.root.read("/a"));
    const next = okValue(await root.root.append("/a", hash, "3\n")).hash;
    const { snapshotId } = value(await root.capture(["/"]));
    okValue(await root.root.append("/a", next, "4\n"));
    value(await root.restore(snapshotId, await root.lease(), false));
    expect(okValue(await root.root.read("/a")).content).toBe("0\n1\n2\n3\n");
    await root.root.expectSound();
  });

  it("by a patch, which applies to it", async () => {
    const root = new SnapshotTestRoot();
    await edited(root.root);
    const patch = "--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n 0\n 1\n-2\n+two\n";
    value(await root.patch(patch, root.view(await root.lease())));
    expect(okValue(await root.root.read("/a")).content).toBe("0\n1\ntwo\n");
    await root.root.expectSound();
  });

  it("by a lease that was taken before, which is stale", async () => {
    const root = new SnapshotTestRoot();
    okValue(await root.root.create("/b", "b\n"));
    const [, , hash] = await edited(root.root);
    const lease = await root.lease();
    okValue(await root.root.append("/a", hash, "3\n"));
    expect(await waitingIn(root.root)).toBe(3);
    expect(await root.write("/b", "x", lease)).toMatchObject({ ok: false, error: { code: "STALE_LEASE" } });
    expect(okValue(await root.root.read("/b")).content).toBe("b\n");
    const there = await root.lease();
    okValue(await root.root.append("/a", okValue(await root.root.read("/a")).hash, "4\n"));
    expect(await root.read("/a", root.view(there))).toMatchObject({ ok: false, error: { code: "STALE_LEASE" } });
  });

  it("by the status and the sync of a zip session, whose workspace it is in", async () => {
    const zip = new ZipObject(freshRoot());
    await zip.put([{ name: "a", data: "0\n" }]);
    good(await zip.open());
    const path = "/.zipfs/workspaces/s/contents/a";
    okValue(await zip.root.read(path));
    const edit = async (hash: string, line: string) => okValue(await zip.root.append(path, hash, line)).hash;
    const second = await edit(await edit(sha256Hex("0\n"), "1\n"), "2\n");
    expect(good(await zip.status())).toMatchObject({ unsynced: { modified: ["a"] } });
    const third = await edit(second, "3\n");
    expect(good(await zip.sync())).toMatchObject({ unchanged: false, modified: 1 });
    await edit(third, "4\n");
    await zip.root.evict();
    expect(good(await zip.close(true))).toMatchObject({ synced: true, modified: 0 });
    good(await zip.open("t"));
    expect(okValue(await zip.root.read("/.zipfs/workspaces/t/contents/a")).content).toBe("0\n1\n2\n3\n4\n");
    await zip.root.expectSound();
  });
});
