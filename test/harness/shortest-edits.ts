/** What a line diff can be at best, by the textbook table: for short texts, to judge the product's search. */

/** Lines with their terminators. */
export function terminatedLines(text: string): string[] {
  return text === "" ? [] : text.split(/(?<=\n)(?=[\s\S])/);
}

/** Lines removed and added by a shortest edit. */
export function shortestEditLength(before: readonly string[], after: readonly string[]): number {
  return before.length + after.length - 2 * commonTable(before, after).length;
}

/** In how many ways the longest common lines can be chosen. 1: every right diff of the two texts is the same. */
export function countShortestEdits(before: readonly string[], after: readonly string[]): number {
  return commonTable(before, after).ways;
}

interface Cell {
  readonly length: number;
  readonly ways: number;
}

function commonTable(before: readonly string[], after: readonly string[]): Cell {
  const none: Cell = { length: 0, ways: 1 };
  let above: Cell[] = new Array(after.length + 1).fill(none);
  for (const line of before) {
    const row: Cell[] = [none];
    for (const [index, other] of after.entries()) {
      const [corner, top, left] = [above[index] ?? none, above[index + 1] ?? none, row[index] ?? none];
      const matched = line === other ? corner.length + 1 : 0;
      const length = Math.max(top.length, left.length, matched);
      // Ways without this pair are counted in both neighbours if they need neither line.
      const ways =
        (top.length === length ? top.ways : 0) +
        (left.length === length ? left.ways : 0) -
        (corner.length === length ? corner.ways : 0) +
        (matched === length && line === other ? corner.ways : 0);
      row.push({ length, ways });
    }
    above = row;
  }
  return above[after.length] ?? none;
}
