/** Filters and needs of texts: they may let too much through, and never hold back a text that has a match. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { counts, seed } from "../../../test/counts";
import { compileQuery, type LineMatcher, type Query } from "./compile-query";
import { filterTest, gramFilter } from "./gram-filter";
import { meets, type TextNeeds } from "./text-needs";
import { WorkMeter } from "./work-meter";

function compiled(query: string, regex = true, caseSensitive = true): LineMatcher {
  const matcher = compileQuery({ query, regex, caseSensitive } satisfies Query);
  if (!matcher.ok) throw new Error(matcher.error.message);
  return matcher.value;
}

/** What the filter of the text tells: may it meet the needs? */
function passes(text: string, needs: TextNeeds): boolean {
  const filter = gramFilter(text);
  // Filters lie behind each other.
  const among = new Uint8Array(filter.length + 7);
  among.set(filter, 5);
  return filterTest(needs)?.(among, 5, filter.length) ?? true;
}

/** Of a text and a query: matches, needs met, filter passed. Each implies the next, and without needs met there is no work. */
function judged(text: string, { needs, matches }: LineMatcher): boolean[] {
  const work = new WorkMeter(1_000_000);
  const left = work.left;
  const matched = [...matches(text, work)].length > 0;
  if (needs === null) return [matched];
  const met = meets(text, needs);
  if (!met && work.left !== left) throw new Error("a text that does not meet the needs took work");
  return [matched, met, passes(text, needs)];
}

function isAscending(values: readonly boolean[]): boolean {
  return values.every((value, index) => value || values[index - 1] !== true);
}

const words = [
  "stork",
  "STORK",
  "\u017ftor\u212a",
  "kiosk",
  "KİOSK",
  "größe",
  "GRÖSSE",
  "Größe",
  "ab",
  "k",
  "😀😁😂",
  "\u0130stanbul",
  "ΣΊΣΥΦΟΣ",
  "σίσυφος",
];
const word = fc.constantFrom(...words);
const filler = fc.constantFrom(" ", "\n", "-", "é", "İ", "ſ", "\u212a", "😀", "", "x".repeat(40));
const text = fc.array(fc.tuple(word, filler), { maxLength: 12 }).map((parts) => parts.flat().join(""));
const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    word,
    fc.constantFrom(
      "[a-z]+",
      ".",
      "\\w*",
      "(?i:stork)",
      "(?i)kiosk",
      "[Ss]tork",
      "^",
      "$",
      "(?-i:K)iosk",
      "[^s]",
      "\\b",
      "s{3}",
      "(?:)",
    ),
    fc.tuple(tie("expression"), tie("expression")).map(([left, right]) => `${left}${right}`),
    fc.tuple(tie("expression"), tie("expression")).map(([left, right]) => `(?:${left}|${right})`),
    fc
      .tuple(tie("expression"), fc.constantFrom("*", "+", "?", "{2}", "{0,2}"))
      .map(([one, times]) => `(?:${one})${times}`),
  ),
}));

