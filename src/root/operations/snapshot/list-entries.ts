import type { RootPath } from "../../../domain/path";
import { err, ok } from "../../../domain/result";
import type { Scope } from "../../../domain/scopes";
import type { Outcome, Viewed, ViewRequest } from "../../contract";
import type { RootState } from "../../root-state";
import type { EntryPage, TreeView, ViewEntry } from "../../view/tree-view";
import { ignoredByGit } from "./ignored-files";
import { beyondScope } from "./scope-check";
import { type Seen, withView } from "./with-view";

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
  const look = async (tree: TreeView): Promise<Outcome<Seen<EntryPage>>> => {
    // All of them, not only this page: their number goes into the answer.
    const forbidden = beyondScope(view.scopes, "read", list.path, allBelow(tree, list));
    if (forbidden !== null) return err(forbidden);
    const page = list.honoursGitignore
      ? await pageWithoutIgnored(root, tree, view.scopes, list)
      : ok(pageOf(tree, list));
    if (!page.ok) return page;
    const { entries } = page.value;
    const touched = entries.filter((entry) => entry.type === "file").map((entry) => entry.path);
    return ok({ value: page.value, touched });
  };
  return withView(root, view, look, root.edited);
}

/** Looked up only when somebody goes through them: a token that covers the whole path needs no look at each. */
function* allBelow(tree: TreeView, { path, depth }: ListRequest): Generator<ViewEntry, void> {
  yield* tree.entriesBelow(path, depth, Number.MAX_SAFE_INTEGER, 0).entries;
}

function pageOf(tree: TreeView, { path, depth, limit, offset }: ListRequest): EntryPage {
  const file = tree.fileAt(path);
  if (file === null) return tree.entriesBelow(path, depth, limit, offset);
  const entries = [{ path, type: "file" as const, size: file.size, gitOid: file.gitOid }];
  return { entries: entries.slice(offset, offset + limit), total: 1 };
}

/** Rules may lie anywhere above an entry, so all of them are looked at before the page is cut. */
async function pageWithoutIgnored(
  root: RootState,
  tree: TreeView,
  scopes: readonly Scope[],
  list: ListRequest,
): Promise<Outcome<EntryPage>> {
  if (tree.fileAt(list.path) !== null) return ok(pageOf(tree, list));
  const all = tree.entriesBelow(list.path, list.depth, Number.MAX_SAFE_INTEGER, 0).entries;
  const paths = all.map((entry) => entry.path);
  const ignored = await ignoredByGit(root, tree, scopes, paths);
  if (!ignored.ok) return ignored;
  const isIgnored = ignored.value?.isIgnored ?? (() => false);
  const left = all.filter((entry) => !isIgnored(entry.path, entry.type === "dir"));
  const tooMuch = ignored.value?.tooMuchWork() ?? null;
  if (tooMuch !== null) return err(tooMuch);
  return ok({ entries: left.slice(list.offset, list.offset + list.limit), total: left.length });
}
