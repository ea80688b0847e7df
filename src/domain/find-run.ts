import { type Lines, lineEquals } from "./lines";

/** Where runs of whole lines stand. Knuth–Morris–Pratt over lines: linear also for texts that repeat one line a million times. */
export interface RunSearch {
  /** 1-based numbers of the first line of each match, overlapping ones too, at most `foundMax`. */
  readonly found: readonly number[];
  readonly foundCount: number;
  /** The longest proper prefix of the run that stands somewhere before a line that differs; the lowest such place. */
  readonly longestPrefix: { readonly lineNumber: number; readonly length: number } | null;
}

/** Looks for `run` within line indexes `from` … `to` (exclusive). `run` has at least one line. */
export function findRun(lines: Lines, run: readonly string[], from: number, to: number, foundMax: number): RunSearch {
  const borders = bordersOf(run);
  const found: number[] = [];
  let foundCount = 0;
  let prefixStart = 0;
  let prefixLength = 0;
  let matched = 0;
  for (let index = from; index < to; index++) {
    while (matched > 0 && !lineEquals(lines, index, run[matched] as string)) matched = borders[matched - 1] as number;
    if (lineEquals(lines, index, run[matched] as string)) matched++;
    if (matched === run.length) {
      foundCount++;
      if (found.length < foundMax) found.push(index - matched + 2);
      matched = borders[matched - 1] as number;
    } else if (matched > prefixLength && index + 1 < lines.count) {
      prefixLength = matched;
      prefixStart = index - matched + 1;
    }
  }
  return {
    found,
    foundCount,
    longestPrefix: prefixLength > 0 ? { lineNumber: prefixStart + 1, length: prefixLength } : null,
  };
}

function bordersOf(run: readonly string[]): Uint32Array {
  const borders = new Uint32Array(run.length);
  let length = 0;
  for (let index = 1; index < run.length; index++) {
    while (length > 0 && run[index] !== run[length]) length = borders[length - 1] as number;
    if (run[index] === run[length]) length++;
    borders[index] = length;
  }
  return borders;
}
