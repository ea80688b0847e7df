import { concatBytes } from "./concat-bytes";

/** The blocks of an extra field: id, length, data. A malformed rest is no block; what cannot be read cannot be relied on. */

export const extraIds = {
  zip64: 0x0001,
  ntfsTimes: 0x000a,
  timestamp: 0x5455,
  unicodePath: 0x7075,
} as const;

interface ExtraBlock {
  readonly id: number;
  /** With its header. */
  readonly whole: Uint8Array;
  readonly data: Uint8Array;
}

/** The data of the first block of this id. */
export function findExtra(extra: Uint8Array, id: number): Uint8Array | null {
  for (const block of extraBlocks(extra)) if (block.id === id) return block.data;
  return null;
}

/** The extra field without the blocks of these ids; a malformed rest stays as it is. */
export function withoutExtras(extra: Uint8Array, ids: readonly number[]): Uint8Array {
  if (!hasAny(extra, ids)) return extra;
  const kept: Uint8Array[] = [];
  let read = 0;
  for (const { id, whole } of extraBlocks(extra)) {
    read += whole.length;
    if (!ids.includes(id)) kept.push(whole);
  }
  kept.push(extra.subarray(read));
  return concatBytes(kept);
}

/** Most archives have none of them: this is asked for every entry. */
function hasAny(extra: Uint8Array, ids: readonly number[]): boolean {
  for (let at = 0; at + 4 <= extra.length; ) {
    const end = at + 4 + uint16(extra, at + 2);
    if (end <= extra.length && ids.includes(uint16(extra, at))) return true;
    at = end;
  }
  return false;
}

function uint16(bytes: Uint8Array, at: number): number {
  return (bytes[at] as number) | ((bytes[at + 1] as number) << 8);
}

function* extraBlocks(extra: Uint8Array): Generator<ExtraBlock> {
  const view = new DataView(extra.buffer, extra.byteOffset, extra.byteLength);
  for (let at = 0; at + 4 <= extra.length; ) {
    const length = view.getUint16(at + 2, true);
    const end = at + 4 + length;
    if (end > extra.length) return;
    yield { id: view.getUint16(at, true), whole: extra.subarray(at, end), data: extra.subarray(at + 4, end) };
    at = end;
  }
}
