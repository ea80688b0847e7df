import { canonicalFingerprint, type Fingerprint } from "../../../domain/fingerprint";
import type { LeaseId } from "../../../domain/lease";
import { touchedMax } from "../../../domain/limits";
import type { RootPath } from "../../../domain/path";
import { err, ok, type Result } from "../../../domain/result";
import { leaseUnknown, overLimit, type SnapshotError, staleLease } from "../../../domain/snapshot-errors";
import type { Outcome, Viewed, ViewReceipt, ViewRequest } from "../../contract";
import type { RootState } from "../../root-state";
import type { TreeView } from "../../view/tree-view";
import { reportDamage } from "./report-damage";

/** What a read found, and which files it has seen by that. */
export interface Seen<T> {
  readonly value: T;
  readonly touched: readonly RootPath[];
}

/**
 * Runs a read on the live tree or on a snapshot. On the live tree `work` must take everything it needs from the view before its
 * first await: until then, what it takes is the state of the fingerprint that the answer carries (snapshot.md §12.2).
 */
export async function withView<T>(
  root: RootState,
  request: ViewRequest,
  work: (view: TreeView) => Promise<Outcome<Seen<T>>>,
  liveView: TreeView = root.live,
): Promise<Outcome<Viewed<T>>> {
  if (request.snapshotId !== null) return withSnapshot(root, request, work);
  const live = root.aside(() => liveState(root, request.leaseId));
  if (!live.ok) return live;
  const seen = await work(liveView);
  if (!seen.ok) return seen;
  const { value, touched } = seen.value;
  const lease = root.aside(() => noteTouched(root, request.leaseId, live.value, touched));
  if (!lease.ok) return lease;
  const receipt: ViewReceipt = { mode: "worktree", leaseId: lease.value, fingerprint: live.value };
  return ok({ receipt, value });
}

async function withSnapshot<T>(
  root: RootState,
  request: ViewRequest,
  work: (view: TreeView) => Promise<Outcome<Seen<T>>>,
): Promise<Outcome<Viewed<T>>> {
  const { snapshotId } = request;
  if (snapshotId === null) throw new Error("a snapshot is needed");
  const snapshot = await root.snapshots.load(snapshotId);
  if (!snapshot.ok) return snapshot;
  const view = root.snapshots.viewOf(snapshot.value);
  const seen = await reportDamage(root, [snapshotId], () => work(view));
  return seen.ok ? ok({ receipt: { mode: "snapshot", snapshotId }, value: seen.value.value }) : seen;
}

/** Inside a transaction: the live fingerprint, if the lease that the caller holds is still true of it (seed 002 §2.3). */
export function liveState(root: RootState, leaseId: LeaseId | null): Outcome<Fingerprint> {
  const fingerprint = root.treeIds.fingerprint();
  if (leaseId === null) return ok(fingerprint);
  const lease = root.leases.find(leaseId, root.now());
  if (lease === null) return err(leaseUnknown(leaseId));
  if (lease.expired) return err(staleLease(leaseId, fingerprint, "expired"));
  if (lease.fingerprint !== canonicalFingerprint(fingerprint)) return err(staleLease(leaseId, fingerprint, "changed"));
  return ok(fingerprint);
}

/** Inside a transaction: the given lease has seen more, or a new one is issued. Refused if that is more than a lease can hold. */
export function noteTouched(
  root: RootState,
  leaseId: LeaseId | null,
  fingerprint: Fingerprint,
  touched: readonly RootPath[],
): Result<LeaseId, SnapshotError> {
  const noted =
    leaseId === null ? root.leases.issue(fingerprint, touched, null, root.now()) : root.leases.touch(leaseId, touched);
  return noted.ok ? ok(noted.value ?? (leaseId as LeaseId)) : err(touchedTooMany(noted.error));
}

export function touchedTooMany(paths: number): SnapshotError {
  return overLimit("TOUCHED_MAX", touchedMax, paths, "Look at fewer files under one lease: narrow the path.");
}
