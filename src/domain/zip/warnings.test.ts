// How many of the entries that became no file are named. Which they are: entry-names.test.ts, extraction.test.ts.
import { describe, expect, it } from "vitest";
import { zipWarningsMax, zipWarningsMaxUnits } from "../limits";
import { warningsOf } from "./warnings";

const skipped = (name: string) => ({ kind: "skipped", name, reason: "symlink" }) as const;
const file = { kind: "file", name: "f", reason: null } as const;
/** Takes half of what there is for names, in its JSON. */
const half = "\u0001".repeat(zipWarningsMaxUnits / 12);

describe("zipfs.md §3: warnings", () => {
  it("name 100 entries, in archive order, and the number of the rest", () => {
    const many = Array.from({ length: zipWarningsMax }, (_, index) => skipped(`${index}`));
    expect(warningsOf([...many, file]).map(({ entry }) => entry)).toEqual(many.map(({ name }) => name));
    expect(warningsOf([...many, file, skipped("x"), skipped("y")]).slice(-2)).toEqual([
      { entry: "99", reason: "symlink" },
      { entry: "", reason: "2 more" },
    ]);
  });

  it("name as many as fit, and none after the first that does not, however short", () => {
    const names = [skipped("a"), skipped(half), skipped(half), skipped("b"), file];
    expect(warningsOf(names)).toEqual([
      { entry: "a", reason: "symlink" },
      { entry: half, reason: "symlink" },
      { entry: "", reason: "2 more" },
    ]);
  });
});
