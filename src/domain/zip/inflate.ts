import type { StreamEnd } from "./entry-meter";
import { Huffman, rootBits } from "./huffman";

/**
 * Raw deflate (RFC 1951) of a content that is in memory as a whole. The platform's own needs native memory for each call, which is freed
 * only when somebody collects it: ten thousand small entries would hold hundreds of megabytes. This one has its tables and the result.
 */
export function inflateSmall(
  data: Uint8Array,
  maxBytes: number,
): { readonly bytes: Uint8Array; readonly end: StreamEnd } | "over" {
  const inflater = new Inflater(data, new Uint8Array(maxBytes));
  const outcome = inflater.run();
  if (outcome === "over") return "over";
  if (outcome !== "finished") return { bytes: new Uint8Array(0), end: { state: outcome } };
  return { bytes: inflater.result, end: { state: "finished", consumed: inflater.consumed } };
}

type Outcome = "finished" | "unfinished" | "broken" | "over";

const rootMask = (1 << rootBits) - 1;
const endOfBlock = 256;
const codeBitsMax = 15;
const [lengthBases, lengthExtras] = stepTables(29, 4, 3);
const [distanceBases, distanceExtras] = stepTables(30, 2, 1);
// The longest length has a code without extra bits.
lengthBases[28] = 258;
lengthExtras[28] = 0;

/** The order in which the lengths of the codes for code lengths stand. */
const codeLengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

// One inflater runs at a time, from its beginning to its end.
const literals = new Huffman();
const distances = new Huffman();
const codeLengths = new Huffman();
const fixedLiterals = new Huffman();
const fixedDistances = new Huffman();
fixedLiterals.make(
  Uint8Array.from({ length: 288 }, (_, symbol) => (symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8)),
  false,
);
fixedDistances.make(new Uint8Array(32).fill(5), false);
const lengths = new Uint8Array(286 + 30);

class Inflater {
  private at = 0;
  /** Bits that were taken from the input and not used yet, the next in the lowest place. */
  private hold = 0;
  private bits = 0;
  private size = 0;

  constructor(
    private readonly data: Uint8Array,
    private readonly out: Uint8Array,
  ) {}

  get result(): Uint8Array {
    return this.out.subarray(0, this.size);
  }

  /** Whole bytes of the input that belong to the stream. */
  get consumed(): number {
    return this.at - (this.bits >>> 3);
  }

  run(): Outcome {
    for (;;) {
      const header = this.take(3);
      if (header === -1) return "unfinished";
      const stopped = this.block(header >>> 1);
      if (stopped !== null) return stopped;
      if ((header & 1) === 1) return "finished";
    }
  }

  /** Null: the block came to its end. */
  private block(type: number): Exclude<Outcome, "finished"> | null {
    if (type === 0) return this.stored();
    if (type === 1) return this.compressed(fixedLiterals, fixedDistances);
    if (type === 3) return "broken";
    return this.readCodes() ?? this.compressed(literals, distances);
  }

  private stored(): Exclude<Outcome, "finished"> | null {
    this.at = this.consumed;
    this.hold = 0;
    this.bits = 0;
    const { data, at, out, size } = this;
    if (at + 4 > data.length) return "unfinished";
    const length = byte(data, at) | (byte(data, at + 1) << 8);
    if (length !== (~(byte(data, at + 2) | (byte(data, at + 3) << 8)) & 0xffff)) return "broken";
    const piece = data.subarray(at + 4, at + 4 + length);
    if (size + piece.length > out.length) return "over";
    out.set(piece, size);
    this.size += piece.length;
    this.at += 4 + piece.length;
    return piece.length < length ? "unfinished" : null;
  }

  /** The two codes of a block, which are themselves packed. */
  private readCodes(): "unfinished" | "broken" | null {
    const sizes = this.take(14);
    if (sizes === -1) return "unfinished";
    const literalCount = 257 + (sizes & 31);
    const distanceCount = 1 + ((sizes >>> 5) & 31);
    const orderCount = 4 + (sizes >>> 10);
    if (literalCount > 286 || distanceCount > 30) return "broken";
    const ordered = lengths.subarray(0, codeLengthOrder.length).fill(0);
    for (const place of codeLengthOrder.slice(0, orderCount)) {
      const length = this.take(3);
      if (length === -1) return "unfinished";
      ordered[place] = length;
    }
    if (!codeLengths.make(ordered, false)) return "broken";
    const stopped = this.readLengths(literalCount + distanceCount);
    if (stopped !== null) return stopped;
    const whole = lengths.subarray(0, literalCount);
    const isUsable =
      whole[endOfBlock] !== 0 &&
      literals.make(whole, true) &&
      distances.make(lengths.subarray(literalCount, literalCount + distanceCount), true);
    return isUsable ? null : "broken";
  }

