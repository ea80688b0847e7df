/** Lines, columns, empty matches, case, refused queries and bounded work of a query. Not here: generated expressions, see compile-query-properties.test.ts. */
import { describe, expect, it } from "vitest";
import { grepInstructionsMax, grepLineMaxCodePoints, grepQueryMaxBytes, grepWorkMax } from "../limits";
import { compileQuery, type LineMatcher, type Query } from "./compile-query";
import { WorkMeter } from "./work-meter";

function compiled(query: string, options: Partial<Query> = {}): LineMatcher {
  const result = compileQuery({ query, regex: true, caseSensitive: true, ...options });
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

function places(text: string, query: string, options: Partial<Query> = {}): string[] {
  const work = new WorkMeter(grepWorkMax);
  return [...compiled(query, options).matches(text, work)].map(({ lineNumber, column }) => `${lineNumber}:${column}`);
}

function refusal(query: string, options: Partial<Query> = {}): string {
  const result = compileQuery({ query, regex: true, caseSensitive: true, ...options });
  return result.ok ? "accepted" : result.error.message;
}

const literal = { regex: false };
const folded = { caseSensitive: false };

describe("lines and columns", () => {
  it("orders matches by line and column, without overlaps (seed 002 §1.3)", () => {
    expect(places("xaaa\naa\n\nbaa", "aa", literal)).toEqual(["1:2", "2:1", "4:2"]);
    expect(places("xaaa\naa\n\nbaa", "a{2}")).toEqual(["1:2", "2:1", "4:2"]);
  });

  it("counts columns in code points", () => {
    expect(places("😀é\u0301x😀x", "x", literal)).toEqual(["1:4", "1:6"]);
    expect(places("😀é\u0301x😀x", "[x]")).toEqual(["1:4", "1:6"]);
    expect(places("😀😀", ".")).toEqual(["1:1", "1:2"]);
  });

  it("gives the line without its newline, and with a carriage return", () => {
    const work = new WorkMeter(grepWorkMax);
    expect([...compiled("b").matches("a\nab\r\nc", work)]).toEqual([
      { lineNumber: 2, column: 2, text: "ab\r", cut: false },
    ]);
    expect(places("b\r\nb\n", "b$")).toEqual(["2:1"]);
    expect(places("b\r\nb\n", "b\\r?$")).toEqual(["1:1", "2:1"]);
  });

  it("never matches across lines", () => {
    expect(places("a\nb", "a\\nb")).toEqual([]);
    expect(places("a\nb", "a[^x]b")).toEqual([]);
    expect(places("a\nb", "(?s)a.b")).toEqual([]);
    expect(places("a \n b", "a\\s+b")).toEqual([]);
  });

  it("takes each line for a whole text", () => {
    expect(places("ab\nab\n", "\\Aab\\z")).toEqual(["1:1", "2:1"]);
    expect(places("ab\nab", "^a|b$")).toEqual(["1:1", "1:2", "2:1", "2:2"]);
    expect(places("ab\ncab", "(?m)^ab")).toEqual(["1:1"]);
  });

  it("cuts a long line after so many code points, whole characters only", () => {
    const work = new WorkMeter(grepWorkMax);
    const exact = `x${"😀".repeat(grepLineMaxCodePoints - 1)}`;
    expect([...compiled("x").matches(`${exact}\n${exact}y`, work)]).toEqual([
      { lineNumber: 1, column: 1, text: exact, cut: false },
      { lineNumber: 2, column: 1, text: exact, cut: true },
    ]);
    expect(places(`${exact}y`, "y")).toEqual([`1:${grepLineMaxCodePoints + 1}`]);
  });
});

describe("empty matches", () => {
  it("give one entry on a line that has no others, at the first place", () => {
    expect(places("ab\n\n😀\n", "x*")).toEqual(["1:1", "2:1", "3:1"]);
    expect(places("a b", "\\b")).toEqual(["1:1"]);
    expect(places("😀 b", "\\b")).toEqual(["1:3"]);
    expect(places("ab", "$")).toEqual(["1:3"]);
  });

  it("are left out on a line that has others", () => {
    expect(places("baac\nb", "a*")).toEqual(["1:2", "2:1"]);
  });

  it("find empty lines, and no line after a final newline", () => {
    expect(places("a\n\nb\n\n", "^$")).toEqual(["2:1", "4:1"]);
    expect(places("", "^$")).toEqual([]);
    expect(places("\n", "^$")).toEqual(["1:1"]);
    expect(places("\r\n", "^$")).toEqual([]);
  });
});

describe("meaning of expressions", () => {
  it("prefers the first alternative of the leftmost match", () => {
    expect(places("ab ab", "a|ab| ")).toEqual(["1:1", "1:3", "1:4"]);
    expect(places("abcabc", "(?:ab|abcab)")).toEqual(["1:1", "1:4"]);
    expect(places("aaa", "a+?")).toEqual(["1:1", "1:2", "1:3"]);
  });

  it("takes classes for ASCII and the dot for any character", () => {
    expect(places("é٣ ", "\\w|\\d|\\s")).toEqual(["1:3"]);
    expect(places("éa", "\\ba")).toEqual(["1:2"]);
    expect(places("\u2028\u0085😀", "...")).toEqual(["1:1"]);
  });

  it("takes a literal as it is", () => {
    expect(places("a.b axb (", "a.b", literal)).toEqual(["1:1"]);
    expect(places("a.b axb (", "(", literal)).toEqual(["1:9"]);
  });
});

describe("case", () => {
  it.each([
    ["k", "kK\u212a", 3],
    ["S", "sS\u017f", 3],
    ["i", "iI\u0130\u0131", 2],
    ["ß", "ß\u1e9eSSss", 2],
    ["å", "åÅ\u212b", 3],
    ["σ", "σςΣ", 3],
    ["ǆ", "ǆǅǄ", 3],
    ["straße", "STRASSE straße STRAẞE", 2],
    ["𐐨", "𐐀𐐨", 2],
  ])("is folded simply: %s in %s", (query, text, count) => {
    expect(places(text, query, { ...literal, ...folded })).toHaveLength(count);
    expect(places(text, `(?:${query})`, folded)).toHaveLength(count);
    expect(places(`${text}\u0130\u017f`, query, { ...literal, ...folded }).length).toBeGreaterThanOrEqual(count);
  });

  it("keeps columns where lower case would be longer", () => {
    expect(places("\u0130\u0130x\nX", "x", { ...literal, ...folded })).toEqual(["1:3", "2:1"]);
  });

  it("counts by default", () => {
    expect(places("aA", "A", literal)).toEqual(["1:2"]);
    expect(places("aA", "[A]")).toEqual(["1:2"]);
  });
});

describe("refused queries", () => {
  it.each([
    "(?=a)",
    "(?!a)",
    "(?<=a)",
    "(?<!a)",
    "(a)\\1",
    "\\k<n>",
    "(",
    "a)",
    "[z-a]",
    "*",
    "\\",
    "a{1001}",
    "(?>a)",
  ])("%s is refused with the message of the engine", (query) => {
    expect(refusal(query)).toMatch(
      /^query: error parsing regexp: .+; the syntax is RE2's, without look-around and back/,
    );
    expect(refusal(query, folded)).toBe(refusal(query));
    expect(refusal(query, literal)).toBe("accepted");
  });

  it("quotes the place of the mistake", () => {
    expect(refusal("a(?=b)")).toContain("invalid or unsupported Perl syntax: `(?=`");
    expect(refusal("(a", folded)).toContain("missing closing ): `(a`");
  });

  it("are empty, of several lines, ill-formed or too long", () => {
    expect(refusal("")).toContain("an empty string was given");
    expect(refusal("a\nb", literal)).toContain("a line break was given");
    expect(refusal("\ud800", literal)).toContain("a lone surrogate");
    expect(refusal("é".repeat(grepQueryMaxBytes / 2), literal)).toBe("accepted");
    expect(refusal(`${"é".repeat(grepQueryMaxBytes / 2)}a`, literal)).toBe(
      "query: 1001 bytes were given; at most 1000 are allowed.",
    );
  });

  it("have repetitions that make them too large", () => {
    expect(refusal("((a{1,1000}){1,1000}){1,1000}")).toContain("expression too large");
    expect(refusal("(?:a|b?){1000}".repeat(70))).toContain(`at most ${grepInstructionsMax} are allowed`);
    expect(refusal("\\pL{1000}".repeat(9))).toBe("accepted");
  });
});

describe("work", () => {
  const million = "a".repeat(1_000_000);

  it.each(["(a+)+$", "(a|aa)+$", "(a*)*b?$", "(?:a?){100}a{100}$"])(
    "%s looks at a million characters a few times",
    (query) => {
      const work = new WorkMeter(10 * million.length);
      expect([...compiled(query).matches(million, work)]).toHaveLength(1);
      expect(work.exhausted).toBe(false);
    },
  );

  it.each(["(a+)+b", "(x+x+)+y", "(.*)(.*)(.*)(.*)(.*)[^a]"])("%s finds nothing in a million characters", (query) => {
    const work = new WorkMeter(10 * million.length);
    expect([...compiled(query).matches(million, work)]).toEqual([]);
    expect(work.exhausted).toBe(false);
  });

  it("ends a search whose every match looks at the whole rest of the line", () => {
    const work = new WorkMeter(20 * million.length);
    const found = [...compiled("a.*b|a").matches(million, work)];
    expect(work.exhausted).toBe(true);
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThan(30);
  });

  it("ends a search that needs ever new states", () => {
    let random = 1;
    const noise = Array.from({ length: 100_000 }, () => {
      random = (random * 48271) % 0x7fffffff;
      return random & 4096 ? "a" : "b";
    }).join("");
    const work = new WorkMeter(2_000_000);
    expect([...compiled("[ab]*a[ab]{900}[cd]").matches(noise, work)]).toEqual([]);
    expect(work.exhausted).toBe(true);
  });

  it("is done only for the matches that are asked for", () => {
    const work = new WorkMeter(1000);
    const [first] = compiled("a+b").matches(`ab\n${million}`, work);
    expect(first?.lineNumber).toBe(1);
    expect(work.exhausted).toBe(false);
  });
});
