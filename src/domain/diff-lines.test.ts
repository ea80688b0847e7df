/** Which lines a diff removes and adds: right always, as few as possible within the cost limits, null only beyond the byte limit. Not here: the format, see diff.test.ts. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { counts, seed } from "../../test/counts";
import { shortestEditLength, terminatedLines } from "../../test/harness/shortest-edits";
import { diffLines, type LineChanges } from "./diff-lines";
import { hashDiffMaxBytes } from "./limits";
import { splitLines } from "./lines";

const unlimited = Number.POSITIVE_INFINITY;

function changesOf(before: string, after: string, maxBytes = unlimited): LineChanges | null {
  return diffLines(splitLines(before), splitLines(after), maxBytes);
}

/** Number of lines removed and added; fails unless what is left of both texts is the same. */
function editLength(before: string, after: string, changes: LineChanges | null): number {
  const kept = (text: string, flags: Uint8Array | undefined) =>
    terminatedLines(text)
      .filter((_, index) => flags?.[index] === 0)
      .join("");
  expect(kept(before, changes?.removed) === kept(after, changes?.added)).toBe(true);
  const sum = (flags: Uint8Array | undefined) => flags?.reduce((total, flag) => total + flag, 0) ?? 0;
  return sum(changes?.removed) + sum(changes?.added);
}

/** The same numbers every time, fast enough for texts of many lines. */
function randomLines(count: number, letters: string, state: number): string[] {
  const lines: string[] = [];
  let random = state;
  for (let index = 0; index < count; index++) {
    random = (Math.imul(random, 1664525) + 1013904223) >>> 0;
    lines.push(`${letters[Math.floor((random / 2 ** 32) * letters.length)]}\n`);
  }
  return lines;
}

const text = fc
  .integer({ min: 1, max: 6 })
  .chain((letters) => fc.array(fc.constantFrom(..."abcdef".slice(0, letters)), { maxLength: 40 }))
  .chain((lines) => fc.constantFrom("", "\n").map((end) => (lines.length > 0 ? lines.join("\n") + end : "")));

describe("the lines of a diff", () => {
  it("are as few as can be", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const shortest = shortestEditLength(terminatedLines(before), terminatedLines(after));
        expect(editLength(before, after, changesOf(before, after))).toBe(shortest);
      }),
      { seed, numRuns: counts.diffPairs * 5 },
    );
  });

  it("are as few as can be in a long text with some edits", () => {
    const before = randomLines(2000, "abcdefghijklmnopqrstuvwxyz", 1);
    const after = before.flatMap((line, index) =>
      index % 37 === 0 ? [] : index % 23 === 0 ? ["new\n", line] : [line],
    );
    const changes = changesOf(before.join(""), after.join(""));
    expect(editLength(before.join(""), after.join(""), changes)).toBe(shortestEditLength(before, after));
  });

  it("are given up only if they take more than the bytes allowed", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const changes = changesOf(before, after);
        const bytes = [
          ...terminatedLines(before).filter((_, index) => changes?.removed[index] === 1),
          ...terminatedLines(after).filter((_, index) => changes?.added[index] === 1),
        ].reduce((sum, line) => sum + line.length + 1, 0);
        expect(changesOf(before, after, bytes)).toEqual(changes);
      }),
      { seed, numRuns: counts.diffPairs },
    );
  });
});

describe("texts whose shortest edit would take too long to find", () => {
  const lines = 150_000;
  const shuffled = [
    ["of two letters", randomLines(lines, "ab", 1), randomLines(lines, "ab", 2)],
    ["of many letters", randomLines(lines, "abcdefghijklmnopqrst", 1), randomLines(lines, "abcdefghijklmnopqrst", 2)],
    [
      "with a long common run",
      ...[3, 4].map((state) => [
        ...randomLines(9000, "abcdefgh", state),
        ...randomLines(lines, "x", 0),
        ...randomLines(9000, "abcdefgh", state + 2),
      ]),
    ],
  ] as [string, string[], string[]][];

  it.each(shuffled)(
    "%s: get a right diff, the same every time",
    (_, before, after) => {
      const [left, right] = [before.join(""), after.join("")];
      const changes = changesOf(left, right);
      expect(editLength(left, right, changes)).toBeLessThan(before.length + after.length);
      const again = changesOf(left, right);
      expect(again !== null && changes !== null && Buffer.from(again.removed).equals(changes.removed)).toBe(true);
      expect(again !== null && changes !== null && Buffer.from(again.added).equals(changes.added)).toBe(true);
    },
    120_000,
  );

  it.each(shuffled)(
    "%s: get none within the bytes of HASH_MISMATCH (MCP-034)",
    (_, before, after) => {
      expect(changesOf(before.join(""), after.join(""), hashDiffMaxBytes)).toBeNull();
    },
    120_000,
  );

  it("keep a common run of lines common", () => {
    const [, before, after] = shuffled[2] ?? ["", [], []];
    const length = editLength(before.join(""), after.join(""), changesOf(before.join(""), after.join("")));
    expect(length).toBeLessThan(4 * 9000);
  }, 120_000);
});

describe("a text in place of another", () => {
  it.each([
    ["", ""],
    ["", "a"],
    ["a\n", ""],
    ["a", "a\n"],
    ["ab\n", "b\n"],
    ["a", "ab"],
  ])("%j and %j share only whole lines with their terminators", (before, after) => {
    const changes = changesOf(before, after);
    const all = terminatedLines(before).length + terminatedLines(after).length;
    expect(editLength(before, after, changes)).toBe(all);
  });
});
