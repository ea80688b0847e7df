import { copySide, type Placed } from "./match-hunks";
import type { Hunk } from "./patch";

/** Size of what `applyHunks` makes of a file. */
export function sizeAfter(file: Uint8Array, hunks: readonly Hunk[]): number {
  return hunks.reduce((size, { oldBytes, newBytes }) => size + newBytes - oldBytes, file.length);
}

/** The file with every hunk at its place; `places` are those of `hunks`, in order. */
export function applyHunks(
  file: Uint8Array,
  patch: Uint8Array,
  hunks: readonly Hunk[],
  places: readonly Placed[],
): Uint8Array {
  const result = new Uint8Array(sizeAfter(file, hunks));
  let at = 0;
  let copied = 0;
  for (const [index, hunk] of hunks.entries()) {
    const { from, to } = places[index] as Placed;
    result.set(file.subarray(copied, from), at);
    at = copySide(patch, hunk, "new", result, at + from - copied);
    copied = to;
  }
  result.set(file.subarray(copied), at);
  return result;
}
