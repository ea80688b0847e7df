import { type ByteSet, readBracket } from "./bracket";

/** Tells of a byte string whether the pattern takes all of it. */
export type Glob = (name: string) => boolean;

/** A byte, a set of bytes, or one of the wildcards below. */
type Token = number | ByteSet;

/** `*`: any bytes but `/`. */
const star = -1;
/** `**` before `/`, with that `/`: nothing, or anything that ends with `/`. */
const directories = -2;
/** `**` at the end, or before an escaped `/`: anything. */
const anything = -3;

const slash = 0x2f;
const special = /[*?[\\]/;
const anyByte: ByteSet = new Uint8Array(256).fill(1);
anyByte[slash] = 0;

/** The pattern of an ignore rule, as byte string and without what stands around it (`!`, a leading and a final `/`). */
export function compileGlob(pattern: string): Glob {
  const wild = pattern.search(special);
  if (wild === -1) return (name) => name === pattern;
  const tail = pattern.slice(1);
  if (wild === 0 && pattern[0] === "*" && !special.test(tail)) {
    return (name) => name.endsWith(tail) && !name.slice(0, name.length - tail.length).includes("/");
  }
  // As in git, what stands before the first wildcard is compared apart. So `a**/b` takes `a/x/b`, though `**` does not follow a `/`.
  const head = pattern.slice(0, wild);
  const tokens = tokensOf(pattern.slice(wild));
  if (tokens === null) return () => false;
  return (name) => name.startsWith(head) && takes(tokens, name, head.length);
}

/** Null if the pattern can match nothing: it ends within brackets or with a backslash. */
function tokensOf(pattern: string): Token[] | null {
  const tokens: Token[] = [];
  let at = 0;
  while (at < pattern.length) {
    const character = pattern[at];
    if (character === "*") {
      const end = endOfStars(pattern, at);
      tokens.push(wildcardOf(pattern, at, end));
      at = tokens.at(-1) === directories ? end + 1 : end;
    } else if (character === "[") {
      const bracket = readBracket(pattern, at);
      if (bracket === null) return null;
      tokens.push(bracket.set);
      at = bracket.end;
    } else {
      if (character === "\\") at++;
      if (at === pattern.length) return null;
      tokens.push(character === "?" ? anyByte : pattern.charCodeAt(at));
      at++;
    }
  }
  return tokens;
}

function endOfStars(pattern: string, at: number): number {
  let end = at;
  while (pattern[end] === "*") end++;
  return end;
}

function wildcardOf(pattern: string, start: number, end: number): Token {
  if (end - start === 1 || (start > 0 && pattern[start - 1] !== "/")) return star;
  if (pattern[end] === "/") return directories;
  return end === pattern.length || pattern.startsWith("\\/", end) ? anything : star;
}

/**
 * Each wildcard first takes as little as it can and more when the rest fails. Only the last `*` and the last `**` are ever given more:
 * an earlier one that took more would leave less for the same rest. So the work is bounded by the lengths, not exponential.
 */
function takes(tokens: readonly Token[], name: string, from: number): boolean {
  let token = 0;
  let at = from;
  let retry = { token: -1, at: 0 };
  let outer = { token: -1, at: 0, wildcard: anything };
  for (;;) {
    const current = tokens[token];
    if (current === undefined && at === name.length) return true;
    if (current === star) retry = { token: ++token, at };
    else if (current === directories || current === anything) {
      outer = { token: ++token, at, wildcard: current };
      retry = { token: -1, at: 0 };
    } else if (current !== undefined && at < name.length && takesByte(current, name.charCodeAt(at))) {
      token++;
      at++;
    } else if (retry.token !== -1 && retry.at < name.length && name.charCodeAt(retry.at) !== slash) {
      retry.at++;
      ({ token, at } = retry);
    } else {
      const next = outer.wildcard === anything ? outer.at + 1 : name.indexOf("/", outer.at) + 1;
      if (outer.token === -1 || next === 0 || next > name.length) return false;
      outer.at = next;
      ({ token, at } = outer);
    }
  }
}

function takesByte(token: Token, byte: number): boolean {
  return typeof token === "number" ? token === byte : token[byte] === 1;
}
