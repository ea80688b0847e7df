import { compareUtf8 } from "../byte-order";
import { scoreOf } from "./score";

/** What a document weighs, whatever the query. */
export interface DocumentWeight {
  readonly id: string;
  readonly tokens: number;
  readonly totalWords: number;
}

export type Scored<Document extends DocumentWeight> = Document & {
  readonly termMatches: number;
  readonly score: number;
};

export interface Selection<Document extends DocumentWeight> {
  readonly selected: readonly Scored<Document>[];
  /** What did not fit, in order. */
  readonly excluded: readonly Scored<Document>[];
  readonly tokensUsed: number;
}

export function scored<Document extends DocumentWeight>(document: Document, termMatches: number): Scored<Document> {
  return { ...document, termMatches, score: scoreOf(termMatches, document.totalWords) };
}

/** The best first; two fractions that round to one value are a tie, which the bytes of the ids decide. Ids are unique, so the order is total. */
export function compareScored(left: Scored<DocumentWeight>, right: Scored<DocumentWeight>): number {
  return right.score - left.score || compareUtf8(left.id, right.id);
}

/**
 * Greedy: takes what still fits and goes on past what does not, so that a later, smaller document may fill the rest.
 * A budget of 0 selects nothing, not even an empty document.
 */
export function fillBudget<Document extends DocumentWeight>(
  ordered: readonly Scored<Document>[],
  budget: number,
): Selection<Document> {
  const selected: Scored<Document>[] = [];
  const excluded: Scored<Document>[] = [];
  let tokensUsed = 0;
  for (const document of ordered) {
    if (budget > 0 && tokensUsed + document.tokens <= budget) {
      selected.push(document);
      tokensUsed += document.tokens;
    } else {
      excluded.push(document);
    }
  }
  return { selected, excluded, tokensUsed };
}
