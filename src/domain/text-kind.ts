import { err, ok, type Result } from "./result";

export interface NotText {
  /** For the message: `a NUL byte at offset 7`. */
  readonly why: string;
  readonly offset: number;
}

/** As git judges: only the beginning is searched for a NUL. */
export const nulSearchBytes = 8000;

/** The one rule of the product for what is text (text.md §7.1). The result encodes to the very same bytes: a BOM stays. */
export function decodeText(bytes: Uint8Array): Result<string, NotText> {
  const nul = bytes.subarray(0, nulSearchBytes).indexOf(0);
  if (nul !== -1) return err({ why: `a NUL byte at offset ${nul}`, offset: nul });
  try {
    return ok(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    const offset = firstInvalidOffset(bytes);
    return err({ why: `invalid UTF-8 at offset ${offset}`, offset });
  }
}

export function isText(bytes: Uint8Array): boolean {
  return decodeText(bytes).ok;
}

/** Of bytes that are UTF-8 for sure, this alone makes them no text. */
export function hasNulWhereTextIsJudged(bytes: Uint8Array): boolean {
  return bytes.subarray(0, nulSearchBytes).includes(0);
}

/** Where the first sequence begins that is not UTF-8; the length if there is none. */
function firstInvalidOffset(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    if (length === 0) return at;
    at += length;
  }
  return at;
}

/** Bytes of the character at `at`, 0 if it is none: overlong forms, surrogates and values above U+10FFFF are caught by the second byte. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] as number;
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  const second = bytes[at + 1] ?? 0;
  const lowest = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const highest = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (second < lowest || second > highest) return 0;
  for (let next = at + 2; next < at + length; next++) {
    if (((bytes[next] ?? 0) & 0xc0) !== 0x80) return 0;
  }
  return length;
}
