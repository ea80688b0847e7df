import { compareUtf8 } from "../byte-order";

export interface WorkspaceChanges {
  /** Paths of files in the order of their UTF-8 bytes. */
  readonly modified: readonly string[];
  readonly added: readonly string[];
  readonly deleted: readonly string[];
  readonly unchangedCount: number;
}

/** By content alone: an edit that was undone is none (zipfs.md §5). Both map paths to hashes. */
export function compareBaseline(
  baseline: ReadonlyMap<string, string>,
  current: ReadonlyMap<string, string>,
): WorkspaceChanges {
  const modified: string[] = [];
  const added: string[] = [];
  for (const [path, hash] of current) {
    const former = baseline.get(path);
    if (former === undefined) added.push(path);
    else if (former !== hash) modified.push(path);
  }
  const deleted = [...baseline.keys()].filter((path) => !current.has(path));
  return {
    modified: modified.sort(compareUtf8),
    added: added.sort(compareUtf8),
    deleted: deleted.sort(compareUtf8),
    unchangedCount: current.size - modified.length - added.length,
  };
}

export function hasChanges({ modified, added, deleted }: WorkspaceChanges): boolean {
  return modified.length + added.length + deleted.length > 0;
}

export function sameSet(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  return left.size === right.size && [...left].every((item) => right.has(item));
}
