// The lease of a sync that takes longer than LOCK_LEASE, who waits for it, and a preview, which needs none.
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { parseScopes } from "../../../src/domain/scopes";
import { clock, minuteMs } from "../clock";
import { interfering } from "../interference";
import { caller, freshFaultyRoot } from "../root";
import { codeOf, good, noise, ZipObject } from "./zip-object";

const scopes = parseScopes("write:/");

let zip: ZipObject;
beforeEach(async () => {
  clock.reset();
  zip = new ZipObject(freshFaultyRoot());
  await zip.put([
    { name: "big", data: noise(1_500_000), method: 0 },
    { name: "a", data: "one" },
  ]);
  good(await zip.open());
  good(await zip.write("a", "two"));
});
afterAll(() => vi.useRealTimers());

/**
 * Every read of object storage takes so long; meanwhile another tool looks for leases to repair. Both sides look at flags: promises do
 * not cross objects.
 */
async function slowSync(callMs: number) {
  const seen = { calls: 0, repaired: 0, ended: false };
  const meanwhile = async () => {
    while (!seen.ended) {
      if (seen.calls > seen.repaired) {
        clock.advance(callMs);
        good(await zip.status());
        seen.repaired++;
      }
      await pause();
    }
  };
  const synced = await interfering(
    zip.root.id,
    async ({ name, moment }) => {
      if (name !== "R2 get" || moment !== "before") return;
      const call = ++seen.calls;
      while (seen.repaired < call) await pause();
    },
    async () => {
      const syncing = zip.sync().finally(() => {
        seen.ended = true;
      });
      await meanwhile();
      return syncing;
    },
  );
  return { calls: seen.calls, synced };
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 2));
}

describe("zipfs.md §8.2: the lease of a sync", () => {
  it("is renewed while work goes on, however long that takes altogether", async () => {
    const { calls, synced } = await slowSync(50_000);
    expect(calls * 50_000).toBeGreaterThan(2 * minuteMs);
    expect(synced).toMatchObject({ ok: true, value: { unchanged: false, modified: 1 } });
    expect(await zip.root.sql("SELECT * FROM zip_locks")).toEqual([]);
    expect(await zip.sessions()).toMatchObject([{ state: "open" }]);
    await zip.root.expectSound();
  });

  it("is lost by work that stands still for longer: it is taken over, and nothing is written", async () => {
    const before = await zip.sourceHash();
    expect(codeOf((await slowSync(minuteMs + 1)).synced)).toBe("SYNC_FAILED");
    expect(await zip.sourceHash()).toBe(before);
    expect(await zip.sessions()).toMatchObject([{ state: "open", syncedAtMs: null }]);
    expect(good(await zip.sync())).toMatchObject({ unchanged: false, modified: 1 });
  });
});

describe("zipfs.md §6.7: a preview", () => {
  it("takes no lock, touches nothing and writes nothing, also while another operation holds the session", async () => {
    const [session] = await zip.sessions();
    const insert =
      "INSERT INTO zip_locks (session_id, owner, kind, since_ms, expires_at_ms) VALUES (?, 'x', 'sync', ?, ?)";
    await zip.root.sql(insert, session?.id ?? "", Date.now(), Date.now() + minuteMs);
    const tables = [
      "nodes",
      "blobs",
      "versions",
      "zip_sessions",
      "zip_indexes",
      "zip_locks",
      "zip_backups",
      "stray_objects",
    ];
    const all = async () => Promise.all(tables.map((table) => zip.root.sql(`SELECT * FROM ${table} ORDER BY 1, 2`)));
    const before = await all();
    clock.advance(1000);
    const preview = await zip.root.inObject((instance) => instance.previewSync(caller, { session: null, scopes }));
    expect(preview).toMatchObject({ value: { ok: true, value: { modified: ["a"], conflict: false } } });
    expect(await all()).toEqual(before);
  });
});
