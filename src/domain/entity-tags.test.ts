/** Entity tags and what an upload may overwrite by them. */
import { describe, expect, it } from "vitest";
import { matchesStrongly, matchesWeakly, parseTagList, type TagList } from "./entity-tags";
import type { Sha256 } from "./hash";
import { type GuardFailure, guardFailure, onlyCreate, onlyReplace } from "./put-guard";

const strong = (value: string) => ({ weak: false, value });
const weak = (value: string) => ({ weak: true, value });

describe("a list of entity tags", () => {
  it.each<[header: string, list: TagList | null]>([
    ["*", "*"],
    [" * ", "*"],
    ['"a"', [strong("a")]],
    ['""', [strong("")]],
    ['W/"a"', [weak("a")]],
    ['"a", W/"b" ,"c"', [strong("a"), weak("b"), strong("c")]],
    ['"a,b", "c"', [strong("a,b"), strong("c")]],
    ['"a",, "b",', [strong("a"), strong("b")]],
    ["", null],
    ["a", null],
    ['"a', null],
    ['a"', null],
    ['"a" "b"', null],
    ['w/"a"', null],
    ['"a b"', null],
    ['*, "a"', null],
    ['"a", *', null],
    [",", null],
  ])("%j is %j", (header, list) => {
    expect(parseTagList(header)).toEqual(list);
  });

  it("compares strongly for If-Match and weakly for If-None-Match", () => {
    expect(matchesStrongly([weak("h"), strong("i")], "h")).toBe(false);
    expect(matchesWeakly([weak("h"), strong("i")], "h")).toBe(true);
    expect([matchesStrongly("*", "h"), matchesWeakly("*", "h")]).toEqual([true, true]);
    expect([matchesStrongly([strong("h")], "h"), matchesStrongly([strong("H")], "h")]).toEqual([true, false]);
  });
});

describe("what an upload may overwrite", () => {
  const hash = "h" as Sha256;
  const table: [
    match: string | null,
    none: string | null,
    whenAbsent: GuardFailure | null,
    whenThere: GuardFailure | null,
  ][] = [
    [null, null, null, "unseen"],
    [null, "*", null, "present"],
    [null, '"h"', null, "present"],
    [null, 'W/"h"', null, "present"],
    [null, '"x"', null, "unseen"],
    ['"h"', null, "gone", null],
    ['"x", "h"', null, "gone", null],
    ['"x"', null, "gone", "changed"],
    ['W/"h"', null, "gone", "changed"],
    ["*", null, "gone", "unseen"],
    ['"h"', "*", "gone", "present"],
    ['"x"', "*", "gone", "changed"],
    ['"h"', '"x"', "gone", null],
  ];
  it.each(table)(
    "MCP-032 If-Match %j and If-None-Match %j: absent %j, there %j",
    (match, none, whenAbsent, whenThere) => {
      const parse = (text: string | null) => (text === null ? null : parseTagList(text));
      const guard = { ifMatch: parse(match), ifNoneMatch: parse(none) };
      expect(guardFailure(guard, null)).toBe(whenAbsent);
      expect(guardFailure(guard, hash)).toBe(whenThere);
    },
  );

  it("MCP-032 a ticket's guard creates only, or replaces the one version only", () => {
    expect([guardFailure(onlyCreate, null), guardFailure(onlyCreate, hash)]).toEqual([null, "present"]);
    const replace = onlyReplace(hash);
    expect([null, hash, "i" as Sha256].map((current) => guardFailure(replace, current))).toEqual([
      "gone",
      null,
      "changed",
    ]);
  });
});
