/**
 * The shortest edit between two sequences of numbers: Myers' search from both ends, divided at where the two meet, so that
 * memory stays linear. Its cost grows with length times differences; where it would pass the limits below, the sequences are
 * divided at the furthest point found instead. The edit is then right but perhaps not the shortest, and the same every time,
 * because steps are counted and not time.
 */

export interface NumberedLines {
  readonly numbers: Int32Array;
  /** Where each number stands in its text. */
  readonly lineIndexes: Int32Array;
}

/** Steps of one whole search: some tenths of a second. Enough for the shortest edit of 10 000 lines. */
const searchStepsMax = 50_000_000;
/** What each division may take even when all steps are used up: a few differences further. */
const divisionStepsMin = 256;
/** Rounds of one division; each round looks for one more difference from either end. */
const roundsMax = 8192;
/** Further back than any position, one more included. */
const unreached = -0x40000000;

/** A part of both sequences. */
interface Box {
  beforeFrom: number;
  beforeTo: number;
  afterFrom: number;
  afterTo: number;
}

interface Point {
  readonly before: number;
  readonly after: number;
}

/** Sets the flags of the lines that are not common. False as soon as it is certain that they are more than `editMax`; the flags then mean nothing. */
export function markShortestEdit(
  before: NumberedLines,
  after: NumberedLines,
  editMax: number,
  flags: { readonly removed: Uint8Array; readonly added: Uint8Array },
): boolean {
  const division = new Division(before.numbers, after.numbers);
  const whole = { beforeFrom: 0, beforeTo: before.numbers.length, afterFrom: 0, afterTo: after.numbers.length };
  const boxes: Box[] = [whole];
  let editLeft = editMax;
  for (let box = boxes.pop(); box !== undefined; box = boxes.pop()) {
    division.trim(box);
    const { beforeFrom, beforeTo, afterFrom, afterTo } = box;
    if (beforeFrom === beforeTo || afterFrom === afterTo) {
      for (let index = beforeFrom; index < beforeTo; index++) flags.removed[before.lineIndexes[index] as number] = 1;
      for (let index = afterFrom; index < afterTo; index++) flags.added[after.lineIndexes[index] as number] = 1;
      editLeft -= beforeTo - beforeFrom + afterTo - afterFrom;
      if (editLeft < 0) return false;
      continue;
    }
    const point = division.divide(box, box === whole ? editMax : Number.POSITIVE_INFINITY);
    if (point === null) return false;
    boxes.push(
      { beforeFrom: point.before, beforeTo, afterFrom: point.after, afterTo },
      { beforeFrom, beforeTo: point.before, afterFrom, afterTo: point.after },
    );
  }
  return true;
}

class Division {
  private stepsLeft = searchStepsMax;
  private roundStepsLeft = 0;
  private readonly center: number;
  /** Per diagonal (position before minus position after, within the box): the furthest position before that was reached. */
  private readonly forward: Int32Array;
  /** The same from the end. Diagonals are counted from the one that ends in the box's last corner. */
  private readonly backward: Int32Array;

  constructor(
    private readonly before: Int32Array,
    private readonly after: Int32Array,
  ) {
    const rounds = Math.min(roundsMax, before.length + after.length);
    this.center = rounds + 1;
    this.forward = new Int32Array(2 * rounds + 3);
    this.backward = new Int32Array(2 * rounds + 3);
  }

  /** Takes off what both parts begin and end with. */
  trim(box: Box): void {
    const { before, after } = this;
    while (
      box.beforeFrom < box.beforeTo &&
      box.afterFrom < box.afterTo &&
      before[box.beforeFrom] === after[box.afterFrom]
    ) {
      box.beforeFrom++;
      box.afterFrom++;
    }
    while (
      box.beforeFrom < box.beforeTo &&
      box.afterFrom < box.afterTo &&
      before[box.beforeTo - 1] === after[box.afterTo - 1]
    ) {
      box.beforeTo--;
      box.afterTo--;
    }
  }

  /** A point of a shortest edit, or a good one. The box is trimmed and neither side of it empty, so each part keeps a difference. */
  divide(box: Box, editMax: number): Point | null {
    const lengths = { before: box.beforeTo - box.beforeFrom, after: box.afterTo - box.afterFrom };
    const steps = Math.max(Math.floor(this.stepsLeft / 2), divisionStepsMin);
    this.roundStepsLeft = steps;
    this.forward[this.center] = 0;
    this.backward[this.center] = lengths.before;
    let point: Point | null = null;
    for (let round = 1; point === null; round++) {
      if (2 * round - 1 > editMax) return null;
      point = this.stepForward(box, lengths, round);
      if (point !== null) break;
      if (2 * round > editMax) return null;
      point = this.stepBackward(box, lengths, round);
      if (this.roundStepsLeft <= 0 || round === this.center - 1) point ??= this.furthest(lengths, round);
    }
    this.stepsLeft = Math.max(0, this.stepsLeft - (steps - this.roundStepsLeft));
    return { before: box.beforeFrom + point.before, after: box.afterFrom + point.after };
  }

