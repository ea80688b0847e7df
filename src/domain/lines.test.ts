/** The line model and ranges, against a short reference over arrays of lines. Edits: text-edit.test.ts. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { counts, seed } from "../../test/counts";
import {
  countLines,
  firstLineBeyond,
  givenLines,
  lineAt,
  resolveRange,
  sliceLines,
  splitLines,
  wantedLines,
} from "./lines";

const pieces = fc.constantFrom(
  "a",
  "b",
  "\n",
  "\n",
  "\r",
  "\r\n",
  "\ufeff",
  "\u2028",
  "\u0085",
  "é",
  "😀",
  " ",
  "\v\f",
);
const texts = fc.array(pieces, { maxLength: 24 }).map((parts) => parts.join(""));
const ends = fc.oneof(
  fc.integer({ min: -14, max: 14 }),
  fc.constantFrom(2147483647, -2147483647, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER),
);

function referenceLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

function referenceSlice(text: string, start: number, end: number): string {
  const all = referenceLines(text);
  const from = start > 0 ? start - 1 : start === 0 ? 0 : Math.max(0, all.length + start);
  const to = end > 0 ? end - 1 : end === 0 ? all.length : Math.max(0, all.length + end);
  return all.slice(from, to).join("");
}

describe("lines", () => {
  it(`MCP-040 MCP-041 MCP-042: slices as the reference does, for ${counts.lineCases} generated texts and ranges`, () => {
    fc.assert(
      fc.property(texts, ends, ends, (text, start, end) => {
        const lines = splitLines(text);
        return (
          lines.count === referenceLines(text).length &&
          sliceLines(lines, resolveRange([start, end], lines.count)) === referenceSlice(text, start, end)
        );
      }),
      { seed, numRuns: counts.lineCases },
    );
  });

  it("MCP-012: consecutive slices join to the whole text, and every line is its slice without the newline", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const lines = splitLines(text);
        const numbers = Array.from({ length: lines.count }, (_, index) => index + 1);
        expect(numbers.map((line) => sliceLines(lines, { start: line, end: line + 1 })).join("")).toBe(text);
        for (const line of numbers)
          expect(lineAt(lines, line)).toBe(sliceLines(lines, { start: line, end: line + 1 }).replace(/\n$/, ""));
        expect(countLines(text)).toBe(lines.count);
      }),
      { seed, numRuns: 2000 },
    );
  });

  it("MCP-042: an empty text has no lines, and any range of it is empty", () => {
    const lines = splitLines("");
    expect(lines.count).toBe(0);
    for (const range of [
      [1, 0],
      [0, 0],
      [-1, 0],
      [1, 5],
      [7, -7],
    ] as const)
      expect(sliceLines(lines, resolveRange(range, 0))).toBe("");
  });

  it("takes one newline off an argument, and tells no line from one empty line", () => {
    expect([givenLines(""), givenLines("\n"), givenLines("a"), givenLines("a\n"), givenLines("a\n\n")]).toEqual([
      [],
      [""],
      ["a"],
      ["a"],
      ["a", ""],
    ]);
    expect([wantedLines(""), wantedLines("\n"), wantedLines("a\nb\n")]).toEqual([[""], [""], ["a", "b"]]);
  });

  it("MCP-012: a long text is cut after whole lines within the limit, but never before the first", () => {
    expect(firstLineBeyond(splitLines("ab\ncd\nef\n"), 9)).toBeNull();
    expect(firstLineBeyond(splitLines("ab\ncd\nef\n"), 8)).toBe(3);
    expect(firstLineBeyond(splitLines("ab\ncd\nef\n"), 6)).toBe(3);
    expect(firstLineBeyond(splitLines("ab\ncd\nef\n"), 5)).toBe(2);
    expect(firstLineBeyond(splitLines("ab\ncd\nef\n"), 1)).toBe(2);
    expect(firstLineBeyond(splitLines("abcdefgh"), 4)).toBeNull();
    expect(firstLineBeyond(splitLines("é\n😀\nx"), 8)).toBe(3);
    expect(firstLineBeyond(splitLines("é\n😀\nx"), 9)).toBeNull();
  });

  it("splits a text of 4 million lines without delay", () => {
    const lines = splitLines("a\n".repeat(4_194_304));
    expect(lines.count).toBe(4_194_304);
  });
});
