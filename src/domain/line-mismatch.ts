import { findRun, type RunSearch } from "./find-run";
import { hiddenDifference } from "./hidden-difference";
import { linearIndexOf } from "./linear-search";
import { type LineRange, type Lines, lineAt, type ResolvedRange } from "./lines";
import type { RootPath } from "./path";
import { quote } from "./quote";
import type { ErrorDetail, TextError } from "./text-errors";

/** LINE_MISMATCH in words (text.md §7.7). The hash was right, so the caller may see lines; a message quotes three at most. */

function mismatch(
  message: string,
  path: RootPath,
  lines: Lines,
  more: Readonly<Record<string, ErrorDetail>> = {},
): TextError {
  return { code: "LINE_MISMATCH", message, details: { path, total_lines: lines.count, ...more } };
}

export function lineOutOfRange(path: RootPath, lines: Lines, line: number): TextError {
  const n = lines.count;
  const message =
    n === 0
      ? `${path} is empty. Use text.append.`
      : `Line ${line} does not exist: ${path} has ${n} lines. Use a line from 1 to ${n} (or -1 to -${n}), or text.append to add at the end.`;
  return mismatch(message, path, lines, { line, found_at: [] });
}

export function anchorMismatch(
  path: RootPath,
  lines: Lines,
  line: number,
  anchor: string,
  elsewhere: RunSearch,
): TextError {
  const plural = elsewhere.foundCount > 1 ? "lines" : "line";
  const place = elsewhere.foundCount > 0 ? ` That text is on ${plural} ${listed(elsewhere)}.` : "";
  const message = `${contains(lines, line, anchor)}${place} Nothing was changed.`;
  return mismatch(message, path, lines, { line, found_at: elsewhere.found });
}

export function emptyRange(path: RootPath, lines: Lines, [start, end]: LineRange): TextError {
  const message = `lines [${start}, ${end}] selects no line of ${path}, which has ${lines.count} lines (end is exclusive, 0 means open-ended).`;
  return mismatch(message, path, lines);
}

export function severalMatches(path: RootPath, lines: Lines, range: ResolvedRange, search: RunSearch): TextError {
  const message = `"old" matches at lines ${listed(search)} within lines ${range.start} to ${range.end - 1}. Narrow "lines" to one of them, or include more neighbouring lines in "old".`;
  return mismatch(message, path, lines, { found_at: search.found });
}

export function noMatch(
  path: RootPath,
  lines: Lines,
  range: ResolvedRange,
  run: readonly string[],
  search: RunSearch,
): TextError {
  if (run.length === 1 && range.end - range.start === 1) {
    return mismatch(contains(lines, range.start, run[0] as string), path, lines);
  }
  const message = `The ${run.length} line(s) of "old" do not stand together within lines ${range.start} to ${range.end - 1} of ${path}.`;
  return mismatch(message + closestReason(lines, range, run, search), path, lines);
}

function closestReason(
  lines: Lines,
  range: ResolvedRange,
  run: readonly string[],
  { longestPrefix }: RunSearch,
): string {
  // No match lies inside the range, so any match there is lies outside or runs past it.
  const [outside] = findRun(lines, run, 0, lines.count, 1).found;
  if (outside !== undefined) return ` They stand at line ${outside}, outside the range; widen "lines".`;
  if (longestPrefix)
    return differs(lines, longestPrefix.lineNumber + longestPrefix.length, run[longestPrefix.length] as string);

  const first = run[0] as string;
  const difference = hiddenDifference(first);
  const near = firstLine(lines, range, (line) => difference(line) !== "");
  const part = run.length === 1 && first !== "" ? partOf(lines, range, near, first) : null;
  if (part !== null) {
    const actual = lineAt(lines, part);
    return ` "old" must be whole lines; line ${part} only contains that text: ${quote(actual)}.${difference(actual)}`;
  }
  // Not even the first line stands anywhere, but one is the same to the eye.
  return near === null ? "" : differs(lines, near, first);
}

/** A line that has the text as a part; the one that looks the same before others. */
function partOf(lines: Lines, range: ResolvedRange, near: number | null, text: string): number | null {
  const isInNear = near !== null && firstContaining(lines, { start: near, end: near + 1 }, text) !== null;
  return isInNear ? near : firstContaining(lines, range, text);
}

function differs(lines: Lines, lineNumber: number, wanted: string): string {
  const actual = lineAt(lines, lineNumber);
  return ` Line ${lineNumber} differs: it contains ${quote(actual)}, not ${quote(wanted)}.${hiddenDifference(wanted)(actual)}`;
}

function contains(lines: Lines, lineNumber: number, wanted: string): string {
  const actual = lineAt(lines, lineNumber);
  return `Line ${lineNumber} contains ${quote(actual)}, not ${quote(wanted)}.${hiddenDifference(wanted)(actual)}`;
}

function firstContaining(lines: Lines, range: ResolvedRange, text: string): number | null {
  const [from, to] = [lines.starts[range.start - 1] as number, lines.starts[range.end - 1] as number];
  const at = linearIndexOf(lines.text, text, from, to);
  return at === -1 ? null : lineNumberAt(lines, at);
}

function lineNumberAt(lines: Lines, offset: number): number {
  let low = 0;
  let high = lines.count;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((lines.starts[middle] as number) <= offset) low = middle;
    else high = middle;
  }
  return low + 1;
}

/** Lines looked at for one that differs in blanks only; a hint must not cost more than the edit. */
const nearLinesMax = 100_000;

function firstLine(lines: Lines, range: ResolvedRange, holds: (line: string) => boolean): number | null {
  const end = Math.min(range.end, range.start + nearLinesMax);
  for (let lineNumber = range.start; lineNumber < end; lineNumber++) {
    if (holds(lineAt(lines, lineNumber))) return lineNumber;
  }
  return null;
}

function listed({ found, foundCount }: RunSearch): string {
  return found.join(", ") + (foundCount > found.length ? ", …" : "");
}
