/** The life of leases and of what they have touched (seed 002 §2.3, snapshot.md §5), with a clock that is moved. Over MCP: test/snapshot. */
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { LeaseId } from "../../../src/domain/lease";
import type { RootPath } from "../../../src/domain/path";
import { clock, dayMs, hourMs } from "../clock";
import { SnapshotTestRoot, value } from "./snapshot-root";

beforeEach(() => {
  clock.reset();
});
afterAll(() => {
  vi.useRealTimers();
});

describe("a lease", () => {
  it("seed 002 §2.3: is valid for 24 hours from its issue, then stale as expired for 7 days, then unknown", async () => {
    const root = new SnapshotTestRoot();
    const lease = await root.lease();
    clock.advance(dayMs - hourMs);
    expect(value(await root.list(root.view(lease))).receipt).toMatchObject({ leaseId: lease });
    clock.advance(hourMs);
    expect(await root.list(root.view(lease))).toMatchObject({
      ok: false,
      error: { code: "STALE_LEASE", details: { reason: "expired", lease_id: lease } },
    });
    clock.advance(7 * dayMs);
    await root.root.doChores();
    expect(await root.list(root.view(lease))).toMatchObject({ ok: false, error: { code: "NOT_FOUND" } });
    await root.root.expectSound();
    expect(await root.root.sql("SELECT * FROM touched_sets")).toEqual([]);
  });

  it("survives eviction, and gives way to 1000 newer ones", async () => {
    const root = new SnapshotTestRoot();
    const first = await root.lease();
    await root.root.evict();
    expect(value(await root.list(root.view(first), 1, 0)).receipt).toMatchObject({ leaseId: first });
    clock.advance(1);
    const issued = await root.root.attempt(async (inside) => {
      const within = new SnapshotTestRoot(inside);
      for (let n = 0; n < 999; n++) await within.lease();
    });
    expect(issued).toBeUndefined();
    expect((await root.list(root.view(first), 1, 0)).ok).toBe(true);
    await root.lease();
    expect(await root.list(root.view(first), 1, 0)).toMatchObject({ ok: false, error: { code: "NOT_FOUND" } });
    await root.root.expectSound();
  });

  it("snapshot.md §5.5: inherits over many mutations without losing or adding a file, and leaves no set behind", async () => {
    const root = new SnapshotTestRoot();
    let lease: LeaseId = await root.lease();
    const touched: string[] = [];
    for (let n = 0; n < 60; n++) {
      const path = `/f${String(n % 40).padStart(2, "0")}`;
      lease = value(await root.write(path, `${n}`, lease)).receipt.leaseId;
      touched.push(path);
      clock.advance(1);
    }
    const snapshot = value(await root.capture(null, lease));
    expect(snapshot.files).toBe(new Set(touched).size);
    await root.root.expectSound();
    clock.advance(9 * dayMs);
    await root.root.doChores();
    expect(
      await root.root.sql(
        "SELECT (SELECT count(*) FROM leases) AS leases, (SELECT count(*) FROM touched) AS touched, (SELECT count(*) FROM touched_sets) AS sets",
      ),
    ).toEqual([{ leases: 0, touched: 0, sets: 0 }]);
  });

  it("snapshot.md §4.2 §5.5: what an old lease sees after its state came back is not what its heir had seen", async () => {
    const root = new SnapshotTestRoot();
    await root.root.create("/a", "a");
    await root.root.create("/b", "b");
    const first = await root.lease();
    const heir = value(await root.write("/a", "changed", first)).receipt.leaseId;
    const back = value(await root.write("/a", "a", heir)).receipt.leaseId;
    // The first lease is true again, and sees more.
    value(await root.read("/b", root.view(first)));
    expect(value(await root.capture(null, back)).files).toBe(1);
    expect(value(await root.capture(null, first)).files).toBe(1);
  });

  it("snapshot.md §5.4: can have touched 50 000 files and no more", async () => {
    const root = new SnapshotTestRoot();
    const lease = await root.lease();
    const [{ touched_set: set } = { touched_set: 0 }] = await root.root.sql<{ touched_set: number }>(
      "SELECT touched_set FROM leases WHERE id = ?",
      lease,
    );
    const paths = JSON.stringify(Array.from({ length: 49_999 }, (_, n) => `/seen/${n}` as RootPath));
    await root.root.sql("INSERT INTO touched (set_id, path) SELECT ?, value FROM json_each(?)", set, paths);
    await root.root.sql("UPDATE touched_sets SET paths_max = 49999 WHERE id = ?", set);
    const next = value(await root.write("/seen/0", "x", lease)).receipt.leaseId;
    const last = value(await root.write("/one-more", "x", next)).receipt.leaseId;
    expect(await root.write("/too-many", "x", last)).toMatchObject({
      ok: false,
      error: { code: "TOO_LARGE", details: { limit: "TOUCHED_MAX", max: 50_000, actual: 50_001 } },
    });
    expect(value(await root.list(root.view(last), 1, 0)).value.total).toBe(2);
    await root.root.expectSound();
  });
});
