import { cutPaths } from "../cut-paths";

interface PathChanges {
  readonly modified: readonly string[];
  readonly added: readonly string[];
  readonly deleted: readonly string[];
}

/** The lists as far as an answer takes them that has so many lists in all (contract, RESPONSE_MAX). */
export function cutChanges(
  { modified, added, deleted }: PathChanges,
  listCount: number,
): PathChanges & { readonly isCut: boolean } {
  const [shownModified, shownAdded, shownDeleted] = [modified, added, deleted].map((paths) =>
    cutPaths(paths, listCount),
  ) as [readonly string[], readonly string[], readonly string[]];
  const shown = shownModified.length + shownAdded.length + shownDeleted.length;
  return {
    modified: shownModified,
    added: shownAdded,
    deleted: shownDeleted,
    isCut: shown < modified.length + added.length + deleted.length,
  };
}
