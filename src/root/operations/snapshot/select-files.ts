import { compareUtf8 } from "../../../domain/byte-order";
import type { RootPath } from "../../../domain/path";
import { err, ok } from "../../../domain/result";
import type { Outcome, ViewRequest } from "../../contract";
import type { RootState } from "../../root-state";
import type { TreeView, ViewFile } from "../../view/tree-view";
import { absent } from "./absent";
import { beyondScope } from "./scope-check";

/**
 * The files at or below the paths, each once, in path order. A path with nothing there is NOT_FOUND; a directory without files is fine.
 * Every one of them must be within the token's reach.
 */
export function selectFiles(
  root: RootState,
  view: ViewRequest,
  tree: TreeView,
  paths: readonly RootPath[],
): Outcome<ViewFile[]> {
  const selected = new Map<RootPath, ViewFile>();
  for (const path of paths) {
    const files = tree.filesBelow(path);
    if (files.length === 0 && !tree.isDirectory(path)) return err(absent(root, view, path));
    const forbidden = beyondScope(view.scopes, "read", path, files);
    if (forbidden !== null) return err(forbidden);
    for (const file of files) selected.set(file.path, file);
  }
  const files = [...selected.values()];
  return ok(paths.length === 1 ? files : files.sort((left, right) => compareUtf8(left.path, right.path)));
}
