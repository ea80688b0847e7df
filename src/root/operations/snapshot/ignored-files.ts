import { createIgnoreFilter } from "../../../domain/grep/ignore-filter";
import { WorkMeter } from "../../../domain/grep/work-meter";
import { ignoreFileMaxBytes, ignoreTotalMaxBytes, ignoreWorkMax } from "../../../domain/limits";
import { ancestorsOf, parentOf, type RootPath, rootDirectory } from "../../../domain/path";
import { repoPathOf } from "../../../domain/repo-path";
import { err, ok } from "../../../domain/result";
import { covers, type Scope } from "../../../domain/scopes";
import type { SnapshotError } from "../../../domain/snapshot-errors";
import type { Outcome } from "../../contract";
import type { RootState } from "../../root-state";
import type { TreeView, ViewFile } from "../../view/tree-view";

export interface IgnoredFiles {
  isIgnored(path: RootPath, isDirectory?: boolean): boolean;
  /** To be asked in the end: what was told has no meaning when the rules took too much work. */
  tooMuchWork(): SnapshotError | null;
}

interface RuleFile {
  readonly directory: RootPath;
  readonly depth: number;
  readonly file: ViewFile;
}

/**
 * What the `.gitignore` files of the same view exclude (snapshot.md §10.3); null if there are none above the paths. They are looked up
 * before the first await. Rules that the token may not read are not honoured: otherwise they would show through.
 */
export async function ignoredByGit(
  root: RootState,
  tree: Pick<TreeView, "fileAt">,
  scopes: readonly Scope[],
  paths: Iterable<RootPath>,
): Promise<Outcome<IgnoredFiles | null>> {
  const found = ruleFiles(tree, scopes, paths);
  if (found.length === 0) return ok(null);
  const byDepth = Map.groupBy(found, ({ depth }) => depth);
  const work = new WorkMeter(ignoreWorkMax);
  const texts = new Map<RootPath, string>();
  const isIgnored = createIgnoreFilter((directory) => texts.get(directory) ?? null, work);
  let totalBytes = 0;
  // From above: below an excluded directory no rules are read, however many there are.
  for (const [, level] of [...byDepth].sort(([left], [right]) => left - right)) {
    const read = level.filter(({ directory }) => directory === rootDirectory || !isIgnored(directory, true));
    for (const { file } of read) {
      if (file.size > ignoreFileMaxBytes) return err(fileTooLarge(file));
      totalBytes += file.size;
    }
    if (totalBytes > ignoreTotalMaxBytes) return err(rulesTooLarge(totalBytes));
    let next = 0;
    for await (const some of root.blobs.readTexts(
      read.map(({ file }) => file),
      root.now(),
    )) {
      for (const text of some) texts.set((read[next++] as RuleFile).directory, text);
    }
  }
  return ok({ isIgnored, tooMuchWork: () => (work.exhausted ? rulesTooSlow : null) });
}

function ruleFiles(tree: Pick<TreeView, "fileAt">, scopes: readonly Scope[], paths: Iterable<RootPath>): RuleFile[] {
  const found: RuleFile[] = [];
  const asked = new Set<RootPath>();
  let parent: RootPath | null = null;
  for (const path of paths) {
    // Files of one directory mostly follow each other.
    if (parentOf(path) === parent) continue;
    parent = parentOf(path);
    for (const [depth, directory] of ancestorsOf(path).entries()) {
      if (asked.has(directory)) continue;
      asked.add(directory);
      const at = `${directory === rootDirectory ? "" : directory}/.gitignore` as RootPath;
      const file = covers(scopes, { verb: "read", path: at }) ? tree.fileAt(at) : null;
      if (file !== null && file.lines !== null) found.push({ directory, depth, file });
    }
  }
  return found;
}

const without = 'pass ignore_rules: "none" to go without ignore rules';

function fileTooLarge({ path, size }: ViewFile): SnapshotError {
  const shown = repoPathOf(path);
  return {
    code: "TOO_LARGE",
    message: `${shown} has ${size} bytes, and ignore rules are honoured up to ${ignoreFileMaxBytes}. Shorten it, or ${without}.`,
    details: { limit: "IGNORE_FILE_MAX", max: ignoreFileMaxBytes, actual: size, path: shown },
  };
}

function rulesTooLarge(bytes: number): SnapshotError {
  return {
    code: "TOO_LARGE",
    message: `The .gitignore files on the way have ${bytes} bytes or more together, and ${ignoreTotalMaxBytes} are honoured. Narrow the paths, or ${without}.`,
    details: { limit: "IGNORE_TOTAL_MAX", max: ignoreTotalMaxBytes, actual: bytes },
  };
}

const rulesTooSlow: SnapshotError = {
  code: "TOO_LARGE",
  message: `Comparing the files with the rules of their .gitignore files takes more than ${ignoreWorkMax} steps. Narrow the paths, or ${without}.`,
  details: { limit: "IGNORE_WORK_MAX", max: ignoreWorkMax, actual: ignoreWorkMax + 1 },
};
