import { indexRules, packDocuments, unpackDocuments } from "../../domain/context/index-facts";
import { addMatches, bucketOf, type IndexedDocument, type WordSegment } from "../../domain/context/word-index";
import { type Sha256, sha256Hex } from "../../domain/hash";
import { contextIndexesMaxBytes, contextIndexMaxBytes } from "../../domain/limits";
import type { RootPath } from "../../domain/path";

/** The number of the segment under which the documents themselves are kept. */
const documentsSegment = -1;
/** `used_at_ms` is written at most this often, so that a query does not cost a write. */
const usedStepMs = 24 * 60 * 60 * 1000;
/** Documents of all indexes that are kept in memory together. */
const warmDocumentsMax = 30_000;

interface Segment {
  readonly firstDocument: number;
  readonly buckets: number;
}

/** What an index consists of, as the column `segments` has it. */
interface Layout {
  readonly documentCount: number;
  readonly segments: readonly Segment[];
}

/** The documents of a cache, known to be valid, and where their words are. */
export interface ContextIndex {
  readonly path: RootPath;
  readonly key: Sha256;
  readonly documents: readonly IndexedDocument[];
  readonly segments: readonly Segment[];
}

/** Word indexes of caches (context.md §9), one per path. All of it can be dropped at any time and is then made anew. */
export class ContextIndexes {
  private readonly warm = new Map<RootPath, ContextIndex>();

  constructor(private readonly sql: SqlStorage) {}

  /** Stands for the manifest and every document of a cache as they are now: any other content, name or file in it is another key. */
  keyOf(path: RootPath): Sha256 {
    const rows = this.sql
      .exec(
        "SELECT path, blob FROM nodes WHERE kind = 'file' AND path > ? AND path < ? ORDER BY path",
        `${path}/`,
        `${path}0`,
      )
      .raw<[path: string, blob: string]>();
    let lines = `${indexRules()}\n`;
    for (const [file, blob] of rows) lines += `${file.slice(path.length)}\n${blob}\n`;
    return sha256Hex(lines);
  }

  /** The index of exactly the contents that `key` stands for. Null: there is none, or not all of it. */
  find(path: RootPath, key: Sha256, nowMs: number): ContextIndex | null {
    const warm = this.warm.get(path);
    if (warm?.key === key) return this.keepWarm(warm);
    const row = this.sql
      .exec<{ segments: string; used_at_ms: number }>(
        "SELECT segments, used_at_ms FROM context_indexes WHERE path = ? AND key = ?",
        path,
        key,
      )
      .toArray()[0];
    if (row === undefined) return null;
    if (row.used_at_ms + usedStepMs <= nowMs) {
      this.sql.exec("UPDATE context_indexes SET used_at_ms = ? WHERE path = ?", nowMs, path);
    }
    const { documentCount, segments } = JSON.parse(row.segments) as Layout;
    const documents = unpackDocuments(this.documentParts(path));
    // Parts of it may be gone: fewer documents would be another answer.
    return documents.length === documentCount ? this.keepWarm({ path, key, documents, segments }) : null;
  }

  /** Of each document, how many of its words equal some term. Null: the words are gone. */
  matches({ path, documents, segments }: ContextIndex, terms: ReadonlySet<string>): Uint32Array | null {
    const matches = new Uint32Array(documents.length);
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    for (const [number, { firstDocument, buckets }] of segments.entries()) {
      const wanted = Map.groupBy(terms, (term) => bucketOf(term, buckets));
      for (const [bucket, some] of wanted) {
        const part = this.part(path, number, bucket);
        if (part === null) return null;
        const text = decoder.decode(part);
        for (const term of some) addMatches(text, term, firstDocument, matches);
      }
    }
    return matches;
  }

  /** In one transaction of the caller. What is too large is not kept. */
  keep(
    path: RootPath,
    key: Sha256,
    documents: readonly IndexedDocument[],
    words: readonly WordSegment[],
    nowMs: number,
  ): void {
    const parts = [
      ...packDocuments(documents).map((bytes, number) => ({ segment: documentsSegment, number, bytes })),
      ...words.flatMap(({ buckets }, segment) => buckets.map((bytes, number) => ({ segment, number, bytes }))),
    ];
    const bytes = parts.reduce((sum, part) => sum + part.bytes.length, 0);
    this.drop(path);
    if (bytes > contextIndexMaxBytes) return;
    this.makeRoom(bytes);
    const segments = words.map(({ firstDocument, buckets }): Segment => ({ firstDocument, buckets: buckets.length }));
    const layout: Layout = { documentCount: documents.length, segments };
    this.sql.exec(
      "INSERT INTO context_indexes (path, key, segments, bytes, used_at_ms) VALUES (?, ?, ?, ?, ?)",
      path,
      key,
      JSON.stringify(layout),
      bytes,
      nowMs,
    );
    for (const part of parts) {
      this.sql.exec(
        "INSERT INTO context_index_parts (path, segment, number, bytes) VALUES (?, ?, ?, ?)",
        path,
        part.segment,
        part.number,
        part.bytes,
      );
    }
  }

  private drop(path: string): void {
    this.warm.delete(path as RootPath);
    this.sql.exec("DELETE FROM context_indexes WHERE path = ?", path);
    this.sql.exec("DELETE FROM context_index_parts WHERE path = ?", path);
  }

  /** Those unused for longest go first. */
  private makeRoom(bytes: number): void {
    const rows = this.sql
      .exec<{ path: string; bytes: number }>("SELECT path, bytes FROM context_indexes ORDER BY used_at_ms, path")
      .toArray();
    let total = rows.reduce((sum, row) => sum + row.bytes, bytes);
    for (const row of rows) {
      if (total <= contextIndexesMaxBytes) return;
      this.drop(row.path);
      total -= row.bytes;
    }
  }

  private documentParts(path: RootPath): Uint8Array[] {
    return this.sql
      .exec<{ bytes: ArrayBuffer }>(
        "SELECT bytes FROM context_index_parts WHERE path = ? AND segment = ? ORDER BY number",
        path,
        documentsSegment,
      )
      .toArray()
      .map(({ bytes }) => new Uint8Array(bytes));
  }

  private part(path: RootPath, segment: number, number: number): Uint8Array | null {
    const row = this.sql
      .exec<{ bytes: ArrayBuffer }>(
        "SELECT bytes FROM context_index_parts WHERE path = ? AND segment = ? AND number = ?",
        path,
        segment,
        number,
      )
      .toArray()[0];
    return row === undefined ? null : new Uint8Array(row.bytes);
  }

  private keepWarm(index: ContextIndex): ContextIndex {
    this.warm.delete(index.path);
    this.warm.set(index.path, index);
    let documents = 0;
    for (const one of this.warm.values()) documents += one.documents.length;
    for (const [path, one] of this.warm) {
      if (documents <= warmDocumentsMax || path === index.path) break;
      this.warm.delete(path);
      documents -= one.documents.length;
    }
    return index;
  }
}
