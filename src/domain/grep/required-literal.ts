import type { RE2JS } from "re2js";

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
/** Each text of a set is looked for by itself; of more, one walk of the automaton is quicker. */
const setMax = 6;

/** Texts of which every match has one at least, or its beginning; null if none are known. Lines without them need no automaton. */
export function requiredLiterals(compiled: RE2JS): readonly string[] | null {
  const prefilter = compiled.re2().prefilter as Re2Prefilter | null;
  const texts = prefilter === null ? null : setOf(prefilter);
  return texts === null ? null : [...new Set(texts.map((text) => text.slice(0, indexOfMaxUnits)))];
}

function setOf({ type, str, subs }: Re2Prefilter): readonly string[] | null {
  if (type === exact) return [str];
  const sets = subs.map(setOf);
  if (type === allOf) return sets.reduce((best, set) => (isBetter(set, best) ? set : best), null);
  if (type !== anyOf || sets.includes(null)) return null;
  const united = sets.flatMap((set) => set ?? []);
  return united.length === 0 || united.length > setMax ? null : united;
}

/** One text before several; among those, the one whose shortest text is longer. */
function isBetter(set: readonly string[] | null, than: readonly string[] | null): boolean {
  if (set === null || than === null) return set !== null;
  if ((set.length === 1) !== (than.length === 1)) return set.length === 1;
  return shortest(set) > shortest(than);
}

function shortest(texts: readonly string[]): number {
  return Math.min(...texts.map((text) => text.length));
}
