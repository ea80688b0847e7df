import { RE2JS } from "re2js";
import { occurrencesOf } from "./occurrences";
import { RegexSearch } from "./regex-search";
import { indexOfMaxUnits, needsOfLiteral, type TextNeeds } from "./text-needs";
import type { WorkMeter } from "./work-meter";

/** Where entries begin in a text: ascending offsets. */
export interface OffsetSearch {
  /** A text that does not meet them has no entries, and takes no work. */
  readonly needs: TextNeeds | null;
  starts(text: string, work: WorkMeter): Iterable<number>;
}

/** The search for a text that has no `\n`, so that no match crosses a line. */
export function createLiteralSearch(literal: string, caseSensitive: boolean): OffsetSearch {
  if (literal.length > indexOfMaxUnits) return automatonFor(literal, caseSensitive);
  if (!caseSensitive) return createFoldedSearch(literal);
  return { needs: needsOfLiteral(literal, true), starts: occurrencesOf(literal) };
}

/**
 * Simple folding. An ASCII literal is found in the lower-cased text: that keeps offsets and folds as RE2 does, but for two characters.
 * `ſ` folds to `s` and stays what it is; `İ` folds to nothing and becomes two characters.
 */
function createFoldedSearch(literal: string): OffsetSearch {
  let automaton: OffsetSearch | null = null;
  const lowered = literal.toLowerCase();
  const loweredOccurrences = occurrencesOf(lowered);
  const ascii = !/[\u0080-\uffff]/.test(literal);
  return {
    needs: needsOfLiteral(literal, false),
    starts(text, work) {
      if (ascii && !text.includes("İ") && !(lowered.includes("s") && text.includes("ſ"))) {
        return loweredOccurrences(text.toLowerCase());
      }
      automaton ??= automatonFor(literal, false);
      return automaton.starts(text, work);
    },
  };
}

function automatonFor(literal: string, caseSensitive: boolean): OffsetSearch {
  const compiled = RE2JS.compile(RE2JS.quote(literal), caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE);
  return new RegexSearch(compiled, undefined, needsOfLiteral(literal, caseSensitive));
}
