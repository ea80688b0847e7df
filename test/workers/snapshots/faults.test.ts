/**
 * Every storage call of the snapshot family that changes something, in SQLite, R2 and D1, fails once, before and after it takes effect:
 * afterwards the files, leases and snapshots are as before the operation or as after it, never in between, `check` finds nothing, and a
 * second try succeeds. The same for the text family: ../faults.
 */
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { LeaseId } from "../../../src/domain/lease";
import { blobSettleMs } from "../../../src/domain/limits";
import type { SnapshotId } from "../../../src/domain/manifest";
import type { SnapshotFailure } from "../../../src/domain/snapshot-errors";
import { counts } from "../../counts";
import { clock, dayMs } from "../clock";
import { callsOf, chosenFaults, withFault } from "../faults/failing";
import type { StorageCall } from "../interference";
import { freshFaultyRoot, okValue, type TestRoot } from "../root";
import { stateOf } from "../state";
import { SnapshotTestRoot, value } from "./snapshot-root";

/** What the caller holds when the operation begins. */
interface Held {
  readonly leaseId: LeaseId;
  readonly snapshotId: SnapshotId;
}

type Answer = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: SnapshotFailure };

interface Scenario {
  readonly title: string;
  /** What happens before the caller looks at the files, and after. */
  beforeLook?(root: SnapshotTestRoot): Promise<void>;
  afterLook?(root: SnapshotTestRoot, held: Held): Promise<void>;
  operation(root: SnapshotTestRoot, held: Held): Promise<Answer>;
  /** The call with which it takes effect. */
  readonly commit: "transaction" | "D1 batch";
  /** What a second try answers when the first had taken effect. */
  readonly retried: object;
}

const large = "a line of a large file\n".repeat(46_000);
const modified = "--- a/d/a\n+++ b/d/a\n@@ -1 +1 @@\n-/d/a\n+new\n";
const manyKinds = `${modified}--- /dev/null\n+++ b/n/e/w\n@@ -0,0 +1 @@\n+new\n--- a/b\n+++ /dev/null\n@@ -1 +0,0 @@\n-/b\ndiff --git a/d/c b/moved\nrename from d/c\nrename to moved\n`;
const madeLarge = `--- /dev/null\n+++ b/large\n@@ -0,0 +1,46000 @@\n${large.replaceAll(/^(?=.)/gm, "+")}`;
const stale = { ok: false, error: { code: "STALE_LEASE" } };
const done = { ok: true };

const scenarios: readonly Scenario[] = [
  {
    title: "the issue of a lease by a list",
    operation: (root) => root.list(),
    commit: "transaction",
    retried: done,
  },
  {
    title: "the issue of a lease by a read of a file whose bytes have left SQLite",
    beforeLook: coolDown,
    operation: (root) => root.read("/d/a"),
    commit: "transaction",
    retried: done,
  },
  {
    title: "a read under a lease that has heirs",
    async afterLook(root, { leaseId }) {
      const heir = value(await root.write("/b", "other\n", leaseId)).receipt.leaseId;
      value(await root.write("/b", "/b\n", heir));
    },
    operation: (root, { leaseId }) => root.read("/d/a", root.view(leaseId)),
    commit: "transaction",
    retried: done,
  },
  {
    title: "snapshot.create of everything",
    operation: (root) => root.capture(["/"]),
    commit: "D1 batch",
    retried: done,
  },
  {
    title: "snapshot.create of what a lease has touched",
    operation: (root, { leaseId }) => root.capture(null, leaseId),
    commit: "D1 batch",
    retried: done,
  },
  {
    title: "workspace.apply_patch on live files under a lease",
    operation: (root, { leaseId }) => root.patch(manyKinds, root.view(leaseId)),
    commit: "transaction",
    retried: stale,
  },
  {
    title: "workspace.apply_patch that makes a file over 1 MiB, without a lease",
    operation: (root) => root.patch(madeLarge),
    commit: "transaction",
    retried: { ok: true, value: { value: { applied: [], rejects: [{ hunks: [{ reason: "already_exists" }] }] } } },
  },
  {
    title: "workspace.apply_patch on a snapshot",
    operation: (root, { snapshotId }) => root.patch(manyKinds, root.view(null, snapshotId)),
    commit: "D1 batch",
    retried: done,
  },
  {
    title: "workspace.apply_patch that makes a file over 1 MiB in a snapshot",
    operation: (root, { snapshotId }) => root.patch(madeLarge, root.view(null, snapshotId)),
    commit: "D1 batch",
    retried: done,
  },
  {
    title: "workspace.write_file of a new file in new directories",
    operation: (root, { leaseId }) => root.write("/n/e/w", "new\n", leaseId),
    commit: "transaction",
    retried: stale,
  },
  {
    title: "workspace.write_file of more than 1 MiB over a file",
    operation: (root, { leaseId }) => root.write("/d/a", large, leaseId),
    commit: "transaction",
    retried: stale,
  },
  {
    title: "workspace.delete of a directory",
    operation: (root, { leaseId }) => root.delete("/d", leaseId),
    commit: "transaction",
    retried: stale,
  },
  {
    title: "workspace.restore that brings back, overwrites and removes",
    operation: (root, { leaseId, snapshotId }) => root.restore(snapshotId, leaseId, true),
    commit: "transaction",
    retried: stale,
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
    it(`${scenario.title} leaves no partial state, and a retry succeeds`, { timeout: 600_000 }, async () => {
      const { root, held } = await prepared(scenario);
      const names = await callsOf(root, (inside) => attempt(scenario, inside, held));
      const after = await wholeState(root);
      const commit = names.lastIndexOf(scenario.commit);
      expect(commit).toBeGreaterThan(-1);
      for (const fault of chosenFaults(names)) await survives(scenario, fault, commit, after);
    });
  }
});

