import type { RootPath } from "./path";

/** As the snapshot family writes paths: without the leading slash, the root as `.` (snapshot.md §2.1). */
export function repoPathOf(path: RootPath): string {
  return path === "/" ? "." : path.slice(1);
}
