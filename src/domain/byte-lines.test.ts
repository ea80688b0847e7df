/** Lines found in bytes, against the line model of strings: the same lines, counts and cuts, for text of every kind. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seed } from "../../test/counts";
import { countByteLines, firstByteLines, sliceByteLines } from "./byte-lines";
import { countLines, firstLineBeyond, resolveRange, sliceLines, splitLines } from "./lines";

const pieces = ["a", "bc", "\n", "\n", "\r\n", "\r", "\ufeff", "\u2028", "\u0085", "é", "～", "😀", "\v", " "];
const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((parts) => parts.join(""));
const ends = fc.oneof(fc.integer({ min: -20, max: 20 }), fc.constantFrom(2 ** 31, -(2 ** 31), Number.MAX_SAFE_INTEGER));
const settings = { seed, numRuns: 20_000 };

const encode = (text: string) => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array) => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);

describe("lines in bytes", () => {
  it("are as many as in the string", () => {
    fc.assert(
      fc.property(texts, (text) => countByteLines(encode(text)) === countLines(text)),
      settings,
    );
  });

  it("MCP-040 MCP-041 MCP-042: are the same slice for every range", () => {
    fc.assert(
      fc.property(texts, ends, ends, (text, start, end) => {
        const lines = splitLines(text);
        const range = resolveRange([start, end], lines.count);
        return decode(sliceByteLines(encode(text), range)) === sliceLines(lines, range);
      }),
      settings,
    );
  });

  it("MCP-012: are cut after the same line at every limit", () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 60 }), (text, maxBytes) => {
        const lines = splitLines(text);
        const nextLine = firstLineBeyond(lines, maxBytes);
        const cut = firstByteLines(encode(text), maxBytes);
        if (cut === null || nextLine === null) return cut === null && nextLine === null;
        return cut.nextLine === nextLine && decode(cut.bytes) === sliceLines(lines, { start: 1, end: nextLine });
      }),
      settings,
    );
  });

  it("of nothing are none", () => {
    expect(countByteLines(encode(""))).toBe(0);
    expect(sliceByteLines(encode(""), { start: 1, end: 1 })).toHaveLength(0);
    expect(firstByteLines(encode(""), 1)).toBeNull();
  });

  it("are found in a view into a larger buffer, and in that alone", () => {
    const buffer = encode("x\ny\nz\n");
    const view = buffer.subarray(2, 5);
    expect(countByteLines(view)).toBe(2);
    expect(decode(sliceByteLines(view, { start: 2, end: 3 }))).toBe("z");
    expect(firstByteLines(view, 2)).toEqual({ bytes: encode("y\n"), nextLine: 2 });
  });

  it("MCP-012: a limit that falls on the end of a line takes that line, one byte less does not", () => {
    const bytes = encode("ab\ncd\nef");
    expect(firstByteLines(bytes, 8)).toBeNull();
    expect(firstByteLines(bytes, 7)).toMatchObject({ nextLine: 3 });
    expect(firstByteLines(bytes, 6)).toMatchObject({ nextLine: 3 });
    expect(firstByteLines(bytes, 5)).toMatchObject({ nextLine: 2 });
    expect(firstByteLines(bytes, 1)).toMatchObject({ nextLine: 2 });
  });
});
