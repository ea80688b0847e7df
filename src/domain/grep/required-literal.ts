import type { RE2JS } from "re2js";

/** The part of re2js's prefilter that is read here: texts that a match must have, joined by and / or. */
interface Re2Prefilter {
  readonly type: number;
  readonly str: string;
  readonly subs: readonly Re2Prefilter[];
}

const exact = 1;
const allOf = 2;
/** The platform's search for a long text can be made to take time in proportion to its length, at every character. */
export const indexOfMaxUnits = 64;

/** The longest text that stands in every match, or its beginning, or null if none is known. Lines without it need no automaton. */
export function requiredLiteral(compiled: RE2JS): string | null {
  const prefilter = compiled.re2().prefilter as Re2Prefilter | null;
  const literals = prefilter === null ? [] : literalsOf(prefilter);
  const longest = literals.reduce((best, text) => (text.length > best.length ? text : best), "");
  return longest === "" ? null : longest.slice(0, indexOfMaxUnits);
}

function literalsOf({ type, str, subs }: Re2Prefilter): readonly string[] {
  if (type === exact) return [str];
  return type === allOf ? subs.flatMap(literalsOf) : [];
}
