import { isUtf8 } from "./native-bytes";
import { nulSearchBytes } from "./text-kind";

const newline = 0x0a;

/** The rule of `decodeText` for content that arrives in pieces: is it text, and how many lines has it? */
export class TextScan {
  private offset = 0;
  private binary = false;
  private newlines = 0;
  private last = -1;
  /** Bytes that the character at hand still needs, and the range of the next one. */
  private pending = 0;
  private lowest = 0x80;
  private highest = 0xbf;

  update(piece: Uint8Array): void {
    if (this.binary || piece.length === 0) return;
    if (this.offset < nulSearchBytes && piece.subarray(0, nulSearchBytes - this.offset).includes(0)) this.binary = true;
    else if (!this.goesOnInUtf8(piece)) this.binary = true;
    if (this.binary) return;
    for (let at = piece.indexOf(newline); at !== -1; at = piece.indexOf(newline, at + 1)) this.newlines++;
    this.offset += piece.length;
    this.last = piece[piece.length - 1] as number;
  }

  /** The number of lines; null: not text. */
  lines(): number | null {
    if (this.binary || this.pending > 0) return null;
    return this.newlines + (this.offset > 0 && this.last !== newline ? 1 : 0);
  }

  /** A character may lie across pieces. Overlong forms, surrogates and values above U+10FFFF are caught by the second byte. */
  private goesOnInUtf8(piece: Uint8Array): boolean {
    if (this.pending === 0 && isUtf8(piece)) return true;
    let { pending, lowest, highest } = this;
    for (let at = 0; at < piece.length; at++) {
      if (pending === 0) at = asciiEnd(piece, at);
      if (at === piece.length) break;
      const byte = piece[at] as number;
      if (pending > 0) {
        if (byte < lowest || byte > highest) return false;
        pending--;
        lowest = 0x80;
        highest = 0xbf;
      } else if (byte >= 0x80) {
        if (byte < 0xc2 || byte > 0xf4) return false;
        pending = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
        lowest = byte === 0xe0 ? 0xa0 : byte === 0xf0 ? 0x90 : 0x80;
        highest = byte === 0xed ? 0x9f : byte === 0xf4 ? 0x8f : 0xbf;
      }
    }
    this.pending = pending;
    this.lowest = lowest;
    this.highest = highest;
    return true;
  }
}

/** The first byte from `at` on that is not ASCII. Most text is, and eight bytes at a time are soon looked at. */
function asciiEnd(bytes: Uint8Array, from: number): number {
  let at = from;
  for (; at + 8 <= bytes.length; at += 8) {
    const bits =
      byteAt(bytes, at) |
      byteAt(bytes, at + 1) |
      byteAt(bytes, at + 2) |
      byteAt(bytes, at + 3) |
      byteAt(bytes, at + 4) |
      byteAt(bytes, at + 5) |
      byteAt(bytes, at + 6) |
      byteAt(bytes, at + 7);
    if (bits >= 0x80) break;
  }
  while (at < bytes.length && byteAt(bytes, at) < 0x80) at++;
  return at;
}

function byteAt(bytes: Uint8Array, index: number): number {
  return bytes[index] as number;
}
