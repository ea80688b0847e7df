/** How many paths one list of an answer takes (LIST_MAX, RESPONSE_MAX). */
import { describe, expect, it } from "vitest";
import { cutPaths } from "./cut-paths";
import { listMaxEntries, pathMaxBytes, pathsAnswerMaxUnits, responseMaxBytes } from "./limits";
import type { RootPath } from "./path";
import { cutChanges } from "./zip/cut-changes";

const paths = (count: number, path: string) => Array.from({ length: count }, () => path as RootPath);

describe("a list of paths", () => {
  it("is whole as long as it has no more than LIST_MAX of them", () => {
    expect(cutPaths([])).toEqual([]);
    expect(cutPaths(paths(listMaxEntries, "/a"))).toHaveLength(listMaxEntries);
    expect(cutPaths(paths(listMaxEntries + 1, "/a"))).toHaveLength(listMaxEntries);
  });

  it.each(['"', "é", "～", "😀"])(
    "of the longest paths is cut, so that two of them fit in one answer, twice: %s",
    (character) => {
      const { length } = new TextEncoder().encode(character);
      const cut = cutPaths(paths(listMaxEntries, `/${character.repeat((pathMaxBytes - 1) / length)}`));
      expect(cut.length).toBeGreaterThan(1000);
      expect(cut.length).toBeLessThanOrEqual(listMaxEntries);
      const text = JSON.stringify({ restored: cut, deleted: cut });
      const answer = JSON.stringify({ content: [{ type: "text", text }], structuredContent: JSON.parse(text) });
      expect(new TextEncoder().encode(answer).length).toBeLessThan(responseMaxBytes - 4096);
    },
  );

  it.each(['"', "é", "～", "😀"])(
    "is shorter where an answer has six of them, so that all fit, twice: %s",
    (character) => {
      const { length } = new TextEncoder().encode(character);
      const all = paths(listMaxEntries, `/${character.repeat((pathMaxBytes - 1) / length)}`);
      const { isCut, ...lists } = cutChanges({ modified: all, added: all, deleted: all }, 6);
      expect(isCut).toBe(true);
      const text = JSON.stringify({ ...lists, unsynced: lists });
      const answer = JSON.stringify({ content: [{ type: "text", text }], structuredContent: JSON.parse(text) });
      expect(new TextEncoder().encode(answer).length).toBeLessThan(responseMaxBytes - 4096);
      expect(cutChanges({ modified: all.slice(0, 1), added: [], deleted: [] }, 6).isCut).toBe(false);
    },
  );

  it("takes paths up to the limit of their length", () => {
    const half = `/${"a".repeat(pathsAnswerMaxUnits / 2 - 1)}`;
    expect(cutPaths(paths(2, half))).toHaveLength(2);
    expect(cutPaths(paths(3, half))).toHaveLength(2);
  });
});