describe("a text with a match", () => {
  it("meets the needs of generated expressions and passes its filter", { timeout: 3_600_000 }, () => {
    fc.assert(
      fc.property(
        expression,
        fc.array(text, { minLength: 3, maxLength: 6 }),
        fc.boolean(),
        (query, texts, caseSensitive) => {
          fc.pre(query !== "" && !query.includes("\n"));
          const matcher = compiled(query, true, caseSensitive);
          for (const each of texts) expect(judged(each, matcher), each).toSatisfy(isAscending);
        },
      ),
      { seed, numRuns: counts.grepExpressions },
    );
  });

  it("meets the needs of literals however they are spelled, in a text of any length", { timeout: 3_600_000 }, () => {
    fc.assert(
      fc.property(word, word, text, fc.nat(40), fc.boolean(), (left, right, around, times, caseSensitive) => {
        const query = `${left}${right}`;
        const matcher = compiled(query, false, caseSensitive);
        for (const spelled of [query, query.toUpperCase(), query.toLowerCase()]) {
          expect(judged(`${around.repeat(times)}${spelled}${around}`, matcher)).toSatisfy(isAscending);
        }
        expect(judged(`${around}${query}${around}`, matcher)).not.toContain(false);
      }),
      { seed, numRuns: counts.grepExpressions },
    );
  });

  it("passes for every character that some ASCII letter stands for without regard to case", () => {
    for (let codePoint = 0; codePoint < 0x110000; codePoint++) {
      if (codePoint >= 0xd800 && codePoint < 0xe000) continue;
      const character = String.fromCodePoint(codePoint);
      const lowered = character.toLowerCase();
      const letter = /[a-z]/.exec(lowered)?.[0] ?? (codePoint === 0x17f ? "s" : null);
      if (letter === null) continue;
      const needs: TextNeeds = { folded: true, needs: { kind: "text", text: `x${letter}` } };
      expect([character, meets(`x${character}`, needs)]).toEqual([character, true]);
      const gram: TextNeeds = { folded: true, needs: { kind: "text", text: `xy${letter}` } };
      expect([character, passes(`xy${character}`, gram)]).toEqual([character, true]);
    }
  });
});

describe("needs", () => {
  const shown = (query: string, caseSensitive = true) => JSON.stringify(compiled(query, true, caseSensitive).needs);

  it("are the texts of an alternation, and all parts of a sequence", () => {
    expect(shown("stork|kiosk")).toBe(
      '{"folded":false,"needs":{"kind":"any","of":[{"kind":"text","text":"stork"},{"kind":"text","text":"kiosk"}]}}',
    );
    expect(shown("ab+cd.*efg")).toBe(
      '{"folded":false,"needs":{"kind":"all","of":[{"kind":"text","text":"efg"},{"kind":"text","text":"cd"},{"kind":"text","text":"a"},{"kind":"text","text":"b"}]}}',
    );
  });

  it("are folded where case makes no difference, without what is not ASCII", () => {
    expect(shown("STORCH", false)).toBe('{"folded":true,"needs":{"kind":"text","text":"storch"}}');
    expect(shown("Größe+", false)).toBe(
      '{"folded":true,"needs":{"kind":"all","of":[{"kind":"text","text":"gr"},{"kind":"text","text":"e"}]}}',
    );
    expect(shown("öü", false)).toBe("null");
  });

  it("are unknown where a match can do without, or where they would be too many to look for", () => {
    for (const query of [
      "(?:stork)?",
      "a*",
      "[a-z]+",
      "stork|[a-z]+",
      Array.from({ length: 40 }, (_, n) => `${n}x`).join("|"),
    ]) {
      expect([query, shown(query)]).toEqual([query, "null"]);
    }
  });
});

describe("a filter", () => {
  const prose = Array.from({ length: 1500 }, (_, n) => `line ${n} of some prose, ${(n * 7919) % 1009} words`).join(
    "\n",
  );

  it("holds back most texts that lack a word, and takes a small part of their size", () => {
    const filter = gramFilter(prose);
    expect(filter.length).toBeLessThanOrEqual(prose.length / 16);
    for (const absent of ["zanzibar", "lighthouse", "quicksilver"]) {
      const needs = compiled(absent).needs as TextNeeds;
      expect([absent, passes(prose, needs)]).toEqual([absent, false]);
    }
    expect(passes(prose, compiled("SOME PROSE", true, false).needs as TextNeeds)).toBe(true);
  });

  it("is never larger than 128 KiB and never smaller than eight bytes", () => {
    expect(gramFilter("")).toEqual(new Uint8Array(8));
    const dense = Array.from({ length: 1_200_000 }, (_, n) =>
      String.fromCharCode(33 + ((n * n) % 89), 33 + (n % 83)),
    ).join("");
    expect(gramFilter(dense.repeat(3)).length).toBeLessThanOrEqual(128 * 1024);
  });

  it("tells nothing of texts shorter than three characters", () => {
    const { needs } = compiled("ab");
    expect(needs).not.toBeNull();
    expect(filterTest(needs as TextNeeds)).toBeNull();
  });
});
