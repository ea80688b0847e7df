/** Globs of build_cache: a table of what they mean, the matcher of Node as judge where both mean the same, and a plain second matcher. */
import { matchesGlob } from "node:path/posix";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { counts, seed } from "../../../test/counts";
import { compileGlob } from "./glob";

const matches = (glob: string, path: string) => compileGlob(glob)?.(path) ?? false;

describe("a glob", () => {
  it.each<[glob: string, matching: string[], not: string[]]>([
    ["**/*.md", ["a.md", "x/a.md", "x/y/.a.md", ".md", ".x/a.md"], ["a.MD", "a.md/b", "a.mdx", "amd"]],
    ["*.md", ["a.md", ".a.md"], ["x/a.md"]],
    ["**", ["a", "a/b", ".x/.y"], []],
    ["a/**", ["a/b", "a/b/c", "a/.b"], ["a", "ab/c"]],
    ["a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["ab", "a/xb", "a/b/c"]],
    ["**/a/**", ["a/b", "x/a/b"], ["a", "x/a"]],
    ["a**b", ["ab", "axb", "a**b"], ["a/b"]],
    ["?", ["a", "é", "😀", "."], ["", "ab", "/"]],
    ["[a-c]x", ["ax", "cx"], ["dx", "Ax", "x"]],
    ["[!a-c]x", ["dx", ".x"], ["ax"]],
    ["[^a]x", ["bx"], ["ax"]],
    ["[]]x", ["]x"], ["x"]],
    ["[a-]", ["a", "-"], ["b"]],
    ["[😀-😂]", ["😁"], ["😃"]],
    ["[ab", ["[ab"], ["a"]],
    ["{a,b}.md", ["a.md", "b.md"], ["c.md", "{a,b}.md"]],
    ["{a,{b,c}d}", ["a", "bd", "cd"], ["b", "d"]],
    ["x{,y}", ["x", "xy"], ["x,"]],
    ["{**/,}a", ["a", "x/a"], ["xa"]],
    ["{a}", ["{a}"], ["a"]],
    ["{a,b", ["{a,b"], ["a"]],
    ["\\*.md", ["*.md"], ["a.md"]],
    ["\\{a,b\\}", ["{a,b}"], ["a"]],
    ["docs/*/x", ["docs/a/x"], ["docs/x", "docs/a/b/x"]],
  ])("%s", (glob, matching, not) => {
    expect(matching.filter((path) => !matches(glob, path))).toEqual([]);
    expect(not.filter((path) => matches(glob, path))).toEqual([]);
  });

  it("of braces that stand for too many is refused, and one of many stars is quick", () => {
    expect(compileGlob("{a,b}".repeat(9))).not.toBeNull();
    expect(compileGlob("{a,b}".repeat(10))).toBeNull();
    expect(compileGlob(`${"{a,".repeat(300)}b${"}".repeat(300)}`)).not.toBeNull();
    expect(matches("*a".repeat(300), "a".repeat(1000).concat("b"))).toBe(false);
    expect(matches("**/a/".repeat(100).concat("b"), "a/".repeat(60).concat("c"))).toBe(false);
  });
});

const names = fc.array(fc.constantFrom("a", "b", "c", "ab", "abc", "b1"), { minLength: 1, maxLength: 4 });
const path = names.map((list) => list.join("/"));
const plainName = fc
  .array(fc.constantFrom("a", "b", "?", "*", "[ab]", "[!a]", "[a-b]", "1"), { minLength: 1, maxLength: 4 })
  // Two stars beside each other in a name are one; the judge has its own idea of more.
  .map((parts) => parts.join("").replaceAll(/\*+/g, "*"));
const plainGlob = fc
  .array(fc.oneof({ weight: 3, arbitrary: plainName }, { weight: 1, arbitrary: fc.constant("**") }), {
    minLength: 1,
    maxLength: 4,
  })
  .map((parts) => parts.join("/"))
  // `a/**` is also `a` to the judge.
  .filter((glob) => !glob.endsWith("/**"));
const braces = fc.tuple(plainName, plainName, plainName).map(([a, b, c]) => `{${a},${b}}${c}`);

describe(`generated globs (HOLDFAST_SEED=${seed})`, () => {
  it("mean what Node's matcher makes of them", { timeout: 10 * 60_000 }, () => {
    const property = fc.property(fc.oneof(plainGlob, braces), path, (glob, one) => {
      expect(matches(glob, one), `${glob} on ${one}`).toBe(matchesGlob(one, glob));
    });
    fc.assert(property, { seed, numRuns: counts.globCases });
  });

  it("mean what a matcher that tries everything makes of them", () => {
    const property = fc.property(plainGlob, path, (glob, one) => {
      expect(matches(glob, one), `${glob} on ${one}`).toBe(tries(glob.split("/"), one.split("/")));
    });
    fc.assert(property, { seed, numRuns: 5000 });
  });
});

/** By the words of the spec: `**` is any number of directories, the rest one name each. */
function tries(globs: readonly string[], names: readonly string[]): boolean {
  const [glob, ...rest] = globs;
  if (glob === undefined) return names.length === 0;
  if (glob === "**") return tries(rest, names) || (names.length > 0 && tries(globs, names.slice(1)));
  const [name, ...others] = names;
  if (name === undefined) return false;
  const expression = glob.replaceAll("?", ".").replaceAll("*", ".*").replaceAll("[!", "[^");
  return new RegExp(`^(?:${expression})$`, "s").test(name) && tries(rest, others);
}
