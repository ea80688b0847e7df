/** Bytes that do not get smaller by packing; the same for the same seed. */
export function noise(bytes: number, seed: number): Uint8Array {
  const words = new Uint32Array(Math.ceil(bytes / 4));
  let state = seed;
  for (let at = 0; at < words.length; at++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    words[at] = state;
  }
  return new Uint8Array(words.buffer).subarray(0, bytes);
}
