import { Buffer } from "node:buffer";
import { gunzipSync } from "node:zlib";

const headerBytes = 10;
const trailerBytes = 8;
/** What every member of a gzip stream begins with: two bytes of signature, and deflate as its method. */
const signature = Uint8Array.of(0x1f, 0x8b, 8);
/** Streams up to this size share one buffer, which is used from the beginning to the end of a call. */
const shared = Buffer.alloc(64 * 1024);

/**
 * Raw deflate by the platform, many times faster than ours, of a stream that must fill `data` and become `size` bytes with this checksum.
 * The platform's `inflateRawSync` does not tell where a stream ended, unless asked for an object that keeps its native memory. So the
 * stream is made a gzip file, with the checksum and the size behind it: zlib reads those where the stream ends, and refuses if they are not
 * there. A stream that ends early could only pass
 * - with the very same eight bytes behind its early end and a zero after them, which zlib takes for padding, or
 * - as the first of several gzip members,
 * so data with these eight bytes or a member's signature in it is left to others. Null: whatever the reason, this did not decide.
 */
export function gunzipExactly(data: Uint8Array, size: number, crc: number): Uint8Array | null {
  const wholeBytes = headerBytes + data.length + trailerBytes;
  const file = wholeBytes <= shared.length ? shared.subarray(0, wholeBytes) : Buffer.alloc(wholeBytes);
  file.fill(0, 0, headerBytes);
  file.set(signature);
  file.set(data, headerBytes);
  const end = headerBytes + data.length;
  file.writeUInt32LE(crc, end);
  file.writeUInt32LE(size, end + 4);
  const isPlain = file.indexOf(signature, 1) === -1 && file.indexOf(file.subarray(end), headerBytes) === end;
  return isPlain ? gunzipped(file, size) : null;
}

function gunzipped(file: Uint8Array, size: number): Uint8Array | null {
  try {
    // One byte more than is wanted: a full buffer would have to be grown before zlib says that it has finished. The Workers runtime grows
    // it by doubling, whatever is asked for, and gives up where the double is over the limit.
    const room = size + 1;
    const bytes = gunzipSync(file, { maxOutputLength: 2 * room, chunkSize: Math.max(64, room) });
    return bytes.length === size ? bytes : null;
  } catch {
    return null;
  }
}
