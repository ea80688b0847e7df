import type { SnapshotId } from "../../../domain/manifest";
import { err } from "../../../domain/result";
import { snapshotDamaged } from "../../../domain/snapshot-errors";
import type { Outcome } from "../../contract";
import { logFault } from "../../log-fault";
import type { RootState } from "../../root-state";
import { LostBlob } from "../../store/lost-blob";

/** Does work on these snapshots. If a content is lost that one of them names, that one is damaged (snapshot.md §6.4). */
export async function reportDamage<T>(
  root: RootState,
  ids: readonly (SnapshotId | null)[],
  work: () => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof LostBlob)) throw error;
    for (const id of ids) {
      const snapshot = id === null ? null : await root.snapshots.load(id);
      if (!snapshot?.ok || !snapshot.value.entries.some((entry) => entry.blob === error.hash)) continue;
      logFault(`read snapshot ${id}`, error);
      return err(snapshotDamaged(snapshot.value.snapshotId));
    }
    throw error;
  }
}
