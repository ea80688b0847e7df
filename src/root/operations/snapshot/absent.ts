import type { RootPath } from "../../../domain/path";
import { notCaptured, nothingAt, type SnapshotError } from "../../../domain/snapshot-errors";
import type { ViewRequest } from "../../contract";
import type { RootState } from "../../root-state";

/** Nothing is at the path, in the words of the state that was looked at. */
export function absent(root: RootState, { snapshotId }: ViewRequest, path: RootPath): SnapshotError {
  return snapshotId === null ? nothingAt(path, root.tree.nearestDirectory(path)) : notCaptured(path, snapshotId);
}
