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

/** The bytes of the new archive, in order and in pieces. The same inputs give the same bytes. */
export async function* archiveBytes(
  segments: readonly Segment[],
  base: ArchiveReader,
  readContent: ReadContent,
  codec: Codec,
): AsyncGenerator<Uint8Array> {
  for (const segment of merged(segments)) {
    switch (segment.kind) {
      case "bytes":
        yield segment.bytes;
        break;
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
}

/** The same bytes in pieces of this size, the last one as it comes out: small ones cost more to hand on than to copy. */
export async function* inLargePieces(
  pieces: AsyncIterable<Uint8Array>,
  pieceBytes: number,
): AsyncGenerator<Uint8Array> {
  let held = new Uint8Array(pieceBytes);
  let heldBytes = 0;
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; ) {
      const part = piece.subarray(at, at + pieceBytes - heldBytes);
      held.set(part, heldBytes);
      heldBytes += part.length;
      at += part.length;
      if (heldBytes < pieceBytes) continue;
      yield held;
      held = new Uint8Array(pieceBytes);
      heldBytes = 0;
    }
  }
  if (heldBytes > 0) yield held.subarray(0, heldBytes);
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

type CopiedSegment = Exclude<Segment, { kind: "local" | "central" }>;

/** Neighbouring records as one run of bytes, so that ten thousand small headers are not ten thousand writes. */
function* merged(segments: readonly Segment[]): Generator<CopiedSegment> {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  for (const segment of segments) {
    const bytes = madeBytes(segment);
    if (held.length > 0 && (bytes === null || heldBytes >= wholeMaxBytes)) {
      yield { kind: "bytes", bytes: concatBytes(held) };
      held = [];
      heldBytes = 0;
    }
    if (bytes !== null) {
      held.push(bytes);
      heldBytes += bytes.length;
    } else yield segment as CopiedSegment;
  }
  if (held.length > 0) yield { kind: "bytes", bytes: concatBytes(held) };
}

/** Null: they come from elsewhere. */
function madeBytes(segment: Segment): Uint8Array | null {
  switch (segment.kind) {
    case "bytes":
      return segment.bytes;
    case "local":
      return encodeLocalHeader(segment.record, segment.extraLength);
    case "central":
      return encodeCentralRecord(segment.record);
    default:
      return null;
  }
}
