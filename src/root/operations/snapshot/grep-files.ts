import { compareUtf8 } from "../../../domain/byte-order";
import { compileQuery, type Query } from "../../../domain/grep/compile-query";
import { planSearch, searchTexts } from "../../../domain/grep/search";
import { selectCandidates } from "../../../domain/grep/select-candidates";
import type { RootPath } from "../../../domain/path";
import { err, ok } from "../../../domain/result";
import type { GrepFound, Outcome, Viewed, ViewRequest } from "../../contract";
import type { RootState } from "../../root-state";
import type { TreeView, ViewFile } from "../../view/tree-view";
import { ignoredByGit } from "./ignored-files";
import { beyondScope } from "./scope-check";
import { withView } from "./with-view";

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
  return withView(root, view, async (tree) => {
    const files = filesOf(tree, view, grep.paths);
    if (!files.ok) return files;
    const paths = files.value.map((file) => file.path);
    const ignored = grep.honoursGitignore ? await ignoredByGit(root, tree, view.scopes, paths) : ok(null);
    if (!ignored.ok) return ignored;
    const isIgnored = ignored.value?.isIgnored ?? null;
    const plan = planSearch(selectCandidates(files.value, grep.paths, isIgnored), grep.maxFiles);
    const tooMuch = ignored.value?.tooMuchWork() ?? null;
    if (tooMuch !== null) return err(tooMuch);
    const texts = root.blobs.readTexts(plan.files, root.now());
    const { found, searched, truncated } = await searchTexts(plan, texts, matcher.value, grep.maxMatches);
    return ok({ value: { found, filesSearched: searched.length, truncated }, touched: searched });
  });
}

/** At or below the paths, each once, in path order. Unknown paths add none. */
function filesOf(tree: TreeView, view: ViewRequest, paths: readonly RootPath[]): Outcome<Candidate[]> {
  const found = new Map<RootPath, Candidate>();
  for (const path of paths) {
    const files = tree.filesBelow(path);
    const forbidden = beyondScope(view.scopes, "read", path, files);
    if (forbidden !== null) return err(forbidden);
    for (const file of files) found.set(file.path, { ...file, sizeBytes: file.size, isText: file.lines !== null });
  }
  const files = [...found.values()];
  return ok(paths.length === 1 ? files : files.sort((left, right) => compareUtf8(left.path, right.path)));
}

interface Candidate extends ViewFile {
  readonly sizeBytes: number;
  readonly isText: boolean;
}
