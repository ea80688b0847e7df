/**
 * The line model (text.md §7.2 – §7.4). A line is what ends with `\n`, and a last piece without one; nothing else splits.
 * `lineNumber` is 1-based, `lineIndex` 0-based.
 */

export interface Lines {
  readonly text: string;
  readonly count: number;
  /** Where each line begins; one more entry for the end of the text. Offsets and not strings: a text may have millions of lines. */
  readonly starts: Uint32Array;
}

/** `[start, end)` as the caller gave it: 1-based, negative from the end, 0 open. */
export type LineRange = readonly [start: number, end: number];

/** A range within a text: 1-based numbers, end exclusive, `start < end` unless nothing is selected. */
export interface ResolvedRange {
  readonly start: number;
  readonly end: number;
}

export function countLines(text: string): number {
  let count = 0;
  let at = 0;
  while (at < text.length) {
    count++;
    const newline = text.indexOf("\n", at);
    if (newline === -1) break;
    at = newline + 1;
  }
  return count;
}

export function splitLines(text: string): Lines {
  let starts = new Uint32Array(startsAtFirst);
  let count = 0;
  for (let at = 0; at < text.length; ) {
    if (count + 1 === starts.length) starts = longer(starts);
    starts[count++] = at;
    const newline = text.indexOf("\n", at);
    at = newline === -1 ? text.length : newline + 1;
  }
  starts[count] = text.length;
  return { text, count, starts: starts.subarray(0, count + 1) };
}

const startsAtFirst = 256;

function longer(starts: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const grown = new Uint32Array(2 * starts.length);
  grown.set(starts);
  return grown;
}

/** MCP-040 … MCP-042: slice semantics, clamped and never an error. */
export function resolveRange([start, end]: LineRange, lineCount: number): ResolvedRange {
  const from = start < 0 ? Math.max(1, lineCount + start + 1) : Math.max(1, start);
  if (end === 0) return { start: from, end: lineCount + 1 };
  return { start: from, end: end < 0 ? Math.max(1, lineCount + end + 1) : Math.min(end, lineCount + 1) };
}

/** The raw text of a range with its terminators, so that consecutive slices join to the whole. */
export function sliceLines(lines: Lines, { start, end }: ResolvedRange): string {
  if (start >= end || start > lines.count) return "";
  return lines.text.slice(lines.starts[start - 1], lines.starts[Math.min(end, lines.count + 1) - 1]);
}

/** Content of a line without its `\n`. */
export function lineAt(lines: Lines, lineNumber: number): string {
  return lines.text.slice(lines.starts[lineNumber - 1], contentEnd(lines, lineNumber - 1));
}

/** Is the line exactly `wanted`? Without making a string of it. */
export function lineEquals(lines: Lines, lineIndex: number, wanted: string): boolean {
  const start = lines.starts[lineIndex] as number;
  return contentEnd(lines, lineIndex) - start === wanted.length && lines.text.startsWith(wanted, start);
}

/** Does the text end within a line, without `\n`? */
export function endsUnterminated(text: string): boolean {
  return text !== "" && !text.endsWith("\n");
}

/** `new` and `content` as lines: one trailing `\n` is stripped; `""` is no line at all. */
export function givenLines(argument: string): string[] {
  return argument === "" ? [] : wantedLines(argument);
}

/** `old` and `anchor` as lines: as above, but `""` is one empty line. */
export function wantedLines(argument: string): string[] {
  return (argument.endsWith("\n") ? argument.slice(0, -1) : argument).split("\n");
}

/** The first whole lines within `maxBytes` of UTF-8, at least one: the number of the first line left out, or null if the text is whole. */
export function firstLineBeyond(lines: Lines, maxBytes: number): number | null {
  let bytes = 0;
  let lineIndex = 0;
  for (let at = 0; at < lines.text.length; at++) {
    const unit = lines.text.charCodeAt(at);
    bytes += unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 2 : 3;
    if (bytes > maxBytes) return lineIndex > 0 ? lineIndex + 1 : lines.count > 1 ? 2 : null;
    if (unit === 0x0a) lineIndex++;
  }
  return null;
}

function contentEnd(lines: Lines, lineIndex: number): number {
  const end = lines.starts[lineIndex + 1] as number;
  return lines.text.charCodeAt(end - 1) === 0x0a ? end - 1 : end;
}
