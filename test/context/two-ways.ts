// A cache in memory, answered in two ways: by the contents of its documents, and by the packed word index alone.
import {
  type CachedDocument,
  planText,
  type Question,
  resolvedDocumentText,
  resolveText,
  termsText,
} from "../../src/domain/context/answer-text";
import { usableDocument } from "../../src/domain/context/cache-document";
import { readManifest, usableManifest } from "../../src/domain/context/cache-manifest";
import { packDocuments, unpackDocuments } from "../../src/domain/context/index-facts";
import { tokensOf } from "../../src/domain/context/score";
import { compareScored, fillBudget, type Selection, scored } from "../../src/domain/context/selection";
import { addMatches, bucketOf, type IndexedDocument, WordIndexBuilder } from "../../src/domain/context/word-index";
import { countMatches, countWords } from "../../src/domain/context/words";
import { sha256Hex } from "../../src/domain/hash";

export interface MemoryDocument extends CachedDocument {
  readonly content: string;
}

export function memoryDocument(id: string, content: string): MemoryDocument {
  const { totalWords } = countWords(content);
  const tokens = tokensOf(Buffer.byteLength(content));
  return { id, version: `sha256:${sha256Hex(content)}`, source: id, content, tokens, totalWords };
}

/** The documents of a cache by the bytes of its files; null if it is invalid. */
export function loadCache(files: Readonly<Record<string, string>>): MemoryDocument[] | null {
  const text = files["manifest.json"];
  const manifest = usableManifest(readManifest(text === undefined ? null : Buffer.from(text)));
  if (manifest === null) return null;
  const documents: MemoryDocument[] = [];
  for (const entry of manifest.documents) {
    const file = files[entry.path];
    const document = file === undefined ? null : usableDocument(Buffer.from(file), entry);
    if (document === null) return null;
    documents.push({ ...memoryDocument(document.id, document.content), source: document.source });
  }
  return documents;
}

export function selectPlainly(
  documents: readonly MemoryDocument[],
  { terms, budget }: Question,
): Selection<MemoryDocument> {
  const distinct = new Set(terms);
  const all = documents.map((document) => scored(document, countMatches(countWords(document.content), distinct)));
  return fillBudget(all.sort(compareScored), budget);
}

/** Goes through the bytes as they are stored. */
export function selectByIndex(
  documents: readonly MemoryDocument[],
  { terms, budget }: Question,
): Selection<IndexedDocument> {
  const builder = new WordIndexBuilder();
  for (const { content } of documents) builder.add(countWords(content).counts);
  const segments = builder.finish();
  if (segments === null) throw new Error("the index is too large");
  const facts = documents.map((document) => ({ ...document, blob: sha256Hex(`file of ${document.id}`) }));
  const unpacked = unpackDocuments(packDocuments(facts));
  const matches = new Uint32Array(unpacked.length);
  for (const { firstDocument, buckets } of segments) {
    for (const term of new Set(terms)) {
      const bucket = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
        buckets[bucketOf(term, buckets.length)],
      );
      addMatches(bucket, term, firstDocument, matches);
    }
  }
  const all = unpacked.map((document, index) => scored(document, matches[index] ?? 0));
  return fillBudget(all.sort(compareScored), budget);
}

export function answerText(
  documents: readonly MemoryDocument[],
  question: Question,
  selection: Selection<CachedDocument>,
): string {
  const contents = new Map(documents.map(({ id, content }) => [id, content]));
  const terms = termsText(question.terms);
  const items = selection.selected.map((one) => resolvedDocumentText(one, contents.get(one.id) ?? "", terms));
  return resolveText(items, question, selection);
}

export { planText };
