/** Generated caches, queries and budgets: the word index against the plain algorithm, written out again here as the spec has it. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answerText, memoryDocument, planText, selectByIndex, selectPlainly } from "../../../test/context/two-ways";
import { counts, seed } from "../../../test/counts";
import { floatText, scoreOf } from "./score";
import { countWords, lowerWords } from "./words";

const title = `${counts.contextCases} generated cases, HOLDFAST_SEED=${seed}`;

/** Few words, so that they meet; some that trip up plain objects, byte order and case mapping. */
const word = fc.constantFrom(
  ...["a", "b", "lamp", "LAMP", "lamp.", "οδος", "ΟΔΟΣ", "İ", "ß", "ẞ", "灯台", "🙂", "\ufeffa", "a\u200bb", "\u0000"],
  ...["__proto__", "constructor", "toString", "hasOwnProperty", "0", "10", "a:1", "1:2", "é", "É"],
);
const space = fc.constantFrom(" ", "\n", "\t", "\r\n", "\u00a0", "\u0085", "\u3000", "\u2028", "  ");
const text = fc.array(fc.tuple(word, space), { maxLength: 14 }).map((parts) => parts.flat().join(""));
const id = fc.oneof(
  fc.constantFrom("1", "10", "2", "a-1.md", "a.md", "～.md", "😀.md", "__proto__", "b/a.md", "b"),
  fc.string({ minLength: 1, maxLength: 3, unit: "grapheme" }),
);
const documents = fc
  .uniqueArray(fc.tuple(id, text), { maxLength: 9, selector: ([one]) => one })
  .map((pairs) => pairs.map(([one, content]) => memoryDocument(one, content)));
const budget = fc.oneof(fc.nat(3), fc.nat(120), fc.constant(Number.MAX_SAFE_INTEGER));

const asked = fc.record({ documents, query: text, budget, order: fc.infiniteStream(fc.nat()) });

describe("selection", () => {
  it(`is the same with the index and without, and never beyond the budget (${title})`, { timeout: 30 * 60_000 }, () => {
    const property = fc.property(asked, ({ documents, query, budget, order }) => {
      const question = { query, terms: lowerWords(query), budget };
      const plain = selectPlainly(documents, question);
      const indexed = selectByIndex(documents, question);
      expect(answerText(documents, question, indexed)).toBe(answerText(documents, question, plain));
      expect(planText(question, indexed)).toBe(planText(question, plain));

      // As §5.3 has it, word by word.
      const all = [...plain.selected, ...plain.excluded];
      for (const { content, termMatches, totalWords, score } of all) {
        const words = lowerWords(content);
        expect(totalWords).toBe(words.length);
        expect(termMatches).toBe(words.filter((one) => question.terms.includes(one)).length);
        expect(score >= 0 && score <= 1).toBe(true);
      }
      const used = plain.selected.reduce((sum, { content }) => sum + Math.ceil(Buffer.byteLength(content) / 4), 0);
      expect(plain.tokensUsed).toBe(used);
      expect(used).toBeLessThanOrEqual(budget);
      if (budget === 0) expect(plain.selected).toEqual([]);
      else expect(plain.excluded.every(({ tokens }) => tokens > 0)).toBe(true);
      expect(all.length).toBe(documents.length);

      // The order is total: whatever order the documents come in, the answer is the same.
      const keys = documents.map(() => order.next().value ?? 0);
      const shuffled = documents.map((one, at) => ({ one, key: keys[at] ?? 0 })).sort((x, y) => x.key - y.key);
      const again = selectPlainly(
        shuffled.map(({ one }) => one),
        question,
      );
      expect(answerText(documents, question, again)).toBe(answerText(documents, question, plain));
    });
    fc.assert(property, { seed, numRuns: counts.contextCases });
  });

  it(`takes each document that still fits, in the order of score and id, and tells what it left out (HOLDFAST_SEED=${seed})`, () => {
    const property = fc.property(asked, ({ documents, query, budget }) => {
      const question = { query, terms: lowerWords(query), budget };
      const { selected, excluded } = selectPlainly(documents, question);
      const ranked = documents
        .map((document) => {
          const words = lowerWords(document.content);
          const matches = words.filter((one) => question.terms.includes(one)).length;
          return { id: document.id, score: words.length === 0 ? 0 : Math.fround(matches / words.length), document };
        })
        .sort((x, y) => y.score - x.score || Buffer.compare(Buffer.from(x.id), Buffer.from(y.id)));
      const expected: string[] = [];
      let room = budget;
      for (const { id, document } of ranked) {
        if (budget === 0 || document.tokens > room) continue;
        expected.push(id);
        room -= document.tokens;
      }
      expect(selected.map((one) => one.id)).toEqual(expected);
      const left = ranked.map(({ id }) => id).filter((id) => !expected.includes(id));
      expect(excluded.map((one) => one.id)).toEqual(left);
      const planned = JSON.parse(planText(question, selectPlainly(documents, question)));
      expect(planned.documents.map((one: { id: string }) => one.id)).toEqual(expected);
      expect(planned.excluded.map((one: { id: string }) => one.id)).toEqual(left);
    });
    fc.assert(property, { seed, numRuns: 2000 });
  });
});

describe("words", () => {
  it("are counted as they are split", () => {
    const any = fc.oneof(text, fc.string({ unit: "grapheme" }), fc.string({ unit: "binary" }));
    const property = fc.property(any, (one) => {
      const words = lowerWords(one);
      const { totalWords, counts: found } = countWords(one);
      expect(totalWords).toBe(words.length);
      expect([...found.values()].reduce((sum, count) => sum + count, 0)).toBe(words.length);
      expect([...found.keys()].sort()).toEqual([...new Set(words)].sort());
    });
    fc.assert(property, { seed, numRuns: 2000 });
  });
});

describe("float text", () => {
  it("reads back to the same single-precision value, and nothing shorter does", () => {
    const fraction = fc
      .tuple(fc.integer({ min: 1, max: 40_000_000 }), fc.integer({ min: 0, max: 40_000_000 }))
      .map(([words, matches]) => [Math.min(matches, words), words] as const);
    const property = fc.property(fraction, ([matches, words]) => {
      const value = scoreOf(matches, words);
      const written = floatText(value);
      expect(Math.fround(Number(written))).toBe(value);
      expect(written).toMatch(/^(0|1|[0-9])(\.[0-9]+)?(e-[1-9][0-9]*)?$/);
      if (!Number.isInteger(value)) {
        const digits = written
          .replace(/e.*/, "")
          .replace(/^0?\.?0*/, "")
          .replace(".", "").length;
        if (digits > 1) expect(shorter(value, digits - 1)).toEqual([]);
      }
    });
    fc.assert(property, { seed, numRuns: 5000 });
  });
});

/** Decimals of so many digits, next to the value on either side, that read back to it. */
function shorter(value: number, digits: number): number[] {
  const [mantissa = "", exponent = ""] = value.toExponential(digits - 1).split("e");
  const middle = BigInt(mantissa.replace(".", ""));
  return [middle - 1n, middle, middle + 1n]
    .map((one) => Number(`${one}e${Number(exponent) - (digits - 1)}`))
    .filter((one) => Math.fround(one) === value);
}
