import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { counts, seed } from "../../../test/counts";
import { occurrencesOf } from "./occurrences";

function expected(text: string, literal: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(literal); at !== -1; at = text.indexOf(literal, at + literal.length)) found.push(at);
  return found;
}

describe("occurrences of a literal", () => {
  it.each([
    ["lantern", "lantern lanterlantern lantern", [0, 14, 22]],
    ["export", "export xport eexport", [0, 14]],
    ["aba", "abababa", [0, 4]],
    ["aaaaaaab", "aaaaaaaaaaaabaaaaaaab", [5, 13]],
    ["x", "axxa", [1, 2]],
    ["ab", "b", []],
  ])("%s in %s are at %j", (literal, text, places) => {
    expect([...occurrencesOf(literal)(text)]).toEqual(places);
  });

  it(`are those that the platform finds, from left to right without overlaps (HOLDFAST_SEED=${seed})`, () => {
    const letters = fc.constantFrom("a", "b", "e", "x", "\n", "é", "😀", "\ud83d");
    const texts = fc.array(letters, { maxLength: 60 }).map((all) => all.join(""));
    const literals = fc.array(letters, { minLength: 1, maxLength: 10 }).map((all) => all.join(""));
    // So often that the search goes on in another way.
    const times = fc.constantFrom(0, 1, 3, 200);
    const property = fc.property(texts, literals, times, (text, literal, count) => {
      const near = literal.slice(0, -1).repeat(count);
      const whole = `${text}${near}${literal.repeat(count % 7)}${text}${near}${literal}${literal}`;
      expect([...occurrencesOf(literal)(whole)]).toEqual(expected(whole, literal));
    });
    fc.assert(property, { seed, numRuns: counts.grepExpressions });
  });
});
