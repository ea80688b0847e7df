import { Buffer, isUtf8 as platformIsUtf8 } from "node:buffer";
import { crc32 as platformCrc32 } from "node:zlib";

/** What the platform does with bytes many times faster than a loop of ours. All of it is pure. */

/** CRC-32 as in zip and gzip. `crc` is what an earlier piece gave. */
export function crc32(bytes: Uint8Array, crc = 0): number {
  return platformCrc32(bytes, crc);
}

export function isUtf8(bytes: Uint8Array): boolean {
  return platformIsUtf8(bytes);
}

/** Where `wanted` begins at or after `from`; -1: nowhere. */
export function indexOfBytes(bytes: Uint8Array, wanted: Uint8Array, from = 0): number {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(wanted, from);
}

export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex");
}

export function fromHex(hex: string): Uint8Array {
  return Buffer.from(hex, "hex");
}

export function equalBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && Buffer.compare(left, right) === 0;
}
