/** What an edit says that it did to a text makes exactly the text that it gave. What edits do is in text-edit.test.ts. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { counts, seed } from "../../test/counts";
import type { RootPath } from "./path";
import { applySplice } from "./splice";
import { appendText, type Edited, insertLines, replaceLines } from "./text-edit";

const path = "/a" as RootPath;
const words = fc.constantFrom("a", "a", "b", "", "a\r", "\r", "é", "😀", "\ufeffa", "\u2028", "\0");
const texts = fc
  .tuple(fc.array(words, { maxLength: 9 }), fc.boolean())
  .map(([lines, open]) => (lines.length === 0 ? "" : lines.join("\n") + (open ? "" : "\n")));
const places = fc.integer({ min: -9, max: 9 });
type Edit = (text: string) => Edited | null;
const edits: fc.Arbitrary<Edit> = fc.oneof(
  texts.map(
    (content): Edit =>
      (text) =>
        appendText(text, content),
  ),
  fc.tuple(places, words, texts).map(
    ([line, anchor, content]): Edit =>
      (text) => {
        const inserted = insertLines(path, text, { line, anchor, content });
        return inserted.ok ? inserted.value : null;
      },
  ),
  fc.tuple(places, places, texts, texts).map(
    ([from, to, old, replacement]): Edit =>
      (text) => {
        const replaced = replaceLines(path, text, { lines: [from, to], old, new: replacement });
        return replaced.ok ? replaced.value : null;
      },
  ),
);

it(`a splice makes the text of its edit, one after another, in ${counts.lineCases / 10} generated chains`, () => {
  let applied = 0;
  fc.assert(
    fc.property(texts, fc.array(edits, { minLength: 1, maxLength: 10 }), (beginning, chain) => {
      let text = beginning;
      let stored = beginning;
      for (const edit of chain) {
        const edited = edit(text);
        if (edited === null) continue;
        applied++;
        const { start, end, text: given } = edited.splice;
        expect([0 <= start, start <= end, end <= text.length]).toEqual([true, true, true]);
        // Only what gives way and what comes is kept, as bytes.
        const kept = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(new TextEncoder().encode(given));
        stored = applySplice(stored, { start, end, text: kept });
        text = edited.text;
        expect(stored).toBe(text);
      }
    }),
    { numRuns: counts.lineCases / 10, seed },
  );
  expect(applied).toBeGreaterThan(counts.lineCases / 10);
});
