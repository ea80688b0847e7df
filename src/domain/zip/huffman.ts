/** Codes of up to this length are found by one look; longer ones, which are rare, bit by bit. */
export const rootBits = 10;
const lengthMax = 15;
const symbolsMax = 288;

/** One canonical Huffman code of deflate (RFC 1951 §3.2.2). Made anew for each block, without new memory. */
export class Huffman {
  /** By the next bits of the input: the symbol and, in the lowest four bits, the length of its code. 0: longer, or none. */
  readonly root = new Uint16Array(1 << rootBits);
  private readonly counts = new Uint16Array(lengthMax + 1);
  private readonly next = new Uint16Array(lengthMax + 2);
  private readonly symbols = new Uint16Array(symbolsMax);

  /** From the lengths of the codes, 0 for a symbol that has none. False: they are no code. */
  make(lengths: Uint8Array, isLoneAllowed: boolean): boolean {
    const { root, counts, next, symbols } = this;
    root.fill(0);
    counts.fill(0);
    for (let symbol = 0; symbol < lengths.length; symbol++) {
      const length = lengths[symbol] as number;
      counts[length] = at(counts, length) + 1;
    }
    const used = lengths.length - at(counts, 0);
    counts[0] = 0;
    let free = 1;
    for (let length = 1; length <= lengthMax; length++) {
      free = 2 * free - at(counts, length);
      if (free < 0) return false;
    }
    // Incomplete codes are errors, but for one that has a single symbol, and one that has none and is never used.
    const isLone = used === 0 || (used === 1 && at(counts, 1) === 1);
    if (free > 0 && !(isLoneAllowed && isLone)) return false;
    next[1] = 0;
    for (let length = 1; length <= lengthMax; length++) next[length + 1] = at(next, length) + at(counts, length);
    for (let symbol = 0; symbol < lengths.length; symbol++) {
      const length = lengths[symbol] as number;
      if (length === 0) continue;
      symbols[at(next, length)] = symbol;
      next[length] = at(next, length) + 1;
    }
    this.fillRoot();
    return true;
  }

  /** Symbol and length like in `root`; -1: there are too few bits to tell; -2: no such code. */
  search(hold: number, bits: number): number {
    let [code, first, index] = [0, 0, 0];
    for (let length = 1; length <= lengthMax; length++) {
      if (length > bits) return -1;
      code |= (hold >>> (length - 1)) & 1;
      const count = at(this.counts, length);
      if (code - count < first) return (at(this.symbols, index + code - first) << 4) | length;
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    return -2;
  }

  private fillRoot(): void {
    const { root, counts, symbols } = this;
    let [code, index] = [0, 0];
    for (let length = 1; length <= rootBits; length++, code <<= 1) {
      for (let left = at(counts, length); left > 0; left--, code++, index++) {
        const entry = (at(symbols, index) << 4) | length;
        // The input has the first bit of a code in its lowest bit.
        for (let bits = reversed(code, length); bits < root.length; bits += 1 << length) root[bits] = entry;
      }
    }
  }
}

function reversed(code: number, length: number): number {
  let result = 0;
  for (let bit = 0; bit < length; bit++) result |= ((code >>> bit) & 1) << (length - 1 - bit);
  return result;
}

function at(array: Uint16Array, index: number): number {
  return array[index] as number;
}
