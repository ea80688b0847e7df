import type { StreamEnd } from "./entry-meter";

/** Raw deflate, as the platform has it. It tells exactly how much of the input belongs to the stream, which DecompressionStream does not. */
export interface Codec {
  /** "over": more than `maxBytes` come out. */
  inflateWhole(data: Uint8Array, maxBytes: number): { readonly bytes: Uint8Array; readonly end: StreamEnd } | "over";
  /** Hands out pieces as they come; stops, with null, when `take` returns false. */
  inflate(data: AsyncIterable<Uint8Array>, take: (piece: Uint8Array) => Promise<boolean>): Promise<StreamEnd | null>;
  deflateWhole(data: Uint8Array): Uint8Array;
  deflate(data: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
}
