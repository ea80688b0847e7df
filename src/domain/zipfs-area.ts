import { isAtOrBelow, type RootPath } from "./path";
import { backupsDirectory, workspaceHolding } from "./zip/workspace-path";

const area = "/.zipfs" as RootPath;

/** Workspaces of zip sessions and their backups live here. Walks from above leave it out. */
export function isManagedByZipfs(path: RootPath): boolean {
  return isAtOrBelow(path, area);
}

/**
 * May another family than zipfs not write here (zipfs.md §1.3)? Only below the contents of a live workspace it may, and it may remove single
 * backups. `isLive` tells whether a workspace of that directory name is open.
 */
export function isProtected(path: RootPath, isLive: (directory: string) => boolean, removesFile = false): boolean {
  if (!isManagedByZipfs(path)) return false;
  const directory = workspaceHolding(path);
  if (directory !== null && isLive(directory)) return false;
  return !(removesFile && path !== backupsDirectory && isAtOrBelow(path, backupsDirectory));
}

export const zipfsAreaMessage = "/.zipfs is managed by zipfs; use zipfs_open and zipfs_close";
