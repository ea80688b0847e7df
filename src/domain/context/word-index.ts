import type { Sha256 } from "../hash";
import { contextIndexMaxBytes, contextIndexSegmentPairsMax, contextQueryMaxBytes } from "../limits";
import type { CachedDocument } from "./answer-text";

/**
 * The derived index of a cache (context.md §9): which words its documents have, how often. A pure function of their contents.
 * Words are spread over buckets, so that a query reads only those of its terms; documents come in segments, so that packing
 * the index of a large cache needs little memory.
 */

/** A document whose file was judged: it holds what the manifest says. */
export interface IndexedDocument extends CachedDocument {
  /** Hash of the document's file. */
  readonly blob: Sha256;
}

/** The words of consecutive documents. Each bucket has lines of a word, a tab, and its postings. */
export interface WordSegment {
  readonly firstDocument: number;
  readonly buckets: readonly Uint8Array[];
}

/** About this much is read for one term. */
const bucketTargetCharacters = 32 * 1024;
/** A row of the database may have 2 MB. */
const bucketMaxBytes = 1.5 * 1024 * 1024;
/** Lower case never has more UTF-16 units than the text had bytes, so no term is longer. */
const termMaxUnits = contextQueryMaxBytes;

export class WordIndexBuilder {
  /** Of each word, in turn: a document and how often the word is in it. */
  private postings = new Map<string, number[]>();
  private pairs = 0;
  private documents = 0;
  private firstDocument = 0;
  private readonly segments: WordSegment[] = [];
  private bytes = 0;
  private isTooLarge = false;

  /** The words of the next document. */
  add(counts: ReadonlyMap<string, number>): void {
    const document = this.documents++;
    if (this.isTooLarge) return;
    for (const [word, count] of counts) {
      if (word.length > termMaxUnits) continue;
      const list = this.postings.get(word);
      if (list === undefined) this.postings.set(word, [document, count]);
      else list.push(document, count);
    }
    this.pairs += counts.size;
    if (this.pairs >= contextIndexSegmentPairsMax) this.seal();
  }

  /** Null: the index would be larger than what is kept. */
  finish(): readonly WordSegment[] | null {
    if (this.postings.size > 0) this.seal();
    return this.isTooLarge ? null : this.segments;
  }

  private seal(): void {
    const buckets = packBuckets(this.postings, this.firstDocument);
    for (const { length } of buckets) {
      this.bytes += length;
      if (length > bucketMaxBytes) this.isTooLarge = true;
    }
    if (this.bytes > contextIndexMaxBytes) this.isTooLarge = true;
    this.segments.push({ firstDocument: this.firstDocument, buckets });
    if (this.isTooLarge) this.segments.length = 0;
    this.postings = new Map();
    this.pairs = 0;
    this.firstDocument = this.documents;
  }
}

function packBuckets(postings: ReadonlyMap<string, readonly number[]>, firstDocument: number): Uint8Array[] {
  const lines: string[] = [];
  const words: string[] = [];
  let characters = 0;
  for (const [word, list] of postings) {
    const line = `${word}\t${packPostings(list, firstDocument)}\n`;
    words.push(word);
    lines.push(line);
    characters += line.length;
  }
  const count = bucketCount(characters);
  const texts = Array.from({ length: count }, () => ["\n"]);
  for (const [index, word] of words.entries()) texts[bucketOf(word, count)]?.push(lines[index] as string);
  const encoder = new TextEncoder();
  return texts.map((text) => encoder.encode(text.join("")));
}

/** The next power of two. */
function bucketCount(characters: number): number {
  let count = 1;
  while (count * bucketTargetCharacters < characters) count *= 2;
  return count;
}

/** Distances between documents, and after a colon how often, unless once. */
function packPostings(list: readonly number[], firstDocument: number): string {
  let previous = firstDocument;
  let text = "";
  for (let at = 0; at < list.length; at += 2) {
    const document = list[at] as number;
    const count = list[at + 1] as number;
    text += `${at === 0 ? "" : " "}${document - previous}${count === 1 ? "" : `:${count}`}`;
    previous = document;
  }
  return text;
}

/** FNV-1a over UTF-16 units. */
export function bucketOf(word: string, buckets: number): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  return (hash >>> 0) % buckets;
}

/** Adds how often the term is in each document of the segment. No word has a tab or a newline in it, so nothing else can look like one. */
export function addMatches(bucket: string, term: string, firstDocument: number, matches: Uint32Array): void {
  const found = bucket.indexOf(`\n${term}\t`);
  if (found === -1) return;
  let document = firstDocument;
  let number = 0;
  let isCount = false;
  for (let at = found + term.length + 2; at < bucket.length; at++) {
    const code = bucket.charCodeAt(at);
    if (code >= digitZero && code < colon) number = number * 10 + code - digitZero;
    else {
      if (!isCount) document += number;
      // After a colon the number is the count; without one, the word is there once.
      if (code !== colon) matches[document] = (matches[document] ?? 0) + (isCount ? number : 1);
      if (code === newline) return;
      isCount = code === colon;
      number = 0;
    }
  }
}

const newline = 0x0a;
const digitZero = 0x30;
const colon = 0x3a;
