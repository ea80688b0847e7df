import {
  planText,
  type Question,
  resolvedDocumentText,
  resolveText,
  termsText,
} from "../../../domain/context/answer-text";
import { usableDocument } from "../../../domain/context/cache-document";
import type { ContextError } from "../../../domain/context/errors";
import type { Selection } from "../../../domain/context/selection";
import type { IndexedDocument } from "../../../domain/context/word-index";
import { responseMaxBytes } from "../../../domain/limits";
import type { RootPath } from "../../../domain/path";
import { err, ok, type Result } from "../../../domain/result";
import type { RootState } from "../../root-state";
import { rankDocuments } from "./rank-documents";
import { answered, stored, storedPieces } from "./storage-fault";

/** An answer holds its text twice, once as text and once as structure. */
const textMaxLength = responseMaxBytes / 2;

/** The exact text of the answer, without the newline at its end (context.md §5). Reads the documents that it returns, and no others if there is an index. */
export function resolveCache(
  root: RootState,
  path: RootPath,
  question: Question,
): Promise<Result<string, ContextError>> {
  return answered("context.resolve", async () => {
    const ranked = await rankDocuments(root, path, question);
    if (!ranked.ok) return ranked;
    const selection = ranked.value;
    const terms = termsText(question.terms);
    // Before anything is read: so long it is in any case.
    let length = selection.selected.reduce((sum, one) => sum + leastContent(one) + terms.length, 0);
    if (length > textMaxLength) return err(answerTooLarge(length));
    length = 0;
    const items: string[] = [];
    for await (const [document, content] of contentsOf(root, selection)) {
      const item = resolvedDocumentText(document, content, terms);
      length += item.length;
      if (length > textMaxLength) return err(answerTooLarge(length));
      items.push(item);
    }
    return ok(resolveText(items, question, selection));
  });
}

/** The same selection without contents (context.md §5.5). */
export function planCache(root: RootState, path: RootPath, question: Question): Promise<Result<string, ContextError>> {
  return answered("context.plan", async () => {
    const ranked = await rankDocuments(root, path, question);
    if (!ranked.ok) return ranked;
    const least = ranked.value.selected.length * termsText(question.terms).length;
    if (least > textMaxLength) return err(answerTooLarge(least));
    const text = planText(question, ranked.value);
    return text.length > textMaxLength ? err(answerTooLarge(text.length)) : ok(text);
  });
}

type Selected = Selection<IndexedDocument>["selected"][number];

async function* contentsOf(
  root: RootState,
  { selected }: Selection<IndexedDocument>,
): AsyncGenerator<readonly [Selected, string], void> {
  const files = selected.map((document) => ({ blob: document.blob, size: document.tokens * 4 }));
  let index = 0;
  for await (const bytes of storedPieces(root.blobs.readAll(files, root.now()))) {
    const document = selected[index++] as Selected;
    const { id, version } = document;
    const found = usableDocument(bytes, { id, version, file: "" });
    // It was judged by these very bytes: what storage gives now is something else.
    const content = stored(() => found ?? missing(document.blob)).content;
    yield [document, content];
  }
}

function missing(blob: string): never {
  throw new Error(`blob ${blob} no longer holds the document that it held`);
}

/** Characters of the content at least: four of its bytes make a token, and a character has three bytes per unit at most. */
function leastContent({ tokens }: IndexedDocument): number {
  return Math.max(0, Math.floor((tokens * 4 - 3) / 3));
}

function answerTooLarge(length: number): ContextError {
  const hint = `The answer would have more than ${2 * length} bytes; the limit is ${responseMaxBytes}. Ask with a smaller budget or a shorter query.`;
  return { code: "invalid_budget", hint };
}
