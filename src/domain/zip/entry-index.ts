import type { SkipReason } from "./entry-name";
import type { EntryKind } from "./plan-entries";
import type { CentralRecord } from "./records";

/** One entry of the archive that a session stands on (zipfs.md §3.8). Its local extra field is read from the archive when it is copied. */
export interface IndexedEntry {
  readonly kind: EntryKind;
  /** Normalized; `""` for the root of the workspace. */
  readonly path: string;
  readonly reason: SkipReason | null;
  /** Of a file. */
  readonly hash: string | null;
  /** Of a skipped entry: the nearest directory above it that the workspace had, `""` for its root. */
  readonly anchor: string | null;
  readonly record: CentralRecord;
  /** Where the local extra field begins, absolute. The data follows it. */
  readonly extraOffset: number;
  readonly extraLength: number;
  /** What is left of the local extra field in an entry that is copied, and in one with new data. */
  readonly keptWhenCopied: number;
  readonly keptWhenReplaced: number;
}

export interface ArchiveIndex {
  readonly entries: readonly IndexedEntry[];
  /** What stands before the first record. */
  readonly prefixLength: number;
  /** What is added to stated offsets. */
  readonly base: number;
  readonly comment: Uint8Array;
}

/** Directories that the archive has, said or implied. */
export function indexedDirectories(entries: Iterable<Pick<IndexedEntry, "kind" | "path">>): Set<string> {
  const directories = new Set<string>();
  for (const { kind, path } of entries) {
    if (kind !== "file" && kind !== "directory") continue;
    for (const parent of parentsOf(path)) directories.add(parent);
    if (kind === "directory" && path !== "") directories.add(path);
  }
  return directories;
}

/** The deepest of the directories above `path`. */
export function nearestDirectory(path: string, directories: { has(path: string): boolean }): string {
  return parentsOf(path).findLast((parent) => directories.has(parent)) ?? "";
}

/** `a`, `a/b` for `a/b/c`. */
export function parentsOf(path: string): string[] {
  const parents: string[] = [];
  for (let slash = path.indexOf("/"); slash !== -1; slash = path.indexOf("/", slash + 1)) {
    parents.push(path.slice(0, slash));
  }
  return parents;
}
