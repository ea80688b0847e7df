/** Eight tables, so that eight bytes are taken in one step. */
const tables = makeTables();

/** CRC-32 as in zip and gzip. `crc` is what an earlier piece gave. */
export function crc32(bytes: Uint8Array, crc = 0): number {
  const [t0, t1, t2, t3, t4, t5, t6, t7] = tables;
  let value = ~crc;
  let at = 0;
  for (const end = bytes.length - 7; at < end; at += 8) {
    value ^=
      byteAt(bytes, at) | (byteAt(bytes, at + 1) << 8) | (byteAt(bytes, at + 2) << 16) | (byteAt(bytes, at + 3) << 24);
    value =
      byteAt(t7, value & 255) ^
      byteAt(t6, (value >>> 8) & 255) ^
      byteAt(t5, (value >>> 16) & 255) ^
      byteAt(t4, value >>> 24) ^
      byteAt(t3, byteAt(bytes, at + 4)) ^
      byteAt(t2, byteAt(bytes, at + 5)) ^
      byteAt(t1, byteAt(bytes, at + 6)) ^
      byteAt(t0, byteAt(bytes, at + 7));
  }
  for (; at < bytes.length; at++) value = byteAt(t0, (value ^ byteAt(bytes, at)) & 255) ^ (value >>> 8);
  return ~value >>> 0;
}

function byteAt(array: Uint8Array | Int32Array, index: number): number {
  return array[index] as number;
}

type Tables = readonly [Int32Array, Int32Array, Int32Array, Int32Array, Int32Array, Int32Array, Int32Array, Int32Array];

function makeTables(): Tables {
  const made = Array.from({ length: 8 }, () => new Int32Array(256)) as unknown as Tables;
  for (let byte = 0; byte < 256; byte++) {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    made[0][byte] = value;
  }
  for (let table = 1; table < 8; table++) {
    const [former, current] = [made[table - 1] as Int32Array, made[table] as Int32Array];
    for (let byte = 0; byte < 256; byte++) {
      const value = byteAt(former, byte);
      current[byte] = byteAt(made[0], value & 255) ^ (value >>> 8);
    }
  }
  return made;
}
