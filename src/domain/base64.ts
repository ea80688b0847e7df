import { err, ok, type Result } from "./result";

export interface Base64Error {
  /** Character of the text at which it stops being base64. */
  readonly offset: number;
  readonly why: string;
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const values = new Int8Array(128).fill(-1);
for (let value = 0; value < 64; value++) values[alphabet.charCodeAt(value)] = value;

/**
 * Strict: standard alphabet, padded, no blanks or line breaks, zero trailing bits, so that each byte string has one text (MCP-030).
 * Platform decoders forgive all of that.
 */
export function decodeBase64(text: string): Result<Uint8Array, Base64Error> {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const digits = text.length - padding;
  const bytes = new Uint8Array(Math.floor((digits * 3) / 4));
  let bits = 0;
  let held = 0;
  let at = 0;
  for (let offset = 0; offset < digits; offset++) {
    const code = text.charCodeAt(offset);
    const value = code < 128 ? (values[code] as number) : -1;
    if (value < 0) return err({ offset, why: whyNot(text, offset) });
    held = ((held << 6) | value) & 0xfff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[at++] = held >> bits;
    }
  }
  if (text.length % 4 !== 0)
    return err({ offset: text.length, why: "the length is not a multiple of 4 (padding is required)" });
  // What is left of the last digit says nothing, so it must be zero.
  if ((held & ((1 << bits) - 1)) !== 0)
    return err({ offset: digits - 1, why: "the unused bits of the last digit are not zero" });
  return ok(bytes);
}

/** A multiple of 3, so that pieces join without padding, and few enough for the arguments of one call. */
const pieceBytes = 24_576;

export function encodeBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + pieceBytes)));
  }
  return text;
}

function whyNot(text: string, offset: number): string {
  const character = text[offset] as string;
  if (character === "=") return "padding stands before the end";
  if (character === "-" || character === "_") return "a character of the URL alphabet; the standard one has + and /";
  return /\s/.test(character) ? "blanks and line breaks are not allowed" : "a character outside the base64 alphabet";
}
