import type { Hunk } from "./patch";

/** Where hunks stand in a file (snapshot.md §9.3): at the stated line, byte for byte, or not at all. One pass over the file. */

export interface Placed {
  readonly ok: true;
  /** Bytes of the file that the old side covers. */
  readonly from: number;
  readonly to: number;
}

export interface Misplaced {
  readonly ok: false;
  readonly reason: "context_mismatch" | "no_newline_mismatch";
  /** 0-based line of the file at which it first differs; null if no line of the old side does. */
  readonly lineIndex: number | null;
  /** That line in the patch and in the file, without terminators; null if there is none. */
  readonly expected: Span | null;
  readonly found: Span | null;
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

const lineFeed = 0x0a;
const addition = 0x2b;
const marker = 0x5c;

/** Judges every hunk, also after one that failed. */
export function matchHunks(file: Uint8Array, patch: Uint8Array, hunks: readonly Hunk[]): (Placed | Misplaced)[] {
  const verdicts: (Placed | Misplaced)[] = [];
  let at = 0;
  let lineIndex = 0;
  let endsUnterminated = file.length > 0 && file[file.length - 1] !== lineFeed;
  for (const hunk of hunks) {
    for (; lineIndex < hunk.lineIndex && at < file.length; lineIndex++) at = nextLine(file, at);
    const verdict =
      lineIndex < hunk.lineIndex ? beyondEnd(hunk, patch) : matchHunk(file, at, patch, hunk, endsUnterminated);
    verdicts.push(verdict);
    // Whatever follows would be joined to this line.
    if (verdict.ok && hunk.newUnterminated) endsUnterminated = true;
  }
  return verdicts;
}

function matchHunk(
  file: Uint8Array,
  from: number,
  patch: Uint8Array,
  hunk: Hunk,
  endsUnterminated: boolean,
): Placed | Misplaced {
  let at = from;
  let oldIndex = 0;
  let wrongNewline: Misplaced | null = null;
  for (let line = hunk.bodyFrom; line < hunk.bodyTo; line = nextLine(patch, line)) {
    const sign = patch[line];
    if (sign === addition || sign === marker) continue;
    const lineIndex = hunk.lineIndex + oldIndex;
    const expected = contentOf(patch, line);
    if (at >= file.length) return { ok: false, reason: "context_mismatch", lineIndex, expected, found: null };
    const next = nextLine(file, at);
    const isTerminated = file[next - 1] === lineFeed;
    const found = { from: at, to: isTerminated ? next - 1 : next };
    if (!equalSpans(patch, expected, file, found)) {
      return { ok: false, reason: "context_mismatch", lineIndex, expected, found };
    }
    oldIndex++;
    const wantsNewline = !(hunk.oldUnterminated && oldIndex === hunk.oldCount);
    if (isTerminated !== wantsNewline)
      wrongNewline ??= { ok: false, reason: "no_newline_mismatch", lineIndex, expected, found };
    at = next;
  }
  if (wrongNewline) return wrongNewline;
  const isAtEnd = at === file.length;
  const joinsLines = (hunk.newUnterminated && !isAtEnd) || (hunk.oldCount === 0 && isAtEnd && endsUnterminated);
  if (joinsLines) return { ok: false, reason: "no_newline_mismatch", lineIndex: null, expected: null, found: null };
  return { ok: true, from, to: at };
}

function beyondEnd(hunk: Hunk, patch: Uint8Array): Misplaced {
  // An insertion names the line after which it stands; a hunk with old lines the first of them.
  const lineIndex = hunk.oldCount === 0 ? hunk.lineIndex - 1 : hunk.lineIndex;
  return { ok: false, reason: "context_mismatch", lineIndex, expected: firstOldLine(hunk, patch), found: null };
}

function firstOldLine(hunk: Hunk, patch: Uint8Array): Span | null {
  for (let line = hunk.bodyFrom; line < hunk.bodyTo; line = nextLine(patch, line)) {
    if (patch[line] !== addition && patch[line] !== marker) return contentOf(patch, line);
  }
  return null;
}

/** The lines of one side, terminators included and signs left out, written to `target` from `at` on. Gives the end. */
export function copySide(patch: Uint8Array, hunk: Hunk, side: "old" | "new", target: Uint8Array, at: number): number {
  const other = side === "old" ? addition : 0x2d;
  const end = at + (side === "old" ? hunk.oldBytes : hunk.newBytes);
  let to = at;
  for (let line = hunk.bodyFrom; line < hunk.bodyTo; line = nextLine(patch, line)) {
    if (patch[line] === other || patch[line] === marker) continue;
    const content = contentOf(patch, line);
    // With its newline, unless it is the last line and has none.
    for (let from = content.from; from <= content.to && to < end; from++) target[to++] = patch[from] as number;
  }
  return end;
}

function contentOf(patch: Uint8Array, line: number): Span {
  // An empty line of the patch is an empty line of context.
  if (patch[line] === lineFeed) return { from: line, to: line };
  return { from: line + 1, to: nextLine(patch, line) - 1 };
}

function nextLine(bytes: Uint8Array, from: number): number {
  const at = bytes.indexOf(lineFeed, from);
  return at === -1 ? bytes.length : at + 1;
}

function equalSpans(left: Uint8Array, leftSpan: Span, right: Uint8Array, rightSpan: Span): boolean {
  const length = leftSpan.to - leftSpan.from;
  if (length !== rightSpan.to - rightSpan.from) return false;
  for (let index = 0; index < length; index++) {
    if (left[leftSpan.from + index] !== right[rightSpan.from + index]) return false;
  }
  return true;
}
