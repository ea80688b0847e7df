/** Globs of `include` and `exclude` (context.md §7): `*`, `?`, `[…]`, `{a,b}` and `**`. Case counts; wildcards meet leading dots too. */

/** One character of a name: this one, any, or one of a class. `null` stands for `*`. */
type Token = string | CharacterTest | null;
type CharacterTest = (character: string) => boolean;
/** The tokens of a name; `null` stands for `**`, any number of directories. */
type NamePattern = readonly Token[] | null;

export type PathMatcher = (relativePath: string) => boolean;

/** More than anybody writes, and few enough to try them all on every path. */
const expansionsMax = 1000;

/** Null: its braces stand for too many globs. */
export function compileGlob(glob: string): PathMatcher | null {
  const expanded = expandBraces(glob);
  if (expanded === null) return null;
  const patterns = expanded.map(parsePattern);
  return function matchesGlob(relativePath) {
    const names = relativePath.split("/").map((name) => Array.from(name));
    return patterns.some((pattern) => matchesNames(pattern, names));
  };
}

/** Every glob that comes of the braces; one without a comma, or without an end, stands for itself. */
function expandBraces(glob: string): string[] | null {
  const finished: string[] = [];
  const waiting = [{ glob, from: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const braces = findBraces(next.glob, next.from);
    if (braces === null) finished.push(next.glob);
    else {
      for (const alternative of braces.alternatives) {
        const glob = next.glob.slice(0, braces.start) + alternative + next.glob.slice(braces.end);
        waiting.push({ glob, from: braces.start });
      }
    }
    if (finished.length + waiting.length > expansionsMax) return null;
  }
  return finished;
}

interface Braces {
  readonly start: number;
  /** Just after the closing one. */
  readonly end: number;
  readonly alternatives: readonly string[];
}

function findBraces(glob: string, from: number): Braces | null {
  for (let start = from; start < glob.length; start++) {
    if (glob[start] === "\\") start++;
    else if (glob[start] === "{") {
      const braces = bracesAt(glob, start);
      if (braces !== null) return braces;
    }
  }
  return null;
}

function bracesAt(glob: string, start: number): Braces | null {
  const alternatives: string[] = [];
  let depth = 0;
  let begin = start + 1;
  for (let at = start; at < glob.length; at++) {
    const character = glob[at];
    if (character === "\\") at++;
    else if (character === "{") depth++;
    else if (character === "," && depth === 1) {
      alternatives.push(glob.slice(begin, at));
      begin = at + 1;
    } else if (character === "}" && --depth === 0) {
      if (alternatives.length === 0) return null;
      return { start, end: at + 1, alternatives: [...alternatives, glob.slice(begin, at)] };
    }
  }
  return null;
}

function parsePattern(glob: string): NamePattern[] {
  const names: NamePattern[] = glob.split("/").map((name) => (name === "**" ? null : parseName(name)));
  // What is meant is what lies below: `a/**` is no file `a`.
  if (names.at(-1) === null) names.push([null]);
  return names;
}

function parseName(text: string): Token[] {
  const characters = Array.from(text);
  const tokens: Token[] = [];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] as string;
    if (character === "*") {
      if (tokens.at(-1) !== null) tokens.push(null);
    } else if (character === "?") tokens.push(() => true);
    else if (character === "\\" && at + 1 < characters.length) tokens.push(characters[++at] as string);
    else {
      const found = character === "[" ? parseClass(characters, at) : null;
      tokens.push(found?.test ?? character);
      at = found?.last ?? at;
    }
  }
  return tokens;
}

/** `[a-z_]`, `[!a]` or `[^a]`; null if it has no end, so that the bracket stands for itself. A `]` right at the beginning is one of the class. */
function parseClass(characters: readonly string[], start: number): { test: CharacterTest; last: number } | null {
  let at = start + 1;
  const isNegated = characters[at] === "!" || characters[at] === "^";
  if (isNegated) at++;
  const ranges: (readonly [first: string, last: string])[] = [];
  for (const first = at; characters[at] !== "]" || at === first; ) {
    const low = literalAt(characters, at);
    if (low === null) return null;
    at = low.next;
    const high = characters[at] === "-" && characters[at + 1] !== "]" ? literalAt(characters, at + 1) : null;
    ranges.push([low.character, high?.character ?? low.character]);
    at = high?.next ?? at;
  }
  const test = (character: string) => {
    const code = codeOf(character);
    return ranges.some(([low, high]) => codeOf(low) <= code && code <= codeOf(high)) !== isNegated;
  };
  return { test, last: at };
}

function literalAt(characters: readonly string[], at: number): { character: string; next: number } | null {
  const next = characters[at] === "\\" ? at + 1 : at;
  const character = characters[next];
  return character === undefined ? null : { character, next: next + 1 };
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}

/** Both kinds of stars are tried shortest first, and only the last one grows: the steps are bounded by pattern times text. */
function matchesNames(pattern: readonly NamePattern[], names: readonly (readonly string[])[]): boolean {
  return matchesSequence(pattern, names, (one, name) => one !== null && matchesName(one, name));
}

function matchesName(tokens: readonly Token[], name: readonly string[]): boolean {
  return matchesSequence(tokens, name, (token, character) =>
    typeof token === "function" ? token(character) : token === character,
  );
}

function matchesSequence<One, Item>(
  pattern: readonly (One | null)[],
  items: readonly Item[],
  matches: (one: One | null, item: Item) => boolean,
): boolean {
  let at = 0;
  let item = 0;
  let star = -1;
  let starItem = 0;
  while (item < items.length) {
    const one = pattern[at];
    if (at < pattern.length && one === null) {
      star = at++;
      starItem = item;
    } else if (at < pattern.length && matches(one as One, items[item] as Item)) {
      at++;
      item++;
    } else if (star !== -1) {
      at = star + 1;
      item = ++starItem;
    } else return false;
  }
  while (at < pattern.length && pattern[at] === null) at++;
  return at === pattern.length;
}
