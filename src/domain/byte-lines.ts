import type { ResolvedRange } from "./lines";

/** Lines of text that is already known to be UTF-8, found in its bytes: a slice of a large file needs no decoding of the rest. */

const newline = 0x0a;

export function countByteLines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < bytes.length; count++) at = lineEnd(bytes, at);
  return count;
}

/** The raw bytes of a range, its terminators included. */
export function sliceByteLines(bytes: Uint8Array, { start, end }: ResolvedRange): Uint8Array {
  if (start >= end) return bytes.subarray(0, 0);
  let at = 0;
  for (let lineNumber = 1; lineNumber < start && at < bytes.length; lineNumber++) at = lineEnd(bytes, at);
  const from = at;
  for (let lineNumber = start; lineNumber < end && at < bytes.length; lineNumber++) at = lineEnd(bytes, at);
  return bytes.subarray(from, at);
}

/** The first whole lines within `maxBytes`, at least one, and the number of the line to go on with; null when that is everything. */
export function firstByteLines(
  bytes: Uint8Array,
  maxBytes: number,
): { readonly bytes: Uint8Array; readonly nextLine: number } | null {
  if (bytes.length <= maxBytes) return null;
  const lastWithin = bytes.lastIndexOf(newline, maxBytes - 1);
  const end = lastWithin === -1 ? lineEnd(bytes, 0) : lastWithin + 1;
  if (end === bytes.length) return null;
  const first = bytes.subarray(0, end);
  return { bytes: first, nextLine: countByteLines(first) + 1 };
}

function lineEnd(bytes: Uint8Array, from: number): number {
  const at = bytes.indexOf(newline, from);
  return at === -1 ? bytes.length : at + 1;
}
