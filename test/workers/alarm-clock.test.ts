/** When the one alarm of the object is set, and that a failure of it is made good. What it does: upkeep.test.ts, sessions.test.ts. */
import { runInDurableObject } from "cloudflare:test";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { blobSettleMs } from "../../src/domain/limits";
import type { RootPath } from "../../src/domain/path";
import { clock, dayMs, minuteMs } from "./clock";
import { interfering, type StorageCall } from "./interference";
import { caller, freshFaultyRoot, freshRoot, okValue } from "./root";
import { openSession } from "./stream";

beforeEach(() => {
  clock.reset();
});
afterAll(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe("the alarm", () => {
  it("is not set before there is anything to do", async () => {
    const root = freshRoot();
    await root.list("/");
    expect(await root.alarmAt()).toBeNull();
  });

  it("is set for the nearer of two times, whichever is asked for first", async () => {
    const session = freshRoot();
    await openSession(session);
    expect(await session.alarmAt()).toBe(Date.now() + 30 * dayMs);
    okValue(await session.create("/a", "x"));
    expect(await session.alarmAt()).toBe(Date.now() + blobSettleMs);

    const file = freshRoot();
    okValue(await file.create("/a", "x"));
    await file.evict();
    await openSession(file);
    expect(await file.alarmAt()).toBe(Date.now() + blobSettleMs);
  });

  it("is set for the nearer of two times that are asked for at once in an object that has just woken", async () => {
    const root = freshFaultyRoot();
    await root.usage();
    const { interfere, firstAsked } = answerSecondAfterSet();
    await interfering(root.id, interfere, () =>
      runInDurableObject(root.stub, async (object) => {
        const created = object.createFile(caller, "/a" as RootPath, new Uint8Array([65]));
        await firstAsked;
        await Promise.all([created, object.openSession(caller, "{}")]);
      }),
    );
    expect(await root.alarmAt()).toBe(Date.now() + blobSettleMs);
  });

  it("that could not be set keeps no change from being made, and is set with the next one", async () => {
    const errors = vi.spyOn(console, "error").mockImplementation(() => {});
    const root = freshFaultyRoot();
    const failing = ({ name, moment }: StorageCall) => {
      if (name === "setAlarm" && moment === "before") throw new Error("injected before setAlarm");
    };
    await interfering(root.id, failing, async () => {
      expect(await root.attempt((inside) => inside.create("/a", "x"))).toMatchObject({ ok: true });
    });
    expect(errors).toHaveBeenCalledWith(expect.stringContaining("injected before setAlarm"));
    expect(await root.alarmAt()).toBeNull();

    okValue(await root.create("/b", "x"));
    expect(await root.alarmAt()).toBe(Date.now() + blobSettleMs);
  });

  it("rings next for what is left to do, and not for what it has done", async () => {
    const root = freshRoot();
    okValue(await root.create("/a", "x"));
    const createdMs = Date.now();
    clock.advance(blobSettleMs);
    await root.ring();
    expect(await root.alarmAt()).toBe(createdMs + 7 * dayMs);
  });

  it("comes again after a minute when something failed", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const root = freshFaultyRoot();
    okValue(await root.create("/a", "x"));
    clock.advance(blobSettleMs);
    const failing = ({ name }: StorageCall) => {
      if (name === "R2 put") throw new Error("injected R2 put");
    };
    await interfering(root.id, failing, () => root.ring());
    expect(await root.alarmAt()).toBe(Date.now() + minuteMs);
  });

  it("comes again after a second when there was more to do than one round does", async () => {
    const root = freshRoot();
    const hash = okValue(await root.create("/a", "x"));
    await root.sql(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
       INSERT INTO versions (path, blob, seq, replaced_at_ms) SELECT '/gone' || i, ?, 1, 0 FROM n`,
      hash,
    );
    clock.advance(blobSettleMs);
    await root.ring();
    expect(await root.sql("SELECT count(*) AS n FROM versions")).toEqual([{ n: 100 }]);
    expect(await root.alarmAt()).toBe(Date.now() + 1000);
    clock.advance(1000);
    await root.ring();
    expect(await root.sql("SELECT count(*) AS n FROM versions")).toEqual([{ n: 0 }]);
    await root.expectSound();
  });
});

/** Two ask when the alarm is set; the second hears the answer only after the first has set it. */
function answerSecondAfterSet() {
  const asked: number[] = [];
  const first = Promise.withResolvers<void>();
  const both = Promise.withResolvers<void>();
  const set = Promise.withResolvers<void>();
  const interfere = async ({ index, name, moment }: StorageCall) => {
    if (name === "setAlarm" && moment === "after") set.resolve();
    if (name !== "getAlarm") return;
    if (moment === "before") {
      (asked.push(index) === 1 ? first : both).resolve();
      return;
    }
    await both.promise;
    if (index === asked[1]) await set.promise;
  };
  return { interfere, firstAsked: first.promise };
}
