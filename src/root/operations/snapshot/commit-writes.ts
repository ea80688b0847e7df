import type { Fingerprint } from "../../../domain/fingerprint";
import type { LeaseId } from "../../../domain/lease";
import type { RootPath } from "../../../domain/path";
import { err, ok } from "../../../domain/result";
import type { SnapshotFailure } from "../../../domain/snapshot-errors";
import type { LiveReceipt, Outcome, TreeChange } from "../../contract";
import type { RootState } from "../../root-state";
import { liveState, touchedTooMany } from "./with-view";

/** What a transaction of a mutator did. */
export interface Written<T> {
  readonly value: T;
  readonly change: TreeChange;
  readonly touched: readonly RootPath[];
}

/** Carries a refusal out of a transaction, so that everything in it is undone. */
class Undone extends Error {
  constructor(readonly failure: SnapshotFailure) {
    super(failure.code);
  }
}

/**
 * One transaction of a mutator: the lease is held against the live tree, `work` checks what it relies on and writes, and a new lease
 * for the new state inherits what the old one had seen (snapshot.md §5.5). Whatever is refused in between leaves nothing behind.
 */
export function commitWrites<T>(
  root: RootState,
  leaseId: LeaseId | null,
  work: (fingerprint: Fingerprint) => Outcome<Written<T>>,
): Outcome<{ readonly receipt: LiveReceipt; readonly value: T }> {
  try {
    const { written, receipt } = root.transaction(() => {
      const before = liveState(root, leaseId);
      if (!before.ok) throw new Undone(before.error);
      const done = work(before.value);
      if (!done.ok) throw new Undone(done.error);
      const fingerprint = root.treeIds.fingerprint();
      const issued = root.leases.issue(fingerprint, done.value.touched, leaseId, root.now());
      if (!issued.ok) throw new Undone(touchedTooMany(issued.error));
      return { written: done.value, receipt: { mode: "worktree" as const, leaseId: issued.value, fingerprint } };
    });
    if (written.change.directories.length > 0) root.changed(written.change);
    return ok({ receipt, value: written.value });
  } catch (error) {
    if (error instanceof Undone) return err(error.failure);
    throw error;
  }
}
