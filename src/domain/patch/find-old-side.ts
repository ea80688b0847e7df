import { copySide } from "./match-hunks";
import type { Hunk } from "./patch";

const lineFeed = 0x0a;

/** 1-based lines at which the whole old side of a hunk does stand, ascending, at most `max`. The hunk has old lines. */
export function findOldSide(file: Uint8Array, patch: Uint8Array, hunk: Hunk, max: number): number[] {
  const wanted = new Uint8Array(hunk.oldBytes);
  copySide(patch, hunk, "old", wanted, 0);
  // Without its last newline it can only be the end of the file.
  return hunk.oldUnterminated ? atEnd(file, wanted) : everywhere(file, wanted, hunk.oldCount, max);
}

function atEnd(file: Uint8Array, wanted: Uint8Array): number[] {
  const from = file.length - wanted.length;
  if (from < 0 || (from > 0 && file[from - 1] !== lineFeed)) return [];
  for (let index = 0; index < wanted.length; index++) if (file[from + index] !== wanted[index]) return [];
  let lineNumber = 1;
  for (let index = 0; index < from; index++) if (file[index] === lineFeed) lineNumber++;
  return [lineNumber];
}

/** Knuth–Morris–Pratt: linear also for a file and a hunk that repeat one line. */
function everywhere(file: Uint8Array, wanted: Uint8Array, lineCount: number, max: number): number[] {
  const borders = bordersOf(wanted);
  const found: number[] = [];
  let ended = 0;
  let matched = 0;
  for (let at = 0; at < file.length && found.length < max; at++) {
    const byte = file[at];
    while (matched > 0 && byte !== wanted[matched]) matched = borders[matched - 1] as number;
    if (byte === wanted[matched]) matched++;
    if (byte === lineFeed) ended++;
    if (matched < wanted.length) continue;
    const from = at + 1 - wanted.length;
    if (from === 0 || file[from - 1] === lineFeed) found.push(ended - lineCount + 1);
    matched = borders[matched - 1] as number;
  }
  return found;
}

function bordersOf(wanted: Uint8Array): Uint32Array {
  const borders = new Uint32Array(wanted.length);
  let length = 0;
  for (let at = 1; at < wanted.length; at++) {
    while (length > 0 && wanted[at] !== wanted[length]) length = borders[length - 1] as number;
    if (wanted[at] === wanted[length]) length++;
    borders[at] = length;
  }
  return borders;
}
