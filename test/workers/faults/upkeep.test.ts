/**
 * Every storage call of the alarm fails once, before and after it takes effect: what is named stays readable, and the next alarm completes the
 * work. What the work is: upkeep.test.ts.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { blobSettleMs } from "../../../src/domain/limits";
import { clock, dayMs, hourMs, minuteMs } from "../clock";
import { interfering, type StorageCall } from "../interference";
import { freshFaultyRoot, okValue, type TestRoot } from "../root";
import { countOpenStreams, openSession, openStream } from "../stream";
import { everyFault } from "./failing";

beforeAll(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterAll(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe("a storage call that fails during the alarm", () => {
  it("harms nothing that is named, and the next alarm completes the work", { timeout: 300_000 }, async () => {
    const whole = await withMuchToDo();
    const names: string[] = [];
    await interfering(
      whole.id,
      ({ name, moment }) => void (moment === "before" && names.push(name)),
      () => whole.doChores(),
    );
    const { soon, later } = await afterwards(whole);
    expect(soon.blobs).toHaveLength(3);
    expect(names).toEqual(expect.arrayContaining(["R2 put", "R2 delete", "transaction", "setAlarm"]));
    expect(later.strays).toEqual([]);

    for (const fault of everyFault(names)) {
      const told = `${fault.moment} call ${fault.index}, ${fault.name}`;
      const root = await withMuchToDo();
      await interfering(root.id, failOnce(fault), () => root.doChores());
      await root.evict();
      await root.expectSound();
      expect(await afterwards(root), told).toEqual({ soon: { ...soon, strays: expect.anything() }, later });
    }
  });
});

function failOnce(fault: StorageCall) {
  return ({ index, name, moment }: StorageCall) => {
    if (index === fault.index && moment === fault.moment) throw new Error(`injected ${moment} ${name}`);
  };
}

/** What the next alarm leaves, and the one after the grace period of what a failure left behind. */
async function afterwards(root: TestRoot) {
  clock.advance(minuteMs);
  await root.doChores();
  const soon = await upkeepState(root);
  clock.advance(2 * hourMs);
  await root.doChores();
  const later = await upkeepState(root);
  const named = await root.sql<{ r2_key: string }>("SELECT r2_key FROM blobs WHERE r2_key IS NOT NULL");
  expect((await root.objectKeys()).sort()).toEqual(named.map((row) => row.r2_key).sort());
  await root.expectSound();
  for (const path of ["/new", "/cold"]) okValue(await root.read(path));
  return { soon, later };
}

async function upkeepState(root: TestRoot) {
  const table = (query: string) => root.sql(query);
  return {
    blobs: await table(
      `SELECT hash, is_inline AS warm, r2_key IS NOT NULL AS copied, condemned_at_ms IS NOT NULL AS condemned
         FROM blobs ORDER BY hash`,
    ),
    versions: await table("SELECT path FROM versions"),
    strays: await table("SELECT r2_key FROM stray_objects"),
    sessions: await table("SELECT id FROM sessions"),
    revocations: await table("SELECT grant_id FROM revocations"),
    streams: await countOpenStreams(root),
    alarmIsSet: (await root.alarmAt()) !== null,
  };
}

/** One blob to copy, to cool, to condemn and to collect, a stray object, idle sessions with their streams, an old revocation; newly awake. */
async function withMuchToDo(): Promise<TestRoot> {
  clock.reset();
  const root = freshFaultyRoot();
  okValue(await root.create("/cold", "cold\n"));
  const forgotten = okValue(await root.create("/forgotten", "forgotten\n"));
  const unnamed = okValue(await root.create("/unnamed", "unnamed\n"));
  for (const sessionId of [await openSession(root), await openSession(root)]) await openStream(root, sessionId);
  await root.stub.revoke({ userId: "user" as never, grantId: "grant" });
  clock.advance(blobSettleMs);
  await interfering(root.id, failAfterPut, () => root.doChores());
  clock.advance(blobSettleMs);
  await root.doChores();
  okValue(await root.remove("/forgotten", forgotten));
  okValue(await root.remove("/unnamed", unnamed));
  await root.sql("DELETE FROM versions WHERE path = '/unnamed'");
  await root.sql("UPDATE blobs SET condemned_at_ms = ? WHERE hash = ?", Date.now(), unnamed);
  clock.advance(31 * dayMs);
  okValue(await root.create("/new", "new\n"));
  clock.advance(blobSettleMs);
  await root.evict();
  await root.usage();
  return root;
}

/** The object is in R2, but nobody comes to name it. */
function failAfterPut({ name, moment }: StorageCall): void {
  if (name === "R2 put" && moment === "after") throw new Error("injected after R2 put");
}
