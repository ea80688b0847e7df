import type { LineChanges } from "./diff-lines";
import type { Lines } from "./lines";

/**
 * Where a change may stand at several places, because the lines around it repeat, this chooses one as git does: beside a
 * change of the other side if there is such a place, otherwise as far down as possible. Changes that come to touch become one.
 */
export function settleChanges(before: Lines, after: Lines, changes: LineChanges): void {
  settleSide(before, changes.removed, changes.added);
  settleSide(after, changes.added, changes.removed);
}

/** Changed lines in a row, perhaps none, between two common lines. Runs of both sides correspond, one to one. */
class Run {
  start = 0;
  end = 0;

  constructor(private readonly flags: Uint8Array) {
    this.extendDown();
  }

  get length(): number {
    return this.end - this.start;
  }

  /** To the run below the next common line; false if there is none. */
  next(): boolean {
    if (this.end >= this.flags.length) return false;
    this.start = this.end + 1;
    this.end = this.start;
    this.extendDown();
    return true;
  }

  previous(): void {
    this.end = this.start - 1;
    this.start = this.end;
    this.extendUp();
  }

  /** Moves by one line, if the line that enters equals the one that leaves. */
  slideUp(lines: Lines): boolean {
    if (this.start === 0 || !equalLines(lines, this.start - 1, this.end - 1)) return false;
    this.flags[--this.start] = 1;
    this.flags[--this.end] = 0;
    this.extendUp();
    return true;
  }

  slideDown(lines: Lines): boolean {
    if (this.end >= this.flags.length || !equalLines(lines, this.start, this.end)) return false;
    this.flags[this.start++] = 0;
    this.flags[this.end++] = 1;
    this.extendDown();
    return true;
  }

  private extendUp(): void {
    while (this.flags[this.start - 1] === 1) this.start--;
  }

  private extendDown(): void {
    while (this.flags[this.end] === 1) this.end++;
  }
}

function settleSide(lines: Lines, own: Uint8Array, other: Uint8Array): void {
  const run = new Run(own);
  const beside = new Run(other);
  do {
    if (run.length > 0) settleRun(lines, run, beside);
  } while (run.next() && beside.next());
}

function settleRun(lines: Lines, run: Run, beside: Run): void {
  let length: number;
  let meets: boolean;
  do {
    length = run.length;
    while (run.slideUp(lines)) beside.previous();
    meets = beside.length > 0;
    while (run.slideDown(lines)) {
      beside.next();
      meets ||= beside.length > 0;
    }
  } while (run.length !== length);
  while (meets && beside.length === 0 && run.slideUp(lines)) beside.previous();
}

function equalLines({ text, starts }: Lines, left: number, right: number): boolean {
  const leftStart = starts[left] as number;
  const rightStart = starts[right] as number;
  const length = (starts[left + 1] as number) - leftStart;
  if ((starts[right + 1] as number) - rightStart !== length) return false;
  for (let offset = 0; offset < length; offset++) {
    if (text.charCodeAt(leftStart + offset) !== text.charCodeAt(rightStart + offset)) return false;
  }
  return true;
}
