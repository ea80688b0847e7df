import type { RootPath } from "../../../domain/path";
import { repoPathOf } from "../../../domain/repo-path";
import type { SnapshotError } from "../../../domain/snapshot-errors";
import { isManagedByZipfs, zipfsAreaMessage } from "../../../domain/zipfs-area";

/** What `workspace.*` may not write (zipfs.md §1.3). */
export function managedPath(path: RootPath): SnapshotError | null {
  if (!isManagedByZipfs(path)) return null;
  return { code: "PERMISSION_DENIED", message: `${zipfsAreaMessage}.`, details: { path: repoPathOf(path) } };
}
