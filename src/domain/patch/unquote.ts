const escapes: Readonly<Record<string, number>> = {
  '"': 0x22,
  "\\": 0x5c,
  a: 0x07,
  b: 0x08,
  t: 0x09,
  n: 0x0a,
  v: 0x0b,
  f: 0x0c,
  r: 0x0d,
};
const octalByte = /^[0-3][0-7]{2}$/;

export interface Unquoted {
  readonly name: string;
  /** Where the text goes on after the closing quote. */
  readonly end: number;
}

/** A name as git writes it in C quotes, beginning at `from` with `"`: octal escapes are bytes of UTF-8. Null if it is malformed. */
export function unquoteName(text: string, from: number): Unquoted | null {
  const encoder = new TextEncoder();
  // One buffer for all: a name may have a million escapes. A UTF-16 unit takes three bytes at most.
  const bytes = new Uint8Array(3 * (text.length - from));
  let length = 0;
  let plainFrom = from + 1;
  let at = plainFrom;
  for (; ; at++) {
    const character = text[at];
    if (character === undefined) return null;
    if (character !== '"' && character !== "\\") continue;
    if (plainFrom < at) length += encoder.encodeInto(text.slice(plainFrom, at), bytes.subarray(length)).written;
    if (character === '"') break;
    const digits = text.slice(at + 1, at + 4);
    const isOctal = octalByte.test(digits);
    const byte = isOctal ? Number.parseInt(digits, 8) : escapes[text[at + 1] ?? ""];
    if (byte === undefined) return null;
    bytes[length++] = byte;
    at += isOctal ? 3 : 1;
    plainFrom = at + 1;
  }
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    return { name: decoder.decode(bytes.subarray(0, length)), end: at + 1 };
  } catch {
    return null;
  }
}