  private readLengths(count: number): "unfinished" | "broken" | null {
    for (let have = 0; have < count; ) {
      const symbol = this.symbol(codeLengths);
      if (symbol < 0) return symbol === -1 ? "unfinished" : "broken";
      if (symbol < 16) {
        lengths[have++] = symbol;
        continue;
      }
      if (symbol === 16 && have === 0) return "broken";
      const length = symbol === 16 ? byte(lengths, have - 1) : 0;
      const more = this.take(symbol === 16 ? 2 : symbol === 17 ? 3 : 7);
      if (more === -1) return "unfinished";
      const end = have + more + (symbol === 18 ? 11 : 3);
      if (end > count) return "broken";
      lengths.fill(length, have, end);
      have = end;
    }
    return null;
  }

  /** The loop in which the time goes: its state is in variables of its own, and is put back at the end. */
  private compressed(literal: Huffman, distance: Huffman): Exclude<Outcome, "finished"> | null {
    const { data, out } = this;
    const [literalRoot, distanceRoot] = [literal.root, distance.root];
    let { at, hold, bits, size } = this;
    let stopped: Exclude<Outcome, "finished"> | null = null;
    for (;;) {
      if (bits < codeBitsMax) {
        if (at + 2 <= data.length) {
          hold |= (byte(data, at) | (byte(data, at + 1) << 8)) << bits;
          at += 2;
          bits += 16;
        } else if (at < data.length) {
          hold |= byte(data, at++) << bits;
          bits += 8;
        }
      }
      let entry = literalRoot[hold & rootMask] as number;
      if (entry === 0 || (entry & 15) > bits) entry = literal.search(hold, bits);
      if (entry < 0) {
        stopped = entry === -1 ? "unfinished" : "broken";
        break;
      }
      hold >>>= entry & 15;
      bits -= entry & 15;
      const symbol = entry >>> 4;
      if (symbol < endOfBlock) {
        if (size === out.length) {
          stopped = "over";
          break;
        }
        out[size++] = symbol;
        continue;
      }
      if (symbol === endOfBlock) break;
      if (symbol > 285) {
        stopped = "broken";
        break;
      }
      const lengthExtra = byte(lengthExtras, symbol - 257);
      for (; bits < lengthExtra && at < data.length; bits += 8) hold |= byte(data, at++) << bits;
      if (lengthExtra > bits) {
        stopped = "unfinished";
        break;
      }
      const length = (lengthBases[symbol - 257] as number) + (hold & ((1 << lengthExtra) - 1));
      hold >>>= lengthExtra;
      bits -= lengthExtra;
      for (; bits < codeBitsMax && at < data.length; bits += 8) hold |= byte(data, at++) << bits;
      entry = distanceRoot[hold & rootMask] as number;
      if (entry === 0 || (entry & 15) > bits) entry = distance.search(hold, bits);
      if (entry < 0 || entry >>> 4 > 29) {
        stopped = entry === -1 ? "unfinished" : "broken";
        break;
      }
      hold >>>= entry & 15;
      bits -= entry & 15;
      const distanceExtra = byte(distanceExtras, entry >>> 4);
      for (; bits < distanceExtra && at < data.length; bits += 8) hold |= byte(data, at++) << bits;
      if (distanceExtra > bits) {
        stopped = "unfinished";
        break;
      }
      const back = (distanceBases[entry >>> 4] as number) + (hold & ((1 << distanceExtra) - 1));
      hold >>>= distanceExtra;
      bits -= distanceExtra;
      if (back > size) {
        stopped = "broken";
        break;
      }
      if (size + length > out.length) {
        stopped = "over";
        break;
      }
      for (const end = size + length; size < end; size++) out[size] = byte(out, size - back);
    }
    this.at = at;
    this.hold = hold;
    this.bits = bits;
    this.size = size;
    return stopped;
  }

  /** -1: the input ends before; -2: no such code. */
  private symbol(code: Huffman): number {
    this.fill(codeBitsMax);
    const entry = code.search(this.hold, this.bits);
    if (entry < 0) return entry;
    this.drop(entry & 15);
    return entry >>> 4;
  }

  /** The next bits as a number; -1: there are not as many. */
  private take(count: number): number {
    this.fill(count);
    if (this.bits < count) return -1;
    const value = this.hold & ((1 << count) - 1);
    this.drop(count);
    return value;
  }

  private fill(count: number): void {
    for (; this.bits < count && this.at < this.data.length; this.bits += 8) {
      this.hold |= byte(this.data, this.at++) << this.bits;
    }
  }

  private drop(count: number): void {
    this.hold >>>= count;
    this.bits -= count;
  }
}

/** Lengths and distances: each code begins where the one before ends; every `group` codes have one more extra bit. */
function stepTables(count: number, group: number, first: number): [Uint16Array, Uint8Array] {
  const bases = new Uint16Array(count);
  const extras = new Uint8Array(count);
  for (let code = 0, base = first; code < count; code++) {
    extras[code] = Math.max(0, Math.floor(code / group) - 1);
    bases[code] = base;
    base += 1 << byte(extras, code);
  }
  return [bases, extras];
}

function byte(array: Uint8Array, index: number): number {
  return array[index] as number;
}
