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
  const pieces: Uint8Array[] = [];
  let plainFrom = from + 1;
  let at = plainFrom;
  for (; ; at++) {
    const character = text[at];
    if (character === undefined) return null;
    if (character !== '"' && character !== "\\") continue;
    pieces.push(encoder.encode(text.slice(plainFrom, at)));
    if (character === '"') break;
    const digits = text.slice(at + 1, at + 4);
    const byte = octalByte.test(digits) ? Number.parseInt(digits, 8) : escapes[text[at + 1] ?? ""];
    if (byte === undefined) return null;
    pieces.push(Uint8Array.of(byte));
    at += octalByte.test(digits) ? 3 : 1;
    plainFrom = at + 1;
  }
  try {
    const name = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(joined(pieces));
    return { name, end: at + 1 };
  } catch {
    return null;
  }
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((total, piece) => total + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
