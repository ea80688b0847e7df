import { err, ok, type Result } from "../result";

/** Does the glob take this path of the workspace? */
export type WorkspaceGlob = (path: string) => boolean;

const lengthMax = 1000;
const alternativesMax = 100;

type Token =
  | { readonly kind: "character"; readonly takes: (character: string) => boolean }
  /** Any characters but `/`. */
  | { readonly kind: "star" }
  /** Any characters at all. */
  | { readonly kind: "anything" }
  /** Nothing, or whole directories with their `/`. */
  | { readonly kind: "directories" };

/** The globs of `zipfs_grep`; the error says what is wrong with one. */
export function compileWorkspaceGlob(glob: string): Result<WorkspaceGlob, string> {
  if (glob === "" || [...glob].length > lengthMax) return err(`give a pattern of 1 to ${lengthMax} characters`);
  if (!glob.isWellFormed()) return err("the text has a lone surrogate");
  if (glob.startsWith("/")) return err("a pattern is relative to the workspace; leave out the leading /");
  if (glob.split("/").includes("..")) return err('".." cannot match; name the path itself');
  const alternatives = expandBraces(glob);
  if (alternatives === null) return err("its braces are not closed, or make too many patterns");
  const compiled: { readonly tokens: readonly Token[]; readonly whole: boolean }[] = [];
  for (const alternative of alternatives) {
    if (alternative.startsWith("/") || alternative.split("/").includes("..")) {
      return err('a pattern is relative to the workspace, without a leading / and ".."');
    }
    const tokens = tokensOf([...alternative]);
    if (tokens === null) return err("it has an unclosed [, a range in the wrong order, or ends in a backslash");
    compiled.push({ tokens, whole: alternative.includes("/") });
  }
  return ok((path) => {
    const base = path.slice(path.lastIndexOf("/") + 1);
    return compiled.some(({ tokens, whole }) => takesAll(tokens, [...(whole ? path : base)]));
  });
}

/** `{a,b}` spelled out, also within each other; null where they are not closed or too many. */
function expandBraces(glob: string): string[] | null {
  const open = findUnescaped(glob, "{", 0);
  if (open === -1) return findUnescaped(glob, "}", 0) === -1 ? [glob] : null;
  if (findUnescaped(glob.slice(0, open), "}", 0) !== -1) return null;
  const parts: string[] = [];
  let depth = 0;
  let from = open + 1;
  let close = -1;
  for (let at = open; at < glob.length && close === -1; at++) {
    const character = glob[at];
    if (character === "\\") at++;
    else if (character === "{") depth++;
    else if (character === "," && depth === 1) {
      parts.push(glob.slice(from, at));
      from = at + 1;
    } else if (character === "}" && --depth === 0) {
      parts.push(glob.slice(from, at));
      close = at;
    }
  }
  if (close === -1) return null;
  const all: string[] = [];
  for (const part of parts) {
    const expanded = expandBraces(glob.slice(0, open) + part + glob.slice(close + 1));
    if (expanded === null || all.length + expanded.length > alternativesMax) return null;
    all.push(...expanded);
  }
  return all;
}

/** Outside of brackets and not after a backslash. */
function findUnescaped(text: string, wanted: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === "[") {
      const end = text.indexOf("]", at + 2);
      if (end !== -1) at = end;
    } else if (text[at] === wanted) return at;
  }
  return -1;
}

function tokensOf(glob: readonly string[]): Token[] | null {
  const tokens: Token[] = [];
  for (let at = 0; at < glob.length; ) {
    const character = glob[at] as string;
    if (character === "*") {
      let end = at;
      while (glob[end] === "*") end++;
      const isSegment = end - at === 2 && (at === 0 || glob[at - 1] === "/");
      if (isSegment && glob[end] === "/") {
        tokens.push({ kind: "directories" });
        end++;
      } else tokens.push({ kind: isSegment && end === glob.length ? "anything" : "star" });
      at = end;
    } else if (character === "[") {
      const set = readSet(glob, at + 1);
      if (set === null) return null;
      tokens.push({ kind: "character", takes: set.takes });
      at = set.end;
    } else if (character === "?") {
      tokens.push({ kind: "character", takes: (one) => one !== "/" });
      at++;
    } else {
      if (character === "\\") at++;
      const literal = glob[at];
      if (literal === undefined) return null;
      tokens.push({ kind: "character", takes: (one) => one === literal });
      at++;
    }
  }
  return tokens;
}

/** `[a-z]`, `[^a]`, `[!a]`; a `]` in the first place is a member. */
function readSet(glob: readonly string[], start: number) {
  let at = start;
  const negated = glob[at] === "^" || glob[at] === "!";
  if (negated) at++;
  const ranges: (readonly [string, string])[] = [];
  for (let isFirst = true; isFirst || glob[at] !== "]"; isFirst = false) {
    const low = member(glob, at);
    if (low === null) return null;
    at = low.end;
    let high = low;
    if (glob[at] === "-" && glob[at + 1] !== "]" && glob[at + 1] !== undefined) {
      const read = member(glob, at + 1);
      if (read === null) return null;
      high = read;
      at = read.end;
    }
    if (point(low.character) > point(high.character)) return null;
    ranges.push([low.character, high.character]);
  }
  const takes = (one: string) => {
    const isMember = ranges.some(([low, high]) => point(low) <= point(one) && point(one) <= point(high));
    return one !== "/" && isMember !== negated;
  };
  return { takes, end: at + 1 };
}

function member(glob: readonly string[], at: number): { readonly character: string; readonly end: number } | null {
  const escaped = glob[at] === "\\";
  const character = glob[escaped ? at + 1 : at];
  return character === undefined ? null : { character, end: at + (escaped ? 2 : 1) };
}

function point(character: string): number {
  return character.codePointAt(0) ?? 0;
}

/** All places of the pattern at once, so that the work is bounded by the product of the lengths. */
function takesAll(tokens: readonly Token[], text: readonly string[]): boolean {
  let places = withSkips(tokens, [0]);
  for (const character of text) {
    const next: number[] = [];
    for (const place of places) {
      const token = tokens[place];
      if (token === undefined) continue;
      if (token.kind === "character") {
        if (token.takes(character)) next.push(place + 1);
      } else if (token.kind !== "star" || character !== "/") next.push(place);
    }
    // Whole directories end only after a `/`.
    places = withSkips(tokens, next, character === "/");
    if (places.length === 0) return false;
  }
  return places.includes(tokens.length);
}

/** The places themselves, and those behind wildcards that may take nothing more. */
function withSkips(tokens: readonly Token[], places: readonly number[], afterSlash = true): number[] {
  const all = new Set<number>();
  for (const start of places) {
    for (let place = start; !all.has(place); place++) {
      all.add(place);
      const kind = tokens[place]?.kind;
      const isSkippable = kind === "star" || kind === "anything" || (kind === "directories" && afterSlash);
      if (!isSkippable) break;
    }
  }
  return [...all];
}
