import type { SnapshotId } from "../../../domain/manifest";
import { ok } from "../../../domain/result";
import type { SnapshotRow } from "../../../storage/snapshot-database";
import type { Outcome } from "../../contract";
import type { RootState } from "../../root-state";

/** snapshot.md §7.7. */
export async function snapshotInfo(root: RootState, id: SnapshotId): Promise<Outcome<SnapshotRow>> {
  const snapshot = await root.snapshots.load(id);
  if (!snapshot.ok) return snapshot;
  const { entries: _, ...row } = snapshot.value;
  return ok(row);
}
