import type { RootPath } from "../../../domain/path";
import { err, ok } from "../../../domain/result";
import type { Outcome, Viewed, ViewRequest } from "../../contract";
import type { RootState } from "../../root-state";
import type { EntryPage, TreeView } from "../../view/tree-view";

import { beyondScope } from "./scope-check";
import { withView } from "./with-view";

export interface ListRequest {
  readonly path: RootPath;
  readonly depth: number;
  readonly honoursGitignore: boolean;
  readonly limit: number;
  readonly offset: number;
}

/** snapshot.md §7.2. An unknown path is an empty list, in both modes. */
export function listEntries(
  root: RootState,
  view: ViewRequest,
  list: ListRequest,
): Promise<Outcome<Viewed<EntryPage>>> {
  return withView(root, view, async (tree) => {
    const page = pageOf(tree, list);
    const forbidden = beyondScope(view.scopes, "read", list.path, page.entries);
    if (forbidden !== null) return err(forbidden);
    const touched = page.entries.filter((entry) => entry.type === "file").map((entry) => entry.path);
    return ok({ value: page, touched });
  });
}

function pageOf(tree: TreeView, { path, depth, limit, offset }: ListRequest): EntryPage {
  const file = tree.fileAt(path);
  if (file === null) return tree.entriesBelow(path, depth, limit, offset);
  const entries = [{ path, type: "file" as const, size: file.size, gitOid: file.gitOid }];
  return { entries: entries.slice(offset, offset + limit), total: 1 };
}
