import { createIgnoreFilter } from "../../../domain/grep/ignore-filter";
import { ancestorsOf, type RootPath } from "../../../domain/path";
import { covers, type Scope } from "../../../domain/scopes";
import type { RootState } from "../../root-state";
import type { TreeView, ViewFile } from "../../view/tree-view";
import { readTextBlob } from "../stale-hash";

/**
 * What the `.gitignore` files of the same view exclude (snapshot.md §10.3). They are looked up before the first await.
 * Rules that the token may not read are not honoured: otherwise they would show through.
 */
export async function ignoredByGit(
  root: RootState,
  tree: TreeView,
  scopes: readonly Scope[],
  paths: Iterable<RootPath>,
): Promise<(path: RootPath, isDirectory?: boolean) => boolean> {
  const files = ruleFiles(tree, scopes, paths);
  const texts = new Map<RootPath, string>();
  for (const [directory, file] of files) texts.set(directory, await readTextBlob(root, file.blob));
  return createIgnoreFilter((directory) => texts.get(directory) ?? null);
}

function ruleFiles(tree: TreeView, scopes: readonly Scope[], paths: Iterable<RootPath>): Map<RootPath, ViewFile> {
  const found = new Map<RootPath, ViewFile>();
  const asked = new Set<RootPath>();
  for (const path of paths) {
    for (const directory of ancestorsOf(path)) {
      if (asked.has(directory)) continue;
      asked.add(directory);
      const at = `${directory === "/" ? "" : directory}/.gitignore` as RootPath;
      const file = covers(scopes, { verb: "read", path: at }) ? tree.fileAt(at) : null;
      if (file !== null && file.lines !== null) found.set(directory, file);
    }
  }
  return found;
}
