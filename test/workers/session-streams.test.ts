/** The event streams and subscriptions of sessions in the user's object: that they end with the session, and what they tell. Sessions alone: sessions.test.ts. */

import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { callerOf } from "../../src/domain/caller";
import { sessionsMax, subscriptionsMax } from "../../src/domain/limits";
import type { RootPath } from "../../src/domain/path";
import { clock, dayMs, hourMs } from "./clock";
import { callerFacts, freshRoot, okValue, type TestRoot } from "./root";
import { countOpenStreams, openSession, openStream } from "./stream";

const unknown = { admitted: false, refusal: "session_unknown" };
const ended = 4001;

beforeEach(() => {
  clock.reset();
});
afterAll(() => {
  vi.useRealTimers();
});

describe("an idle session", () => {
  it("ends by the alarm after 30 days, its subscriptions and streams with it", async () => {
    const root = freshRoot();
    const sessionId = await openSession(root);
    const other = await openSession(root);
    const streams = [await openStream(root, sessionId), await openStream(root, sessionId)];
    await root.stub.subscribe(callerOf({ ...callerFacts, sessionId }), "list://", "/" as RootPath);
    clock.advance(29 * dayMs);
    expect(await root.stub.admit(callerOf({ ...callerFacts, sessionId: other }))).toMatchObject({ admitted: true });
    expect(await root.alarmAt()).toBe(Date.now() + dayMs);

    await root.evict();
    clock.advance(dayMs);
    expect(await root.ring()).toBe(true);
    expect(await Promise.all(streams.map((stream) => stream.closed))).toEqual([ended, ended]);
    expect(await root.sql("SELECT id FROM sessions")).toEqual([{ id: other }]);
    expect(await root.sql("SELECT * FROM subscriptions")).toEqual([]);
    expect(await root.stub.admit(callerOf({ ...callerFacts, sessionId }))).toEqual(unknown);
    expect(await root.alarmAt()).toBe(Date.now() + 29 * dayMs);
  });
});

describe("one session too many", () => {
  it("ends the one that was idle for longest, its streams with it, and leaves the others", async () => {
    const root = freshRoot();
    const oldest = await openSession(root);
    const stream = await openStream(root, oldest);
    clock.advance(2 * hourMs);
    const used = await openSession(root);
    clock.advance(2 * hourMs);
    await addSessions(root, sessionsMax - 2);
    const newest = await openSession(root);
    expect(await stream.closed).toBe(ended);
    expect(await root.stub.admit(callerOf({ ...callerFacts, sessionId: oldest }))).toEqual(unknown);
    for (const sessionId of [used, newest]) {
      expect(await root.stub.admit(callerOf({ ...callerFacts, sessionId }))).toMatchObject({ admitted: true });
    }
    expect(await root.sql("SELECT count(*) AS n FROM sessions")).toEqual([{ n: sessionsMax }]);
    expect(await countOpenStreams(root)).toBe(0);
  });

  it("never ends the session that was just opened, also when all are equally new", async () => {
    const root = freshRoot();
    await root.usage();
    await addSessions(root, sessionsMax);
    const newest = await openSession(root);
    expect(await root.stub.admit(callerOf({ ...callerFacts, sessionId: newest }))).toMatchObject({ admitted: true });
    expect(await root.sql("SELECT count(*) AS n FROM sessions")).toEqual([{ n: sessionsMax }]);
  });
});

describe("subscriptions", () => {
  it("are bounded; one that is there may be asked for again", async () => {
    const root = freshRoot();
    const sessionId = await openSession(root);
    const uris = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${subscriptionsMax})`;
    await root.sql(`${uris} INSERT INTO subscriptions SELECT ?, 'list://' || i, '/' || i FROM n`, sessionId);
    const subscribe = (uri: string) =>
      root.stub.subscribe(callerOf({ ...callerFacts, sessionId }), uri, "/7" as RootPath);
    expect(await subscribe("list://7")).toMatchObject({ value: true });
    expect(await subscribe("list://new")).toMatchObject({ value: false });
    await root.stub.unsubscribe(callerOf({ ...callerFacts, sessionId }), "list://8");
    expect(await subscribe("list://new")).toMatchObject({ value: true });
  });

  it("tell of changes in their directory on the newest stream of the session, also after the object slept", async () => {
    const root = freshRoot();
    const sessionId = await openSession(root);
    await root.stub.subscribe(callerOf({ ...callerFacts, sessionId }), "list://notes", "/notes" as RootPath);
    const older = await openStream(root, sessionId);
    clock.advance(1);
    const newer = await openStream(root, sessionId);
    const modern = await openStream(root);
    await root.evict();
    okValue(await root.create("/notes/a", "x"));
    await vi.waitFor(() => expect([newer.events, modern.events].map((events) => events.length)).toEqual([1, 1]));
    expect(newer.events).toMatchObject([
      { subscribed: [{ path: "/notes", uri: "list://notes" }], entriesChanged: true },
    ]);
    expect(modern.events).toMatchObject([{ directories: ["/", "/notes"], entriesChanged: true }]);
    expect(older.events).toEqual([]);
  });
});

/** Rows of sessions, as if opened now. */
async function addSessions(root: TestRoot, count: number): Promise<void> {
  await root.sql(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
     INSERT INTO sessions (id, client_id, initialize, created_at_ms, seen_at_ms)
     SELECT 'z' || i, ?2, '{}', ?3, ?3 FROM n`,
    count,
    callerFacts.clientId,
    Date.now(),
  );
}
