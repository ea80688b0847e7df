import { ancestorsOf, type RootPath, rootDirectory } from "../path";
import { isManagedByZipfs } from "../zipfs-area";
import type { SearchFile } from "./search";

export interface ViewFile extends SearchFile {
  /** Null: not text. */
  readonly lines: number | null;
}

/**
 * The files of a view that a grep may look into, in the order given: text files at or below `targets` that no rule ignores. A file that
 * is itself a target is not subject to the rules. `.zipfs` counts only where a target is at or below it (snapshot.md §2.4, §10.1).
 */
export function* selectCandidates<File extends ViewFile>(
  files: Iterable<File>,
  targets: readonly RootPath[],
  isIgnored: ((file: RootPath) => boolean) | null,
): Generator<File, void> {
  const wanted = new Set(targets);
  for (const file of files) {
    if (file.lines === null) continue;
    if (wanted.has(file.path)) yield file;
    else if (isBelowAny(file.path, wanted) && isIgnored?.(file.path) !== true) yield file;
  }
}

function isBelowAny(file: RootPath, wanted: ReadonlySet<RootPath>): boolean {
  if (!isManagedByZipfs(file)) return wanted.has(rootDirectory) || ancestorsOf(file).some((above) => wanted.has(above));
  return ancestorsOf(file).some((above) => wanted.has(above) && isManagedByZipfs(above));
}
