/** One place of a glob that takes any of several bytes: 1 for each byte that it takes. */
export type ByteSet = Uint8Array;

export interface Bracket {
  readonly set: ByteSet;
  /** Where the pattern goes on, after the closing bracket. */
  readonly end: number;
}

/** Ranges of bytes, in pairs. git knows ASCII only, and `\v` and `\f` are no space to it. */
const namedSets: ReadonlyMap<string, string> = new Map([
  ["alnum", "09AZaz"],
  ["alpha", "AZaz"],
  ["blank", "\t\t  "],
  ["cntrl", "\u0000\u001f\u007f\u007f"],
  ["digit", "09"],
  ["graph", "!~"],
  ["lower", "az"],
  ["print", " ~"],
  ["punct", "!/:@[`{~"],
  ["space", "\t\n\r\r  "],
  ["upper", "AZ"],
  ["xdigit", "09AFaf"],
]);

const slash = 0x2f;

/**
 * Reads `[…]` whose `[` stands at `start`. A first `]` is a member, `\` takes the next byte as it is, `[:name:]` is a named set. Null
 * if it does not close or a name is unknown: then the whole pattern matches nothing.
 */
export function readBracket(pattern: string, start: number): Bracket | null {
  const set = new Uint8Array(256);
  let at = start + 1;
  const negated = pattern[at] === "!" || pattern[at] === "^";
  if (negated) at++;
  /** A range may begin with the member before the `-`, but not with the end of a range or a named set. */
  let previous = -1;
  for (let first = true; first || pattern[at] !== "]"; first = false) {
    const member = readMember(pattern, at, previous, set);
    if (member === null) return null;
    at = member.end;
    previous = member.last;
  }
  if (negated) for (let byte = 0; byte < 256; byte++) set[byte] = 1 - (set[byte] as number);
  set[slash] = 0;
  return { set, end: at + 1 };
}

interface Member {
  readonly end: number;
  readonly last: number;
}

function readMember(pattern: string, at: number, previous: number, set: ByteSet): Member | null {
  const character = pattern[at];
  if (character === undefined) return null;
  const following = pattern[at + 1];
  if (character === "-" && previous > 0 && following !== undefined && following !== "]") {
    const to = readByte(pattern, at + 1);
    if (to === null) return null;
    for (let byte = previous; byte <= to.last; byte++) set[byte] = 1;
    return { end: to.end, last: -1 };
  }
  if (character === "[" && following === ":") {
    const close = pattern.indexOf("]", at + 2);
    if (close === -1) return null;
    if (close > at + 2 && pattern[close - 1] === ":") {
      const ranges = namedSets.get(pattern.slice(at + 2, close - 1));
      if (ranges === undefined) return null;
      for (let index = 0; index < ranges.length; index += 2) {
        set.fill(1, ranges.charCodeAt(index), ranges.charCodeAt(index + 1) + 1);
      }
      return { end: close + 1, last: -1 };
    }
  }
  const single = readByte(pattern, at);
  if (single !== null) set[single.last] = 1;
  return single;
}

function readByte(pattern: string, at: number): Member | null {
  const taken = pattern[at] === "\\" ? at + 1 : at;
  return taken < pattern.length ? { end: taken + 1, last: pattern.charCodeAt(taken) } : null;
}
