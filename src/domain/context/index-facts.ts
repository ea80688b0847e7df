import { sha256HexOfChunks } from "../hash";
import type { IndexedDocument } from "./word-index";

/** The part of an index that every query needs: the documents, packed into rows of the database. */

const pieceCharacters = 256 * 1024;

export function packDocuments(documents: readonly IndexedDocument[]): Uint8Array[] {
  const encoder = new TextEncoder();
  const pieces: Uint8Array[] = [];
  let lines: string[] = [];
  let characters = 0;
  for (const { id, version, source, blob, tokens, totalWords } of documents) {
    const line = JSON.stringify([id, version, source, blob, tokens, totalWords]);
    if (characters > 0 && characters + line.length > pieceCharacters) {
      pieces.push(encoder.encode(`[${lines.join(",")}]`));
      lines = [];
      characters = 0;
    }
    lines.push(line);
    characters += line.length;
  }
  if (lines.length > 0) pieces.push(encoder.encode(`[${lines.join(",")}]`));
  return pieces;
}

type Packed = readonly [
  id: string,
  version: string,
  source: string,
  blob: IndexedDocument["blob"],
  tokens: number,
  totalWords: number,
];

export function unpackDocuments(pieces: Iterable<Uint8Array>): IndexedDocument[] {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const documents: IndexedDocument[] = [];
  for (const piece of pieces) {
    for (const [id, version, source, blob, tokens, totalWords] of JSON.parse(decoder.decode(piece)) as Packed[]) {
      documents.push({ id, version, source, blob, tokens, totalWords });
    }
  }
  return documents;
}

/** How documents and words are packed and described; a new way needs a new number. */
const packing = 2;
let casing: string | undefined;

/**
 * What an index depends on besides contents: how it is packed, and the lower case of this runtime, which a newer version of
 * Unicode may change. Told by what it does to every character of the planes that have case.
 */
export function indexRules(): string {
  casing ??= sha256HexOfChunks(lowerCases());
  return `${packing}:${casing}`;
}

const casePlanesEnd = 0x20000;
const stride = 1024;

function* lowerCases(): Generator<string> {
  for (let first = 0; first < casePlanesEnd; first += stride) {
    const codes = Array.from({ length: stride }, (_, index) => first + index);
    yield String.fromCodePoint(...codes.filter((code) => code < 0xd800 || code > 0xdfff)).toLowerCase();
  }
}
