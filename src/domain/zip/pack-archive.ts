import { crc32 } from "../native-bytes";
import type { ArchiveReader } from "./archive-reader";
import type { Codec } from "./codec";
import { concatBytes } from "./concat-bytes";
import { withoutExtras } from "./extra-fields";
import { type PackedData, packedAs, type Segment, storedAs } from "./layout-archive";
import { encodeCentralRecord, encodeLocalHeader } from "./write-records";

/** Gives the content of a file in pieces. */
export type ReadContent = (hash: string) => AsyncIterable<Uint8Array>;

const wholeMaxBytes = 1024 * 1024;

/** What the content becomes, without keeping it: the sizes must be known before the first byte is written. */
export async function measureContent(
  content: AsyncIterable<Uint8Array>,
  size: number,
  isStored: boolean,
  codec: Codec,
  ratio: number,
): Promise<PackedData> {
  let crc = 0;
  const counted = tapped(content, (piece) => {
    crc = crc32(piece, crc);
  });
  if (isStored) {
    for await (const _ of counted);
    return storedAs({ crc, size });
  }
  let compressedSize = 0;
  for await (const piece of deflated(counted, size, codec)) compressedSize += piece.length;
  return packedAs({ crc, size, compressedSize }, ratio);
}

/** What is handed on at once: small pieces cost more to hand on than to copy. */
const pieceBytes = 256 * 1024;

/** The bytes of the new archive, in order, in pieces of one size but for the last. The same inputs give the same bytes. */
export async function* archiveBytes(
  segments: readonly Segment[],
  base: ArchiveReader,
  readContent: ReadContent,
  codec: Codec,
): AsyncGenerator<Uint8Array> {
  const pieces = new Pieces();
  for (const segment of segments) {
    const bytes = bytesAtHand(segment, base);
    if (bytes !== null) pieces.add(bytes);
    else {
      for await (const part of bytesFromElsewhere(segment, base, readContent, codec)) {
        pieces.add(part);
        for (const piece of pieces.takeFull()) yield piece;
      }
    }
    for (const piece of pieces.takeFull()) yield piece;
  }
  const rest = pieces.rest();
  if (rest.length > 0) yield rest;
}

/** Bytes of any length, put together to pieces. */
class Pieces {
  private full: Uint8Array[] = [];
  private piece = new Uint8Array(pieceBytes);
  private used = 0;

  add(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const part = bytes.subarray(at, at + pieceBytes - this.used);
      this.piece.set(part, this.used);
      this.used += part.length;
      at += part.length;
      if (this.used < pieceBytes) continue;
      this.full.push(this.piece);
      this.piece = new Uint8Array(pieceBytes);
      this.used = 0;
    }
  }

  takeFull(): readonly Uint8Array[] {
    const { full } = this;
    if (full.length > 0) this.full = [];
    return full;
  }

  rest(): Uint8Array {
    return this.piece.subarray(0, this.used);
  }
}

/** Most segments of ten thousand need not be waited for. Null: this one must. */
function bytesAtHand(segment: Segment, base: ArchiveReader): Uint8Array | null {
  switch (segment.kind) {
    case "bytes":
      return segment.bytes;
    case "local":
      return encodeLocalHeader(segment.record, segment.extraLength);
    case "central":
      return encodeCentralRecord(segment.record);
    case "copy":
      return base.held(segment.offset, segment.length);
    default:
      return null;
  }
}

async function* bytesFromElsewhere(
  segment: Segment,
  base: ArchiveReader,
  readContent: ReadContent,
  codec: Codec,
): AsyncGenerator<Uint8Array> {
  switch (segment.kind) {
    case "copy":
      yield* base.stream(segment.offset, segment.length);
      break;
    case "extra":
      yield withoutExtras((await base.bytes(segment.offset, segment.length)) ?? new Uint8Array(0), segment.without);
      break;
    case "data": {
      if (segment.packed.compressedSize === 0) break;
      const content = readContent(segment.hash);
      yield* segment.packed.method === 0 ? content : deflated(content, segment.packed.size, codec);
    }
  }
}

async function* deflated(content: AsyncIterable<Uint8Array>, size: number, codec: Codec): AsyncGenerator<Uint8Array> {
  if (size > wholeMaxBytes) {
    yield* codec.deflate(content);
    return;
  }
  const pieces: Uint8Array[] = [];
  for await (const piece of content) pieces.push(piece.slice());
  yield codec.deflateWhole(concatBytes(pieces));
}

async function* tapped(
  content: AsyncIterable<Uint8Array>,
  tap: (piece: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  for await (const piece of content) {
    tap(piece);
    yield piece;
  }
}
