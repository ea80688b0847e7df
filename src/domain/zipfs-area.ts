import { isAtOrBelow, type RootPath } from "./path";

const area = "/.zipfs" as RootPath;

/** Workspaces of zip sessions live here; no other family may write in it (zipfs.md §1.3). */
export function isManagedByZipfs(path: RootPath): boolean {
  return isAtOrBelow(path, area);
}

export const zipfsAreaMessage = "/.zipfs is managed by zipfs; use zipfs_open and zipfs_close";
