import { compareUtf8 } from "../../../domain/byte-order";
import { compileQuery, type Query } from "../../../domain/grep/compile-query";
import { type FileMatches, searchTexts } from "../../../domain/grep/search";
import { isAtOrBelow, type RootPath } from "../../../domain/path";
import { err, ok } from "../../../domain/result";
import { isManagedByZipfs } from "../../../domain/zipfs-area";
import type { FoundInFile, GrepFound, Outcome, Viewed, ViewRequest } from "../../contract";
import type { RootState } from "../../root-state";
import type { TreeView, ViewFile } from "../../view/tree-view";
import { filesToRead, readAndFilter } from "./filtered-texts";
import { type IgnoredFiles, ignoredByGit } from "./ignored-files";
import { beyondScope } from "./scope-check";
import { type SearchedList, searchedList } from "./searched-list";
import { type Seen, withView } from "./with-view";

export interface GrepRequest extends Query {
  readonly paths: readonly RootPath[];
  readonly honoursGitignore: boolean;
  readonly maxFiles: number;
  readonly maxMatches: number;
}

/** snapshot.md §10. */
export async function grepFiles(
  root: RootState,
  view: ViewRequest,
  grep: GrepRequest,
): Promise<Outcome<Viewed<GrepFound>>> {
  const matcher = compileQuery(grep);
  if (!matcher.ok) {
    return err({ code: "INVALID_ARGUMENT", message: matcher.error.message, details: { argument: "query" } });
  }
  const search = async (tree: TreeView): Promise<Outcome<Seen<GrepFound>>> => {
    const files = filesOf(tree, view, grep.paths);
    if (!files.ok) return files;
    const list = searchedList(files.value);
    const ignored = grep.honoursGitignore ? await ignoredAmong(root, tree, view, grep.paths, list) : ok(null);
    if (!ignored.ok) return ignored;
    const isIgnored = ignored.value?.isIgnored ?? null;
    const plan = list.plan(grep.paths, isIgnored, grep.maxFiles);
    const tooMuch = ignored.value?.tooMuchWork() ?? null;
    if (tooMuch !== null) return err(tooMuch);
    const reads = filesToRead(root, plan.files, matcher.value);
    const texts = readAndFilter(root, reads);
    const { found, searched, truncated } = await searchTexts(plan, reads, texts, matcher.value, grep.maxMatches);
    return ok({ value: { found: found.map(packed), filesSearched: searched.length, truncated }, touched: searched });
  };
  // Agents search while they edit: what waits is searched where it is.
  return withView(root, view, search, root.edited);
}

/** At or below the paths, each once, in path order. Unknown paths add none. */
function filesOf(tree: TreeView, view: ViewRequest, paths: readonly RootPath[]): Outcome<readonly ViewFile[]> {
  const found = new Map<RootPath, ViewFile>();
  for (const path of paths) {
    const files = tree.filesBelow(path);
    const forbidden = beyondScope(view.scopes, "read", path, files);
    if (forbidden !== null) return err(forbidden);
    if (paths.length === 1) return ok(files);
    for (const file of files) found.set(file.path, file);
  }
  return ok([...found.values()].sort((left, right) => compareUtf8(left.path, right.path)));
}

function packed({ path, matches }: FileMatches): FoundInFile {
  return {
    path,
    lineNumbers: matches.map((match) => match.lineNumber),
    columns: matches.map((match) => match.column),
    texts: matches.map((match) => match.text),
    cut: matches.flatMap((match, index) => (match.cut ? [index] : [])),
  };
}

/** Rules at or below the paths are among the files, so only those above need a lookup. */
function ignoredAmong(
  root: RootState,
  tree: TreeView,
  view: ViewRequest,
  targets: readonly RootPath[],
  { rules, samples }: SearchedList,
): Promise<Outcome<IgnoredFiles | null>> {
  const isListed = (path: RootPath) =>
    targets.some((target) => isAtOrBelow(path, target) && isManagedByZipfs(path) === isManagedByZipfs(target));
  const fileAt = (path: RootPath) => (isListed(path) ? (rules.get(path) ?? null) : tree.fileAt(path));
  return ignoredByGit(root, { fileAt }, view.scopes, samples);
}
