/**
 * Every storage call of every mutation fails once, before and after it takes effect: afterwards the root is as before the operation or as
 * after it, and never in between. Not here: the work of the alarm, and the end of the process (test/crash).
 */

import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { callerOf } from "../../../src/domain/caller";
import { blobSettleMs } from "../../../src/domain/limits";
import { rootDirectory } from "../../../src/domain/path";
import type { Result } from "../../../src/domain/result";
import type { TextError } from "../../../src/domain/text-errors";
import { counts } from "../../counts";
import { clock, dayMs } from "../clock";
import type { StorageCall } from "../interference";
import { callerFacts, freshFaultyRoot, okValue, type TestRoot } from "../root";
import { stateOf } from "../state";
import { openSession, openStream } from "../stream";
import { callsOf, chosenFaults, withFault } from "./failing";

interface Scenario {
  readonly title: string;
  prepare(root: TestRoot): Promise<void>;
  operation(root: TestRoot): Promise<Result<unknown, TextError>>;
  /** What a second try answers when the first had taken effect. */
  readonly retried: object;
  /** The storage call that makes it durable, where that is no transaction. */
  readonly commit?: string;
}

const small = "one\ntwo\n";
const large = "a line of a large file\n".repeat(46_000);
const firstVersion = "version 1\n";
const path = "/new/folder/file.txt";
const journalCall = "exec INSERT INTO edit_journal";
const alreadyExists = { ok: false, error: { code: "ALREADY_EXISTS" } };
const alreadyApplied = { ok: true, value: { alreadyApplied: true } };
/** Of the file that is edited or removed, by the id of the root. */
const hashes = new Map<string, string>();

const scenarios: readonly Scenario[] = [
  {
    title: "file.create of a small file in new directories",
    prepare: async () => {},
    operation: (root) => root.create(path, small),
    retried: alreadyExists,
  },
  {
    title: "file.create of a file in a directory that a session watches",
    async prepare(root) {
      const sessionId = await openSession(root);
      await root.stub.subscribe(callerOf({ ...callerFacts, sessionId }), "list://", rootDirectory);
      await openStream(root, sessionId);
    },
    operation: (root) => root.create("/file", small),
    retried: alreadyExists,
  },
  {
    title: "file.create of a small file where one was removed with the same content",
    prepare: async (root) => void okValue(await root.remove(path, await fillHistory(root))),
    operation: (root) => root.create(path, firstVersion),
    retried: alreadyExists,
  },
  {
    title: "file.create of a file over 1 MiB",
    prepare: async (root) => void okValue(await root.create("/other", "other")),
    operation: (root) => root.create(path, large),
    retried: alreadyExists,
  },
  {
    title: "file.create of a file over 1 MiB whose content is there already",
    prepare: async (root) => void okValue(await root.create("/other", large)),
    operation: (root) => root.create(path, large),
    retried: alreadyExists,
  },
  {
    title: "an edit of a small file, which waits in the journal",
    prepare: async (root) => void hashes.set(root.id, await fillHistory(root)),
    operation: (root) => root.append(path, hashOf(root), "more\n"),
    retried: alreadyApplied,
    commit: journalCall,
  },
  {
    title: "an edit whose result is over 1 MiB",
    prepare: async (root) => void hashes.set(root.id, okValue(await root.create(path, small))),
    operation: (root) => root.append(path, hashOf(root), large),
    retried: alreadyApplied,
  },
  {
    title: "an edit of a file over 1 MiB to a small one",
    prepare: async (root) => void hashes.set(root.id, okValue(await root.create(path, large))),
    operation: (root) => root.edit(path, hashOf(root), { kind: "replace", lines: [1, 0], old: large, new: small }),
    retried: alreadyApplied,
  },
  {
    title: "an edit of a file whose bytes have left SQLite",
    async prepare(root) {
      hashes.set(root.id, okValue(await root.create(path, small)));
      await coolDown(root);
    },
    operation: (root) => root.append(path, hashOf(root), "more\n"),
    retried: alreadyApplied,
    commit: journalCall,
  },
  {
    title: "file.remove",
    prepare: async (root) => void hashes.set(root.id, await fillHistory(root)),
    operation: (root) => root.remove(path, hashOf(root)),
    retried: { ok: false, error: { code: "NOT_FOUND" } },
  },
];

beforeAll(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterAll(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe("a storage call that fails during", () => {
  for (const scenario of scenarios) {
    it(`${scenario.title} leaves no partial state, and a retry succeeds`, { timeout: 300_000 }, async () => {
      const whole = await prepared(scenario);
      const names = await callsOf(whole, scenario.operation);
      const after = await stateOf(whole);
      expect(names).toContain(scenario.commit ?? "transaction");
      for (const fault of chosenFaults(names)) await survives(scenario, fault, after);
    });
  }
});

async function survives(scenario: Scenario, fault: StorageCall, after: unknown): Promise<void> {
  const told = `${fault.moment} call ${fault.index}, ${fault.name}`;
  const root = await prepared(scenario);
  const before = await stateOf(root);
  const outcome = await withFault(root, fault, scenario.operation);
  await root.evict();

  // Who is told of a failure is told that nothing was changed; only the commit itself can fail with its effect made.
  const committed = fault.name === "transaction" && fault.moment === "after";
  const tookEffect = committed || !(outcome instanceof Error);
  expect(await stateOf(root), told).toEqual(tookEffect ? after : before);
  await root.expectSound();

  expect(await scenario.operation(root), told).toMatchObject(tookEffect ? scenario.retried : { ok: true });
  expect(await stateOf(root), told).toEqual(after);
  if (counts.deep) await root.expectSound();
}

/** The same for every root, with the same times, newly awake. The ids of all directories are cached: a change has to drop them. */
async function prepared(scenario: Scenario): Promise<TestRoot> {
  clock.reset();
  const root = freshFaultyRoot();
  await scenario.prepare(root);
  await root.fingerprint();
  await root.evict();
  await root.usage();
  return root;
}

function hashOf(root: TestRoot): string {
  return hashes.get(root.id) ?? "";
}

/** A file with 20 known versions; gives the hash of the current one. */
async function fillHistory(root: TestRoot): Promise<string> {
  const current = await root.attempt(async (inside) => {
    let hash: string = okValue(await inside.create(path, firstVersion));
    for (let version = 2; version <= 20; version++) {
      hash = okValue(await inside.append(path, hash, `version ${version}\n`)).hash;
    }
    return hash;
  });
  if (current instanceof Error) throw current;
  return current;
}

async function coolDown(root: TestRoot): Promise<void> {
  clock.advance(blobSettleMs);
  await root.ring();
  clock.advance(8 * dayMs);
  await root.ring();
}
