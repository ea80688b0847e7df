import { markShortestEdit, type NumberedLines } from "./diff-search";
import { settleChanges } from "./diff-settle";
import type { Lines } from "./lines";

/** A flag per line: 1 where it is not common. The common lines of both sides are equal, pair by pair in order. */
export interface LineChanges {
  readonly removed: Uint8Array;
  readonly added: Uint8Array;
}

/**
 * Which lines to remove and which to add. As few as possible, unless to know that would cost too much (`diff-search.ts`).
 * Lines are compared with their terminators. `null` as soon as it is certain that they take more than `maxBytes` in a diff.
 */
export function diffLines(before: Lines, after: Lines, maxBytes: number): LineChanges | null {
  const start = commonStart(before, after);
  const end = commonEnd(before, after, start);
  const numbers = new LineNumbers();
  const beforeNumbers = numbers.give(before, start, before.count - end, "before");
  const afterNumbers = numbers.give(after, start, after.count - end, "after");

  const surplus = numbers.surplus();
  if (surplus.bytes > maxBytes) return null;
  // Beyond the surplus, what is removed here is added there, and a line takes at least its sign and its newline.
  const editMax = surplus.matchable + Math.floor((maxBytes - surplus.bytes) / 2);

  const changes = { removed: new Uint8Array(before.count), added: new Uint8Array(after.count) };
  const left = matchable(beforeNumbers, start, numbers.afterCounts, changes.removed);
  const right = matchable(afterNumbers, start, numbers.beforeCounts, changes.added);
  if (!markShortestEdit(left, right, editMax, changes)) return null;
  settleChanges(before, after, changes);
  return changes;
}

/** Equal lines get equal numbers. A `Map`, because its hash is seeded: nobody can send lines that all collide. */
class LineNumbers {
  readonly beforeCounts: number[] = [];
  readonly afterCounts: number[] = [];
  private readonly lengths: number[] = [];
  private readonly known = new Map<string, number>();

  give({ text, starts }: Lines, from: number, to: number, side: "before" | "after"): Int32Array {
    const counts = side === "before" ? this.beforeCounts : this.afterCounts;
    const given = new Int32Array(to - from);
    for (let index = from; index < to; index++) {
      const line = text.slice(starts[index], starts[index + 1]);
      let number = this.known.get(line);
      if (number === undefined) {
        number = this.known.size;
        this.known.set(line, number);
        this.lengths.push(line.length);
        this.beforeCounts.push(0);
        this.afterCounts.push(0);
      }
      counts[number] = (counts[number] as number) + 1;
      given[index - from] = number;
    }
    return given;
  }

  /** Every diff shows these: what one side has more often than the other. `bytes` is what they take at least, `matchable` how many have some counterpart. */
  surplus(): { bytes: number; matchable: number } {
    let bytes = 0;
    let matchable = 0;
    for (let number = 0; number < this.lengths.length; number++) {
      const before = this.beforeCounts[number] as number;
      const after = this.afterCounts[number] as number;
      const more = Math.abs(before - after);
      bytes += more * ((this.lengths[number] as number) + 1);
      if (before > 0 && after > 0) matchable += more;
    }
    return { bytes, matchable };
  }
}

/** The lines that also stand on the other side, in the same array. The others are changed in any case and would only make the search longer. */
function matchable(
  numbers: Int32Array,
  from: number,
  otherCounts: readonly number[],
  changed: Uint8Array,
): NumberedLines {
  const lineIndexes = new Int32Array(numbers.length);
  let count = 0;
  for (let index = 0; index < numbers.length; index++) {
    const number = numbers[index] as number;
    if (otherCounts[number] === 0) {
      changed[from + index] = 1;
      continue;
    }
    numbers[count] = number;
    lineIndexes[count++] = from + index;
  }
  return { numbers: numbers.subarray(0, count), lineIndexes };
}

/** How many lines the texts begin with in common. */
function commonStart(before: Lines, after: Lines): number {
  const end = Math.min(before.text.length, after.text.length);
  let equal = 0;
  while (equal < end && before.text.charCodeAt(equal) === after.text.charCodeAt(equal)) equal++;
  const most = Math.min(before.count, after.count);
  let count = 0;
  while (count < most) {
    const lineEnd = before.starts[count + 1] as number;
    if (lineEnd > equal || lineEnd !== after.starts[count + 1]) break;
    count++;
  }
  return count;
}

/** How many lines the texts end with in common, not counting their first `start` lines. */
function commonEnd(before: Lines, after: Lines, start: number): number {
  const beforeLength = before.text.length;
  const afterLength = after.text.length;
  const most = Math.min(before.count, after.count) - start;
  let equal = 0;
  let count = 0;
  while (count < most) {
    const length = beforeLength - (before.starts[before.count - count - 1] as number);
    if (length !== afterLength - (after.starts[after.count - count - 1] as number)) break;
    while (
      equal < length &&
      before.text.charCodeAt(beforeLength - equal - 1) === after.text.charCodeAt(afterLength - equal - 1)
    )
      equal++;
    if (equal < length) break;
    count++;
  }
  return count;
}