async function survives(scenario: Scenario, fault: StorageCall, commit: number, after: WholeState): Promise<void> {
  const told = `${fault.moment} call ${fault.index}, ${fault.name}`;
  const { root, held } = await prepared(scenario);
  const before = await wholeState(root);
  // Contents may have come for a snapshot that then was not made.
  const compared = (state: WholeState) => (scenario.commit === "transaction" ? state : { ...state, blobs: [] });
  const outcome = await withFault(root, fault, (inside) => attempt(scenario, inside, held));
  await root.evict();

  // Who is told of a failure is told that nothing was changed; only the commit itself can fail with its effect made.
  const tookEffect = !(outcome instanceof Error) || (fault.index === commit && fault.moment === "after");
  expect(compared(await wholeState(root)), told).toEqual(compared(tookEffect ? after : before));
  await root.expectSound();

  expect(await attempt(scenario, root, held), told).toMatchObject(tookEffect ? scenario.retried : done);
  // A retry may have looked once more.
  const again = await wholeState(root);
  expect({ ...again, leases: [] }, told).toEqual({ ...after, leases: [] });
  expect(again.leases, told).toEqual(expect.arrayContaining(after.leases));
  if (counts.deep) await root.expectSound();
}

function attempt(scenario: Scenario, root: TestRoot, held: Held): Promise<Answer> {
  return scenario.operation(new SnapshotTestRoot(root), held);
}

/** The same for every root, with the same times, newly awake. The snapshot differs from the files in one of each kind. */
async function prepared(scenario: Scenario): Promise<{ readonly root: TestRoot; readonly held: Held }> {
  clock.reset();
  const root = freshFaultyRoot();
  const subject = new SnapshotTestRoot(root);
  for (const path of ["/d/a", "/d/c", "/b", "/changed", "/gone"]) okValue(await root.create(path, `${path}\n`));
  const { snapshotId } = value(await subject.capture(["/"]));
  let leaseId = value(await subject.write("/x/extra", "extra\n", await subject.lease())).receipt.leaseId;
  leaseId = value(await subject.write("/changed", "since\n", leaseId)).receipt.leaseId;
  value(await subject.delete("/gone", leaseId));
  await scenario.beforeLook?.(subject);
  const { receipt } = value(await subject.read("/b"));
  if (receipt.mode !== "worktree") throw new Error("no lease");
  const held = { leaseId: receipt.leaseId, snapshotId };
  await scenario.afterLook?.(subject, held);
  await root.evict();
  await root.usage();
  return { root, held };
}

type WholeState = Awaited<ReturnType<typeof wholeState>>;

/** The tree with its history and contents, every lease by what it says, all that D1 has of the user. */
async function wholeState(root: TestRoot) {
  const leases = await root.sql<{ said: string }>(
    `SELECT DISTINCT fingerprint || ' ' || (
        WITH RECURSIVE chain (id, base) AS (
          SELECT id, base FROM touched_sets WHERE id = leases.touched_set
          UNION ALL SELECT sets.id, sets.base FROM touched_sets sets JOIN chain ON sets.id = chain.base)
        SELECT coalesce(group_concat(path, ' '), '') FROM (
          SELECT DISTINCT path FROM touched WHERE set_id IN (SELECT id FROM chain) ORDER BY path)) AS said
       FROM leases ORDER BY said`,
  );
  const rows = async (query: string) => (await env.MANIFESTS.prepare(query).bind(root.id).all()).results;
  return {
    ...(await stateOf(root)),
    leases: leases.map((row) => row.said),
    snapshots: await rows(
      `SELECT snapshot_id, fingerprint, manifest_hash, files, total_bytes, derived_from, applied_patch_hash
         FROM snapshots WHERE user_id = ? ORDER BY snapshot_id`,
    ),
    manifests: await rows("SELECT manifest_hash, seq FROM manifests WHERE user_id = ? ORDER BY manifest_hash, seq"),
  };
}

async function coolDown({ root }: SnapshotTestRoot): Promise<void> {
  clock.advance(blobSettleMs);
  await root.ring();
  clock.advance(8 * dayMs);
  await root.ring();
}
