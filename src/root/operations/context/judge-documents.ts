import { utf8Length } from "../../../domain/byte-order";
import { usableDocument } from "../../../domain/context/cache-document";
import { manifestFile } from "../../../domain/context/cache-format";
import { type ManifestEntry, readManifest, usableManifest } from "../../../domain/context/cache-manifest";
import type { ContextError } from "../../../domain/context/errors";
import { tokensOf } from "../../../domain/context/score";
import { type IndexedDocument, WordIndexBuilder, type WordSegment } from "../../../domain/context/word-index";
import { countMatches, countWords } from "../../../domain/context/words";
import { contextDocumentFileMaxBytes, contextManifestMaxBytes } from "../../../domain/limits";
import { err, ok, type Result } from "../../../domain/result";
import type { RootState } from "../../root-state";
import type { ViewFile } from "../../view/tree-view";
import { storedPieces } from "./storage-fault";
import { readCacheFile, type TakenCache, withinCache } from "./take-cache";

export interface JudgedDocuments {
  readonly documents: readonly IndexedDocument[];
  /** Of each document: words that equal some term. */
  readonly matches: readonly number[];
  /** Null: the index would be too large. */
  readonly segments: readonly WordSegment[] | null;
}

const invalid: ContextError = { code: "cache_invalid" };

/** The plain way: reads the manifest and every document, and judges them all (context.md §5.2), selected or not. */
export async function judgeDocuments(
  root: RootState,
  cache: TakenCache,
  terms: ReadonlySet<string>,
): Promise<Result<JudgedDocuments, ContextError>> {
  const files = new Map(cache.files.map((file) => [withinCache(cache.path, file.path), file]));
  const bytes = await readCacheFile(root, files.get(manifestFile), contextManifestMaxBytes);
  const manifest = usableManifest(readManifest(bytes));
  if (manifest === null) return err(invalid);
  const readable = readableDocuments(manifest.documents, files);
  const documents: IndexedDocument[] = [];
  const matches: number[] = [];
  const words = new WordIndexBuilder();
  const contents = root.blobs.readAll(
    readable.map(({ file }) => file),
    root.now(),
  );
  for await (const bytes of storedPieces(contents)) {
    const { entry, file } = readable[documents.length] as ReadableDocument;
    const document = usableDocument(bytes, entry);
    if (document === null) return err(invalid);
    const { id, source, content } = document;
    const counted = countWords(content);
    const { totalWords } = counted;
    const tokens = tokensOf(utf8Length(content));
    documents.push({ id, version: entry.version, source, blob: file.blob, tokens, totalWords });
    matches.push(countMatches(counted, terms));
    words.add(counted.counts);
  }
  if (documents.length < manifest.documents.length) return err(invalid);
  return ok({ documents, matches, segments: words.finish() });
}

interface ReadableDocument {
  readonly entry: ManifestEntry;
  readonly file: ViewFile;
}

/** Those before the first that is not there or too large: what is wrong first is told, and a failure of storage may come before. */
function readableDocuments(
  entries: readonly ManifestEntry[],
  files: ReadonlyMap<string, ViewFile>,
): ReadableDocument[] {
  const readable: ReadableDocument[] = [];
  for (const entry of entries) {
    const file = files.get(entry.path);
    if (file === undefined || file.size > contextDocumentFileMaxBytes) break;
    readable.push({ entry, file });
  }
  return readable;
}
