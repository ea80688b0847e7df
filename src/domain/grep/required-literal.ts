import type { Needs } from "./text-needs";

/** Each text of a set is looked for by itself, line after line; of more, one walk of the automaton is quicker. */
const setMax = 6;

/** Texts of which every match has one at least, or its beginning; null if none are known. Lines without them need no automaton. */
export function requiredLiterals(needs: Needs): readonly string[] | null {
  const texts = setOf(needs);
  return texts === null ? null : [...new Set(texts)];
}

function setOf(needs: Needs): readonly string[] | null {
  if (needs.kind === "text") return [needs.text];
  const sets = needs.of.map(setOf);
  if (needs.kind === "all") return sets.reduce((best, set) => (isBetter(set, best) ? set : best), null);
  if (sets.includes(null)) return null;
  const united = sets.flatMap((set) => set ?? []);
  return united.length > setMax ? null : united;
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
