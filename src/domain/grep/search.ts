import { grepAnswerMaxUnits, grepTotalMaxBytes, grepWorkMax, textFileMaxBytes } from "../limits";
import type { RootPath } from "../path";
import type { LineMatcher } from "./compile-query";
import type { LineMatch } from "./line-cursor";
import { WorkMeter } from "./work-meter";

export interface SearchFile {
  readonly path: RootPath;
  readonly size: number;
}

/** Which candidates are searched. Sizes decide it alone, so their texts can be fetched ahead. */
export interface SearchPlan<File extends SearchFile> {
  readonly files: readonly File[];
  /** Theirs. */
  readonly paths: readonly RootPath[];
  /** No candidate was left out. */
  readonly complete: boolean;
}

export interface FileMatches {
  readonly path: RootPath;
  readonly matches: readonly LineMatch[];
}

export interface SearchOutcome {
  /** Files with matches, in the order of the plan. */
  readonly found: readonly FileMatches[];
  /** Files looked into: `files_searched`, and what the lease has touched (seed 002 §2.3). */
  readonly searched: readonly RootPath[];
  readonly truncated: boolean;
}

/**
 * Of candidates in path order, the first `maxFiles`, up to the first that would exceed the bytes of one search, without those that are
 * too large for a text (seed 002 §3.1, snapshot.md §10.1).
 */
export function planSearch<File extends SearchFile>(candidates: Iterable<File>, maxFiles: number): SearchPlan<File> {
  const files: File[] = [];
  let considered = 0;
  let bytes = 0;
  for (const file of candidates) {
    if (considered === maxFiles) return planOf(files, false);
    considered++;
    if (file.size > textFileMaxBytes) continue;
    bytes += file.size;
    if (bytes > grepTotalMaxBytes) return planOf(files, false);
    files.push(file);
  }
  return planOf(files, files.length === considered);
}

function planOf<File extends SearchFile>(files: readonly File[], complete: boolean): SearchPlan<File> {
  return { files, paths: files.map(({ path }) => path), complete };
}

/**
 * Searches the files of a plan in its order. `reads` are those whose texts are given, in the same order, some at a time; the others are
 * known to have no match. Asks for no more texts than it needs. The search goes on after `maxMatches` until it is known whether there is one more.
 */
export async function searchTexts<File extends SearchFile>(
  plan: SearchPlan<File>,
  reads: readonly File[],
  texts: Iterable<readonly string[]> | AsyncIterable<readonly string[]>,
  matcher: LineMatcher,
  maxMatches: number,
  work = new WorkMeter(grepWorkMax),
): Promise<SearchOutcome> {
  const found: FileMatches[] = [];
  let read = 0;
  let room = maxMatches;
  let unitsLeft = grepAnswerMaxUnits;
  for await (const some of texts) {
    for (const text of some) {
      const file = reads[read++];
      if (file === undefined) throw new Error("more texts than planned files");
      const { matches, more, units } = takeMatches(matcher.matches(text, work), room, unitsLeft, file.path.length);
      unitsLeft -= units;
      if (matches.length > 0) found.push({ path: file.path, matches });
      if (more || work.exhausted) return { found, searched: pathsThrough(plan, file), truncated: true };
      room -= matches.length;
    }
  }
  if (read < reads.length) throw new Error("fewer texts than planned files");
  return { found, searched: plan.paths, truncated: !plan.complete };
}

function pathsThrough<File extends SearchFile>({ files, paths }: SearchPlan<File>, last: File): readonly RootPath[] {
  return paths.slice(0, files.indexOf(last) + 1);
}

function takeMatches(
  from: Iterable<LineMatch>,
  room: number,
  unitsMax: number,
  pathUnits: number,
): { readonly matches: LineMatch[]; readonly more: boolean; readonly units: number } {
  const matches: LineMatch[] = [];
  let units = 0;
  for (const match of from) {
    units += match.text.length + (matches.length === 0 ? pathUnits : 0);
    if (matches.length === room || units > unitsMax) return { matches, more: true, units };
    matches.push(match);
  }
  return { matches, more: false, units };
}
