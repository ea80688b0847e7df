/** Generated queries on generated texts: re2js itself, line by line, is the judge of every position. */
import fc from "fast-check";
import { RE2JS } from "re2js";
import { describe, expect, it } from "vitest";
import { counts, seed } from "../../../test/counts";
import { compileQuery, type Query } from "./compile-query";
import { RegexSearch } from "./regex-search";
import { WorkMeter } from "./work-meter";

const unlimited = Number.POSITIVE_INFINITY;

function found(text: string, query: Query): string[] {
  const matcher = compileQuery(query);
  if (!matcher.ok) throw new Error(matcher.error.message);
  return [...matcher.value.matches(text, new WorkMeter(unlimited))].map(
    (match) => `${match.lineNumber}:${match.column}`,
  );
}

function expected(text: string, expression: RE2JS): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.flatMap((line, index) => {
    const matcher = expression.matcher(line);
    const empty: number[] = [];
    const others: number[] = [];
    while (matcher.find()) (matcher.start() === matcher.end() ? empty : others).push(matcher.start());
    const entries = others.length > 0 ? others : empty.slice(0, 1);
    return entries.map((start) => `${index + 1}:${[...line.slice(0, start)].length + 1}`);
  });
}

function compiles(expression: string): boolean {
  try {
    return RE2JS.compile(expression) !== null;
  } catch {
    return false;
  }
}

const atoms = [
  ..."abcksKé_1 ",
  ...[
    "😀",
    "ſ",
    "\u212a",
    "ab",
    "abc",
    "",
    ".",
    "\\d",
    "\\w",
    "\\W",
    "\\s",
    "\\S",
    "\\pL",
    "\\PL",
    "\\x{1F600}",
    "\\Qa.b\\E",
    "\\r",
  ],
  ...["[ab]", "[^a]", "[a-k]", "[^\\pL]", "[^b😀]", "[[:word:]]", "[^\\x00-\\x{10FFFF}]", "\\n"],
  ...["^", "$", "\\b", "\\B", "\\A", "\\z", "(?m:^)", "(?m:$)"],
  ...["(?i:k)", "(?i:s)", "(?i:é)", "(?i:[^k])"],
];
const quantifiers = ["*", "+", "?", "*?", "+?", "??", "{2}", "{1,3}", "{0,2}?", "{2,}", "{0}"];

const { expression } = fc.letrec<{ expression: string; node: string }>((tie) => ({
  expression: fc.tuple(tie("node"), tie("node")).map(([left, right]) => left + right),
  node: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom(...atoms),
    fc.tuple(tie("node"), tie("node")).map(([left, right]) => left + right),
    fc.tuple(tie("node"), tie("node")).map(([left, right]) => `(?:${left}|${right})`),
    fc.tuple(tie("node"), fc.constantFrom(...quantifiers)).map(([inner, quantifier]) => `(?:${inner})${quantifier}`),
    fc.tuple(tie("node"), fc.constantFrom(...quantifiers)).map(([inner, quantifier]) => `(${inner})${quantifier}`),
  ),
}));

const character = fc.constantFrom(..."abcaksSKA1_ -.\r\n\néÉ", "😀", "😁", "ſ", "\u212a", "İ");
const text = fc.array(character, { maxLength: 30 }).map((characters) => characters.join(""));

describe("queries are answered as re2js answers them line by line", () => {
  it("for generated expressions", { timeout: 3_600_000 }, () => {
    fc.assert(
      fc.property(
        expression,
        fc.array(text, { minLength: 4, maxLength: 8 }),
        fc.boolean(),
        (query, texts, caseSensitive) => {
          fc.pre(query !== "" && compiles(query));
          const judge = RE2JS.compile(query, caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE);
          for (const each of texts) {
            expect(found(each, { query, regex: true, caseSensitive })).toEqual(expected(each, judge));
          }
        },
      ),
      { seed, numRuns: counts.grepExpressions },
    );
  });

  it("for generated literals, their spelling changed", { timeout: 3_600_000 }, () => {
    const literal = fc
      .array(character, { minLength: 1, maxLength: 4 })
      .map((all) => all.join("").replaceAll("\n", "x"));
    fc.assert(
      fc.property(literal, text, text, fc.nat(40), fc.boolean(), (part, before, after, times, caseSensitive) => {
        const query = part.repeat(times % 7 === 0 ? 1 + times : 1);
        const searched = `${before}${query}${after}${query.toUpperCase()}${before}${query.toLowerCase()}`;
        const judge = RE2JS.compile(RE2JS.quote(query), caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE);
        expect(found(searched, { query, regex: false, caseSensitive })).toEqual(expected(searched, judge));
      }),
      { seed, numRuns: counts.grepExpressions },
    );
  });

  it("for letters of ASCII in a text of every character of Unicode, whatever the case", { timeout: 600_000 }, () => {
    const all = Array.from({ length: 0x110000 }, (_, codePoint) => codePoint)
      .filter((codePoint) => codePoint !== 0x0a && (codePoint < 0xd800 || codePoint > 0xdfff))
      .map((codePoint) => String.fromCodePoint(codePoint));
    // Without these two, lower-casing is enough.
    const plain = all.filter((each) => each !== "İ" && each !== "ſ");
    for (const query of counts.deep ? "abcdefghijklmnopqrstuvwxyzß" : "aiksß") {
      const judge = RE2JS.compile(query, RE2JS.CASE_INSENSITIVE);
      for (const characters of [all, plain]) {
        // One long line: the column is the index.
        const searched = characters.join("");
        expect(found(searched, { query, regex: false, caseSensitive: false })).toEqual(expected(searched, judge));
      }
    }
  });

  it("also when states are forgotten all the time", { timeout: 3_600_000 }, () => {
    fc.assert(
      fc.property(expression, fc.array(text, { minLength: 2, maxLength: 4 }), fc.nat(300), (query, texts, cellsMax) => {
        fc.pre(compiles(query));
        const ample = new RegexSearch(RE2JS.compile(query));
        const forgetful = new RegexSearch(RE2JS.compile(query), cellsMax);
        for (const each of texts) {
          const searched = each.repeat(5);
          expect([...forgetful.starts(searched, new WorkMeter(unlimited))]).toEqual([
            ...ample.starts(searched, new WorkMeter(unlimited)),
          ]);
        }
      }),
      { seed, numRuns: counts.grepExpressions },
    );
  });
});