  /** One difference more from the beginning, on every diagonal within the box. A point if that reaches what came from the end. */
  private stepForward(box: Box, lengths: Point, round: number): Point | null {
    const { before, after, forward, backward, center } = this;
    const delta = lengths.before - lengths.after;
    const low = round <= lengths.after ? -round : -lengths.after + ((round - lengths.after) & 1);
    const high = round <= lengths.before ? round : lengths.before - ((round - lengths.before) & 1);
    // Diagonals of one round have one parity: the ends meet here if the last diagonal is odd, else in `stepBackward`.
    const reach = (delta & 1) === 1 ? round - 1 : -1;
    let steps = 0;
    forward[center - round - 1] = unreached;
    forward[center + round + 1] = unreached;
    for (let diagonal = high; diagonal >= low; diagonal -= 2) {
      const at = center + diagonal;
      // At the edge of the box stays what would leave it: the edge itself is no further than one more difference.
      const start = Math.min(
        Math.max((forward[at - 1] as number) + 1, forward[at + 1] as number),
        lengths.before,
        lengths.after + diagonal,
      );
      let x = box.beforeFrom + start;
      let y = box.afterFrom + start - diagonal;
      while (x < box.beforeTo && y < box.afterTo && before[x] === after[y]) {
        x++;
        y++;
      }
      const furthest = x - box.beforeFrom;
      forward[at] = furthest;
      steps += furthest - start + 1;
      const opposite = diagonal - delta;
      if (opposite >= -reach && opposite <= reach && furthest >= (backward[center + opposite] as number)) {
        this.roundStepsLeft -= steps;
        return { before: furthest, after: furthest - diagonal };
      }
    }
    this.roundStepsLeft -= steps;
    return null;
  }

  /** One difference more from the end. */
  private stepBackward(box: Box, lengths: Point, round: number): Point | null {
    const { before, after, forward, backward, center } = this;
    const delta = lengths.before - lengths.after;
    const low = round <= lengths.before ? -round : -lengths.before + ((round - lengths.before) & 1);
    const high = round <= lengths.after ? round : lengths.after - ((round - lengths.after) & 1);
    const reach = (delta & 1) === 0 ? round : -1;
    let steps = 0;
    backward[center - round - 1] = -unreached;
    backward[center + round + 1] = -unreached;
    for (let opposite = high; opposite >= low; opposite -= 2) {
      const at = center + opposite;
      const diagonal = opposite + delta;
      const start = Math.max(Math.min((backward[at + 1] as number) - 1, backward[at - 1] as number), 0, diagonal);
      let x = box.beforeFrom + start;
      let y = box.afterFrom + start - diagonal;
      while (x > box.beforeFrom && y > box.afterFrom && before[x - 1] === after[y - 1]) {
        x--;
        y--;
      }
      const furthest = x - box.beforeFrom;
      backward[at] = furthest;
      steps += start - furthest + 1;
      if (diagonal >= -reach && diagonal <= reach && furthest <= (forward[center + diagonal] as number)) {
        this.roundStepsLeft -= steps;
        return { before: furthest, after: furthest - diagonal };
      }
    }
    this.roundStepsLeft -= steps;
    return null;
  }

  /**
   * Of all points reached in this round, the one that leaves least behind, from whichever end. Where nothing is common, many
   * leave the same; the one nearest to the middle diagonal then keeps either side from running ahead of what is common later.
   */
  private furthest(lengths: Point, round: number): Point {
    const delta = lengths.before - lengths.after;
    let best: Point = { before: 0, after: 0 };
    let covered = 0;
    for (let index = 0; index <= round; index++) {
      const away = (round & 1) + 2 * (index >> 1);
      const diagonal = (index & 1) === 0 ? away : -away;
      if (diagonal >= -lengths.after && diagonal <= lengths.before) {
        const x = this.forward[this.center + diagonal] as number;
        if (2 * x - diagonal > covered) {
          covered = 2 * x - diagonal;
          best = { before: x, after: x - diagonal };
        }
      }
      const fromEnd = diagonal + delta;
      if (fromEnd >= -lengths.after && fromEnd <= lengths.before) {
        const x = this.backward[this.center + diagonal] as number;
        const rest = lengths.before + lengths.after - (2 * x - fromEnd);
        if (rest > covered) {
          covered = rest;
          best = { before: x, after: x - fromEnd };
        }
      }
    }
    return best;
  }
}
