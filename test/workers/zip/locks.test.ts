// Locks of zip sessions and their end: waiting, expiry, a new life of the object. What is garbage afterwards is collected.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { clock, hourMs, minuteMs } from "../clock";
import { freshRoot } from "../root";
import { codeOf, good, ZipObject } from "./zip-object";

let zip: ZipObject;
beforeEach(async () => {
  clock.reset();
  zip = new ZipObject(freshRoot());
  await zip.put([{ name: "a", data: "one" }]);
  good(await zip.open());
});
afterEach(() => {
  vi.useRealTimers();
});

async function lock(kind: string, expiresInMs: number): Promise<void> {
  const [session] = await zip.sessions();
  const insert = "INSERT INTO zip_locks (session_id, owner, kind, since_ms, expires_at_ms) VALUES (?, 'x', ?, ?, ?)";
  await zip.root.sql(insert, session?.id ?? "", kind, Date.now(), Date.now() + expiresInMs);
  await zip.root.sql("UPDATE zip_sessions SET state = 'syncing'");
}

/** Does the work with timers that run a hundred times as fast. */
async function hurried<T>(work: () => Promise<T>): Promise<T> {
  const real = globalThis.setTimeout;
  const fast = (callback: () => void, ms = 0) => real(callback, ms / 100);
  vi.stubGlobal("setTimeout", fast);
  try {
    return await work();
  } finally {
    vi.unstubAllGlobals();
  }
}

describe("a session that another operation holds", () => {
  it("seed 003 LOCKED is the answer to a sync after LOCK_WAIT; reads and writes do not wait, prune leaves it alone", async () => {
    await lock("sync", minuteMs);
    good(await zip.write("b", "two"));
    expect(good(await zip.read("a")).content).toBe("one");
    expect(await zip.prune(null, true)).toEqual([]);
    const refused = await hurried(() => zip.sync());
    expect(codeOf(refused)).toBe("LOCKED");
    expect(refused).toMatchObject({
      error: {
        message: 'Session "s" is locked by another operation (sync, since 2100-01-01T00:00:00Z). Try again shortly.',
      },
    });
    expect((await zip.sessions())[0]?.state).toBe("syncing");
  });

  it("zipfs.md §8.1: LOCKED is the answer to a close too, with a sync and without, and to a forced sync; the session stays", async () => {
    await lock("sync", minuteMs);
    for (const syncs of [false, true]) expect(codeOf(await hurried(() => zip.close(syncs)))).toBe("LOCKED");
    expect(codeOf(await hurried(() => zip.sync(true)))).toBe("LOCKED");
    expect(good(await zip.read("a")).content).toBe("one");
  });

  it("is free again once the lease has expired: any tool repairs it", async () => {
    await lock("sync", minuteMs);
    clock.advance(2 * minuteMs);
    good(await zip.status());
    expect((await zip.sessions())[0]?.state).toBe("open");
    expect(await zip.root.sql("SELECT * FROM zip_locks")).toEqual([]);
    good(await zip.sync());
  });

  it("is free at once when the object begins a new life", async () => {
    await lock("close", hourMs);
    await zip.root.evict();
    expect((await zip.sessions())[0]?.state).toBe("open");
    good(await zip.close());
  });
});

describe("pruning", () => {
  it("takes what was idle for longer, strictly, and says for how long", async () => {
    clock.advance(3 * 24 * hourMs);
    expect(await zip.prune(3 * 24 * hourMs)).toEqual([]);
    clock.advance(1);
    good(await zip.write("b", "two"));
    expect(await zip.prune(hourMs)).toEqual([]);
    clock.advance(5 * hourMs);
    expect(await zip.prune(hourMs)).toMatchObject([{ name: "s", reason: "stale (5h)", hadUnsyncedChanges: true }]);
    expect(await zip.sessions()).toEqual([]);
  });
});

describe("what a session leaves", () => {
  it("is collected after it was closed: no blob, object or row of it stays but the source", async () => {
    good(await zip.write("b", new Uint8Array(1_500_000).fill(7)));
    good(await zip.write("b", "small now"));
    good(await zip.close());
    clock.advance(2 * hourMs);
    await zip.root.ring();
    clock.advance(2 * hourMs);
    await zip.root.ring();
    await zip.root.expectSound();
    const blobs = await zip.root.sql<{ hash: string }>("SELECT hash FROM blobs");
    expect(blobs.map(({ hash }) => hash)).toEqual([await zip.sourceHash()]);
    for (const table of ["zip_sessions", "zip_indexes", "zip_locks"]) {
      expect(await zip.root.sql(`SELECT * FROM ${table}`), table).toEqual([]);
    }
  });
});
