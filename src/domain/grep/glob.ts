import { type ByteSet, readBracket } from "./bracket";
import type { WorkMeter } from "./work-meter";

/** A compiled pattern over byte strings. */
export interface Glob {
  /** The pattern has no wildcard: it takes this name alone. */
  readonly literal: string | null;
  /** What every name ends with that the pattern takes. */
  readonly ending: string;
  /** Does the pattern take the whole name? Without meaning when the work is exhausted. */
  takes(name: string, work: WorkMeter): boolean;
}

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
  if (wild === -1) return { literal: pattern, ending: pattern, takes: (name) => name === pattern };
  // As in git, what stands before the first wildcard is compared apart. So `a**/b` takes `a/x/b`, though `**` does not follow a `/`.
  const head = pattern.slice(0, wild);
  const tokens = tokensOf(pattern.slice(wild));
  if (tokens === null) return { literal: null, ending: "", takes: () => false };
  const ending = endingOf(tokens);
  return {
    literal: null,
    ending,
    takes: (name, work) =>
      name.startsWith(head) && name.endsWith(ending) && takesTokens(tokens, name, head.length, work),
  };
}

function endingOf(tokens: readonly Token[]): string {
  const bytes: number[] = [];
  for (let index = tokens.length - 1; index >= 0; index--) {
    const token = tokens[index] as Token;
    if (typeof token !== "number" || token < 0) break;
    bytes.unshift(token);
  }
  return String.fromCharCode(...bytes);
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
function takesTokens(tokens: readonly Token[], name: string, from: number, work: WorkMeter): boolean {
  let token = 0;
  let at = from;
  let starToken = -1;
  let starAt = 0;
  let outerToken = -1;
  let outerAt = 0;
  while (work.spend(1)) {
    const current = tokens[token];
    if (current === undefined && at === name.length) return true;
    if (current === star) {
      starToken = ++token;
      starAt = at;
    } else if (current === directories || current === anything) {
      outerToken = ++token;
      outerAt = at;
      starToken = -1;
    } else if (current !== undefined && at < name.length && takesByte(current, name.charCodeAt(at))) {
      token++;
      at++;
    } else if (starToken !== -1 && starAt < name.length && name.charCodeAt(starAt) !== slash) {
      token = starToken;
      at = ++starAt;
    } else {
      if (outerToken === -1) return false;
      outerAt = tokens[outerToken - 1] === anything ? outerAt + 1 : name.indexOf("/", outerAt) + 1;
      if (outerAt === 0 || outerAt > name.length) return false;
      token = outerToken;
      at = outerAt;
    }
  }
  return false;
}

function takesByte(token: Token, byte: number): boolean {
  return typeof token === "number" ? token === byte : token[byte] === 1;
}
