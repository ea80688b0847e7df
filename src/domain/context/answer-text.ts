import { contextExcludedMax } from "../limits";
import { floatText } from "./score";
import type { DocumentWeight, Scored, Selection } from "./selection";

/** The bytes of answers. JSON.stringify escapes strings just as §5.4 asks; numbers and the order of fields are written by hand. */

/** A document as the cache has it; `source` never matters to a selection. */
export interface CachedDocument extends DocumentWeight {
  readonly version: string;
  readonly source: string;
}

export interface Question {
  readonly query: string;
  /** The words of the query, duplicates kept. */
  readonly terms: readonly string[];
  readonly budget: number;
}

/** `terms` as JSON; it stands in every document of an answer, so it is made once. */
export function termsText(terms: readonly string[]): string {
  return JSON.stringify(terms);
}

export function resolvedDocumentText(document: Scored<CachedDocument>, content: string, terms: string): string {
  const { id, version } = document;
  const head = `{"id":${JSON.stringify(id)},"version":${JSON.stringify(version)},"content":${JSON.stringify(content)}`;
  return `${head},${weightText(document)},${whyText(document, terms)}}`;
}

/** The whole answer of resolve, without the newline that ends its text block. */
export function resolveText(
  documents: readonly string[],
  question: Question,
  selection: Selection<CachedDocument>,
): string {
  return `{"documents":[${documents.join(",")}],"selection":${selectionText(question, selection)}}`;
}

/** context.md §5.5: what resolve would select, without contents, and what the budget left out. */
export function planText(question: Question, selection: Selection<CachedDocument>): string {
  const terms = termsText(question.terms);
  const documents = selection.selected.map((document) => {
    const { id, version, source } = document;
    const head = `{"id":${JSON.stringify(id)},"version":${JSON.stringify(version)},"source":${JSON.stringify(source)}`;
    return `${head},${weightText(document)},${whyText(document, terms)}}`;
  });
  const excluded = selection.excluded
    .slice(0, contextExcludedMax)
    .map((document) => `{"id":${JSON.stringify(document.id)},${weightText(document)}}`);
  const isCut = selection.excluded.length > contextExcludedMax;
  return `{"documents":[${documents.join(",")}],"excluded":[${excluded.join(",")}],"excluded_truncated":${isCut},"selection":${selectionText(question, selection)}}`;
}

function weightText({ score, tokens }: Scored<DocumentWeight>): string {
  return `"score":${floatText(score)},"tokens":${tokens}`;
}

function whyText({ termMatches, totalWords }: Scored<DocumentWeight>, terms: string): string {
  return `"why":{"query_terms":${terms},"term_matches":${termMatches},"total_words":${totalWords}}`;
}

function selectionText({ query, budget }: Question, selection: Selection<DocumentWeight>): string {
  const { selected, excluded, tokensUsed } = selection;
  const spent = `"query":${JSON.stringify(query)},"budget":${budget},"tokens_used":${tokensUsed}`;
  const counted = `"documents_considered":${selected.length + excluded.length},"documents_selected":${selected.length}`;
  return `{${spent},${counted},"documents_excluded_by_budget":${excluded.length}}`;
}
