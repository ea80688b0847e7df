// Raw deflate of our own, judged by zlib: what any of its ways of packing gives comes out again, and damaged, cut or
// overlong streams get the verdict that zlib gives them.
import { constants, deflateRawSync, type InflateRaw, inflateRawSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { counts, seed } from "../../../test/counts";
import { inflateSmall } from "./inflate";

const { Z_DEFAULT_STRATEGY, Z_FILTERED, Z_FIXED, Z_HUFFMAN_ONLY, Z_RLE } = constants;
const strategy = fc.constantFrom(Z_DEFAULT_STRATEGY, Z_FILTERED, Z_FIXED, Z_HUFFMAN_ONLY, Z_RLE);
const level = fc.integer({ min: 0, max: 9 });
const content = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc.string({ maxLength: 3000 }).map((text) => new TextEncoder().encode(text)),
  fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.integer({ min: 1, max: 2000 })).map(repeated),
  // Rare symbols get codes longer than one look finds.
  fc.integer({ min: 1, max: 18 }).map((depth) => skewed(depth)),
);
const packed = fc
  .tuple(content, level, strategy, fc.boolean())
  .map(([bytes, one, other, inTwo]) => ({ bytes, data: pack(bytes, one, other, inTwo) }));

function repeated([bytes, times]: [Uint8Array, number]): Uint8Array {
  return new Uint8Array(Buffer.concat(Array.from({ length: Math.min(times, 40_000 / bytes.length) }, () => bytes)));
}

function skewed(depth: number): Uint8Array {
  const bytes: number[] = [];
  for (let symbol = 0; symbol < depth; symbol++) for (let n = 0; n < 1 << symbol; n += 4) bytes.push(symbol * 7);
  return Uint8Array.from(bytes.sort((a, b) => ((a * 31 + b * 17) % 5) - 2));
}

function pack(bytes: Uint8Array, one: number, other: number, inTwo: boolean): Uint8Array {
  if (!inTwo) return deflateRawSync(bytes, { level: one, strategy: other });
  const half = bytes.length >>> 1;
  // Two blocks or more, with an empty stored one between them.
  const options = { level: one, strategy: other, finishFlush: constants.Z_FULL_FLUSH };
  const first = deflateRawSync(bytes.subarray(0, half), options);
  return Buffer.concat([first, deflateRawSync(bytes.subarray(half), { level: one, strategy: other })]);
}

/** The verdict of zlib in our words. */
function judged(data: Uint8Array, maxBytes: number) {
  try {
    const { buffer, engine } = inflateRawSync(data, {
      maxOutputLength: Math.max(1, maxBytes),
      info: true,
    }) as unknown as { buffer: Uint8Array; engine: InflateRaw };
    if (buffer.length > maxBytes) return "over";
    return { bytes: Buffer.from(buffer).toString("hex"), consumed: engine.bytesWritten };
  } catch (error) {
    const code = (error as { code?: string }).code;
    return code === "ERR_BUFFER_TOO_LARGE" ? "over" : code === "Z_BUF_ERROR" ? "unfinished" : "broken";
  }
}

function ours(data: Uint8Array, maxBytes: number) {
  const result = inflateSmall(data, maxBytes);
  if (result === "over") return result;
  if (result.end.state !== "finished") return result.end.state;
  return { bytes: Buffer.from(result.bytes).toString("hex"), consumed: result.end.consumed };
}

describe("inflateSmall", { timeout: 900_000 }, () => {
  it(`gives back what zlib packed, in every way it can (HOLDFAST_SEED=${seed})`, () => {
    fc.assert(
      fc.property(packed, ({ bytes, data }) => {
        expect(ours(data, bytes.length)).toEqual({ bytes: Buffer.from(bytes).toString("hex"), consumed: data.length });
      }),
      { seed, numRuns: counts.inflateCases },
    );
  });

  it(`stops at one byte more than allowed, and tells where the stream ends (HOLDFAST_SEED=${seed})`, () => {
    fc.assert(
      fc.property(packed, fc.uint8Array({ maxLength: 5 }), ({ bytes, data }, junk) => {
        if (bytes.length > 0) expect(ours(data, bytes.length - 1)).toBe("over");
        const longer = Buffer.concat([data, junk]);
        expect(ours(longer, bytes.length)).toMatchObject({ consumed: data.length });
      }),
      { seed, numRuns: counts.inflateCases },
    );
  });

  it(`judges damaged and cut streams as zlib does (HOLDFAST_SEED=${seed})`, () => {
    fc.assert(
      fc.property(packed, fc.nat(), fc.nat(), fc.nat(), ({ bytes, data }, place, bit, cut) => {
        const damaged = Uint8Array.from(data);
        const index = place % damaged.length;
        damaged[index] = (damaged[index] as number) ^ (1 << (bit % 8));
        const maxBytes = 2 * bytes.length + 100;
        for (const stream of [damaged, data.subarray(0, cut % data.length)]) {
          expect(verdict(ours(stream, maxBytes))).toEqual(verdict(judged(stream, maxBytes)));
        }
      }),
      { seed, numRuns: counts.inflateCases },
    );
  });

  it(`takes any bytes for what zlib takes them for (HOLDFAST_SEED=${seed})`, () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 80 }), (data) => {
        expect(verdict(ours(data, 5000))).toEqual(verdict(judged(data, 5000)));
      }),
      { seed, numRuns: 4 * counts.inflateCases },
    );
  });
});

/** Where a stream is bad and cut off too, either may be seen first; both are refused. What is whole must be equal to the byte. */
function verdict(result: ReturnType<typeof ours>): unknown {
  return result === "unfinished" || result === "broken" || result === "over" ? "refused" : result;
}
