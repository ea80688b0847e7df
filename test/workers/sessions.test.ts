// Sessions of the 2025 era in the user's object, with a clock that the test moves: idle ones end, by themselves and by alarm;
// used ones stay; the number is bounded. Over HTTP they are tested in test/sessions.

import { beforeEach, describe, expect, it } from "vitest";
import { callerOf } from "../../src/domain/caller";
import { sessionsMax } from "../../src/domain/limits";
import type { RootPath } from "../../src/domain/path";
import type { Reply } from "../../src/root/contract";
import { clock, dayMs, hourMs } from "./clock";
import { freshRoot, type TestRoot } from "./root";

const clientId = "client";
const idleDays = 30;
let root: TestRoot;

beforeEach(() => {
  clock.reset();
  root = freshRoot();
});

async function open(): Promise<string> {
  const reply = await root.stub.openSession(callerOf({ clientId }), "{}");
  if (!reply.admitted) throw new Error(reply.refusal);
  return reply.value;
}

async function use(sessionId: string): Promise<string> {
  const reply: Reply<null> = await root.stub.admit(callerOf({ clientId, sessionId }));
  return reply.admitted ? "admitted" : reply.refusal;
}

async function rowsOf(table: "sessions" | "subscriptions"): Promise<number> {
  return (await root.sql(`SELECT 1 FROM ${table}`)).length;
}

describe("an idle session", () => {
  it("has ended after 30 days, to the millisecond, before any alarm rang", async () => {
    const id = await open();
    clock.advance(idleDays * dayMs - 1);
    const other = await open();
    clock.advance(1);
    expect(await use(id)).toBe("session_unknown");
    expect(await use(other)).toBe("admitted");
  });

  it("leaves nothing behind when the alarm rings, which is set for its end", async () => {
    const id = await open();
    await root.stub.subscribe(callerOf({ clientId, sessionId: id }), "list://", "/" as RootPath);
    expect([await rowsOf("sessions"), await rowsOf("subscriptions")]).toEqual([1, 1]);
    expect(await root.alarmAt()).toBe(Date.now() + idleDays * dayMs);
    clock.advance(idleDays * dayMs);
    expect(await root.ring()).toBe(true);
    expect([await rowsOf("sessions"), await rowsOf("subscriptions")]).toEqual([0, 0]);
    expect(await root.alarmAt()).toBeNull();
  });

  it("does not take others with it, for whose end the alarm is set anew", async () => {
    const idle = await open();
    clock.advance(10 * dayMs);
    const younger = await open();
    clock.advance(20 * dayMs);
    await root.ring();
    expect([await use(idle), await use(younger)]).toEqual(["session_unknown", "admitted"]);
    expect(await rowsOf("sessions")).toBe(1);
    expect(await root.alarmAt()).toBe(Date.now() + 10 * dayMs);
  });
});

describe("a used session", () => {
  it("lives on for 30 days from its last use, also where the object was evicted", async () => {
    const id = await open();
    for (let month = 0; month < 4; month += 1) {
      clock.advance(idleDays * dayMs - hourMs);
      await root.ring();
      await root.evict();
      expect(await use(id)).toBe("admitted");
    }
    clock.advance(idleDays * dayMs);
    expect(await use(id)).toBe("session_unknown");
  });

  it("belongs to its client, and a stranger's try does not keep it alive", async () => {
    const id = await open();
    clock.advance(20 * dayMs);
    const reply = await root.stub.admit(callerOf({ clientId: "another", sessionId: id }));
    expect(reply).toEqual({ admitted: false, refusal: "session_unknown" });
    clock.advance(10 * dayMs);
    expect(await use(id)).toBe("session_unknown");
  });
});

it("the session idle for longest makes room for the one that is too many", async () => {
  const first = await open();
  clock.advance(2 * hourMs);
  const second = await open();
  clock.advance(2 * hourMs);
  expect(await use(first)).toBe("admitted");
  for (let count = 2; count <= sessionsMax; count += 1) await open();
  expect(await rowsOf("sessions")).toBe(sessionsMax);
  expect([await use(first), await use(second)]).toEqual(["admitted", "session_unknown"]);
});
