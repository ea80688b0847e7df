import type { StreamEnd } from "./entry-meter";

/** Raw deflate, as the platform has it. It tells exactly how much of the input belongs to the stream, which DecompressionStream does not. */
export interface Codec {
  /**
   * The fast way for a stream that is what it says: it fills `data` exactly, and this size and checksum come out. Null says nothing of the
   * stream: `inflateWhole` judges it.
   */
  inflateExpected(data: Uint8Array, size: number, crc: number): Uint8Array | null;
  /** "over": more than `maxBytes` come out. */
  inflateWhole(data: Uint8Array, maxBytes: number): { readonly bytes: Uint8Array; readonly end: StreamEnd } | "over";
  /** Hands out pieces as they come; stops, with null, when `take` returns false. */
  inflate(data: AsyncIterable<Uint8Array>, take: (piece: Uint8Array) => Promise<boolean>): Promise<StreamEnd | null>;
  deflateWhole(data: Uint8Array): Uint8Array;
  deflate(data: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
}
