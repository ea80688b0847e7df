import { compareUtf8 } from "../../../domain/byte-order";
import type { SnapshotId } from "../../../domain/manifest";
import type { RootPath } from "../../../domain/path";
import { ok } from "../../../domain/result";
import type { Outcome } from "../../contract";
import type { RootState } from "../../root-state";
import { SnapshotView } from "../../view/snapshot-view";
import type { TreeView, ViewFile } from "../../view/tree-view";

/** A file that is not the same on both sides. */
export interface FileChange {
  readonly path: RootPath;
  readonly before: ViewFile | null;
  readonly after: ViewFile | null;
}

/** The state to compare with: a snapshot, or nothing at all. */
export async function baseView(root: RootState, id: SnapshotId | null): Promise<Outcome<TreeView>> {
  if (id === null) return ok(new SnapshotView([], root.blobs));
  const snapshot = await root.snapshots.load(id);
  return snapshot.ok ? ok(new SnapshotView(snapshot.value.entries, root.blobs)) : snapshot;
}

/** In path order. A path that one side did not capture counts as absent there. */
export function changesBetween(before: readonly ViewFile[], after: readonly ViewFile[]): FileChange[] {
  const changes: FileChange[] = [];
  let left = 0;
  let right = 0;
  while (left < before.length || right < after.length) {
    const old = before[left];
    const now = after[right];
    const order = old === undefined ? 1 : now === undefined ? -1 : compareUtf8(old.path, now.path);
    if (order <= 0) left++;
    if (order >= 0) right++;
    if (order === 0 && old?.blob === now?.blob) continue;
    const path = (order <= 0 ? old?.path : now?.path) as RootPath;
    changes.push({ path, before: order <= 0 ? (old ?? null) : null, after: order >= 0 ? (now ?? null) : null });
  }
  return changes;
}
