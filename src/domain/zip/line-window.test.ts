// Lines around a place, against a text that is split as a whole.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seed } from "../../../test/counts";
import { LineStarts, linesBefore, linesFrom } from "./line-window";

const texts = fc.string({ unit: fc.constantFrom("\n", "a", "é", "😀"), maxLength: 30 });

describe("lines around a line", () => {
  it("are those of the whole text, for every line of it and beyond its last", () => {
    fc.assert(
      fc.property(texts, fc.nat(5), (text, count) => {
        const lines = text.split("\n");
        const starts = new LineStarts(text);
        for (const [index, line] of lines.entries()) {
          const start = starts.of(index + 1);
          expect(linesBefore(text, start, count)).toEqual(lines.slice(Math.max(0, index - count), index));
          expect(linesFrom(text, start, count)).toEqual(lines.slice(index, index + count));
          expect(linesFrom(text, start, 1)).toEqual([line]);
        }
        const last = lines.slice(Math.max(0, lines.length - count));
        expect(linesBefore(text, text.length + 1, count)).toEqual(last);
        expect(linesFrom(text, text.length + 1, count)).toEqual([]);
      }),
      { seed, numRuns: 300 },
    );
  });
});
