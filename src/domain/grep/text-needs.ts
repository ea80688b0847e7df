import type { RE2JS } from "re2js";

/** Texts joined by and / or. */
export type Needs =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "all" | "any"; readonly of: readonly Needs[] };

/** What a text has if an expression matches anywhere in it. Many texts lack it, and that is told without the expression. */
export interface TextNeeds {
  /** The needed texts are ASCII without capitals, and stand for what is equal to them but for case. */
  readonly folded: boolean;
  readonly needs: Needs;
}

/** The part of re2js's prefilter that is read here: texts that a match must have, joined by and / or. */
interface Re2Prefilter {
  readonly type: number;
  readonly str: string;
  readonly subs: readonly Re2Prefilter[];
}

const exact = 1;
const allOf = 2;
const anyOf = 3;
/** The platform's search for a long text can be made to take time in proportion to its length, at every character. */
export const indexOfMaxUnits = 64;
/** Each needed text is looked for by itself; of more, one walk of the automaton is quicker. */
const textsMax = 12;

export function needsOfLiteral(literal: string, caseSensitive: boolean): TextNeeds | null {
  return needed(caseSensitive ? leaf(literal) : foldedLeaf(literal), !caseSensitive);
}

/** If case makes no difference, give the expression as it would be if it made one: re2js tells nothing of the other. */
export function needsOfExpression(compiledWithCase: RE2JS, caseSensitive: boolean): TextNeeds | null {
  const prefilter = compiledWithCase.re2().prefilter as Re2Prefilter | null;
  if (prefilter === null) return null;
  return needed(read(prefilter, caseSensitive ? leaf : foldedLeaf), !caseSensitive);
}

/** Has the text what is needed? False only if there is no match in it. */
export function meets(text: string, { folded, needs }: TextNeeds): boolean {
  return has(folded ? foldText(text) : text, needs);
}

/**
 * Every ASCII letter as it is without capitals, and what equals one but for case: the sign of Kelvin becomes `k` by itself, `ſ` no `s`.
 * `İ` becomes `i` and an accent; whoever looks for `i` finds too much there, which does no harm.
 */
function foldText(text: string): string {
  const lowered = text.toLowerCase();
  return lowered.includes("ſ") ? lowered.replaceAll("ſ", "s") : lowered;
}

function has(text: string, needs: Needs): boolean {
  if (needs.kind === "text") return text.indexOf(needs.text) !== -1;
  return needs.kind === "all" ? needs.of.every((one) => has(text, one)) : needs.of.some((one) => has(text, one));
}

function needed(needs: Needs | null, folded: boolean): TextNeeds | null {
  return needs === null ? null : { folded, needs };
}

function leaf(text: string): Needs {
  return { kind: "text", text: text.slice(0, indexOfMaxUnits) };
}

/** Only the ASCII parts: which other characters are equal but for case is for re2js to say. */
function foldedLeaf(text: string): Needs | null {
  const parts = text.toLowerCase().match(/[\0-\x7f]+/g) ?? [];
  return all(parts.map(leaf));
}

function read({ type, str, subs }: Re2Prefilter, leafOf: (text: string) => Needs | null): Needs | null {
  if (type === exact) return leafOf(str);
  const of = subs.map((sub) => read(sub, leafOf));
  if (type === allOf) return all(of.filter((one) => one !== null));
  return type === anyOf && !of.includes(null) ? any(of.filter((one) => one !== null)) : null;
}

/** All of them, or as many as are not too much: those with the longest texts say most. */
function all(of: readonly Needs[]): Needs | null {
  const kept: Needs[] = [];
  let texts = 0;
  for (const one of of.toSorted((left, right) => shortest(right) - shortest(left))) {
    if (texts + count(one) > textsMax) break;
    texts += count(one);
    kept.push(one);
  }
  return kept.length > 1 ? { kind: "all", of: kept } : (kept[0] ?? null);
}

function any(of: readonly Needs[]): Needs | null {
  const texts = of.reduce((sum, one) => sum + count(one), 0);
  return texts === 0 || texts > textsMax ? null : { kind: "any", of };
}

function count(needs: Needs): number {
  return needs.kind === "text" ? 1 : needs.of.reduce((sum, one) => sum + count(one), 0);
}

function shortest(needs: Needs): number {
  return needs.kind === "text" ? needs.text.length : Math.min(...needs.of.map(shortest));
}
