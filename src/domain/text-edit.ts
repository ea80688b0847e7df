import { findRun } from "./find-run";
import { foundAtMax } from "./limits";
import { anchorMismatch, emptyRange, lineOutOfRange, noMatch, severalMatches } from "./line-mismatch";
import {
  countLines,
  endsUnterminated,
  givenLines,
  type LineRange,
  type Lines,
  lineEquals,
  resolveRange,
  splitLines,
  wantedLines,
} from "./lines";
import type { RootPath } from "./path";
import { err, ok, type Result } from "./result";
import { applySplice, type Splice } from "./splice";
import type { TextError } from "./text-errors";

export interface Edited {
  readonly text: string;
  readonly totalLines: number;
  /** What led from the former text to this one. */
  readonly splice: Splice;
}

export interface Replacement {
  readonly lines: LineRange;
  readonly old: string;
  readonly new: string;
}

export interface Insertion {
  readonly line: number;
  /** One line, without `\n`. */
  readonly anchor: string;
  readonly content: string;
}

/** MCP-013, MCP-045: `old` must stand at exactly one place inside the range; only that match is replaced. */
export function replaceLines(path: RootPath, text: string, edit: Replacement): Result<Edited, TextError> {
  const lines = splitLines(text);
  const range = resolveRange(edit.lines, lines.count);
  if (range.start >= range.end) return err(emptyRange(path, lines, edit.lines));
  const run = wantedLines(edit.old);
  const search = findRun(lines, run, range.start - 1, range.end - 1, foundAtMax);
  if (search.foundCount > 1) return err(severalMatches(path, lines, range, search));
  const [lineNumber] = search.found;
  if (lineNumber === undefined) return err(noMatch(path, lines, range, run, search));
  return ok(replaceRun(lines, lineNumber - 1, run.length, edit.new));
}

function replaceRun(lines: Lines, lineIndex: number, runLength: number, replacement: string): Edited {
  const { text, starts, count } = lines;
  const after = lineIndex + runLength;
  const given = givenLines(replacement);
  // An unterminated last line stays so, unless the caller ends the new one.
  const keepsOpenEnd = after === count && endsUnterminated(text) && !replacement.endsWith("\n");
  const body = keepsOpenEnd ? replacement : terminated(given);
  const splice = { start: starts[lineIndex] as number, end: starts[after] as number, text: body };
  return edited(text, splice, count - runLength + given.length);
}

/** MCP-014, MCP-046: new lines before `line`, whose full content must be the anchor. */
export function insertLines(path: RootPath, text: string, edit: Insertion): Result<Edited, TextError> {
  const lines = splitLines(text);
  const lineNumber = edit.line < 0 ? lines.count + edit.line + 1 : edit.line;
  if (lineNumber < 1 || lineNumber > lines.count) return err(lineOutOfRange(path, lines, edit.line));
  if (!lineEquals(lines, lineNumber - 1, edit.anchor)) {
    const elsewhere = findRun(lines, [edit.anchor], 0, lines.count, foundAtMax);
    return err(anchorMismatch(path, lines, lineNumber, edit.anchor, elsewhere));
  }
  const given = givenLines(edit.content);
  const at = lines.starts[lineNumber - 1] as number;
  return ok(edited(text, { start: at, end: at, text: terminated(given) }, lines.count + given.length));
}

/** MCP-015: on a line of its own, verbatim. Nothing appended changes nothing, not even a missing final `\n`. */
export function appendText(text: string, content: string): Edited {
  const totalLines = countLines(text) + countLines(content);
  const given = content !== "" && endsUnterminated(text) ? `\n${content}` : content;
  return edited(text, { start: text.length, end: text.length, text: given }, totalLines);
}

function edited(former: string, splice: Splice, totalLines: number): Edited {
  return { text: applySplice(former, splice), totalLines, splice };
}

function terminated(lines: readonly string[]): string {
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}
