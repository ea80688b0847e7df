import type { RootPath } from "../../../domain/path";
import { repoPathOf } from "../../../domain/repo-path";
import type { SnapshotError } from "../../../domain/snapshot-errors";
import { zipfsAreaMessage } from "../../../domain/zipfs-area";
import type { RootState } from "../../root-state";
import { managedPath as managedForText } from "../managed-path";

/** What `workspace.*` may not write (zipfs.md §1.3). `removes`: a single file would go, which backups may. */
export function managedPath(root: RootState, path: RootPath, removes = false): SnapshotError | null {
  if (managedForText(root, path, removes) === null) return null;
  return { code: "PERMISSION_DENIED", message: `${zipfsAreaMessage}.`, details: { path: repoPathOf(path) } };
}
