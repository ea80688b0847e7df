/** Filters in memory: each is found as it was put there, and at the limit all make room. */
import { describe, expect, it } from "vitest";
import { type Sha256, sha256Hex } from "../hash";
import { type FilterTest, gramFilter } from "./gram-filter";
import { WarmFilters } from "./warm-filters";

function shown(filters: WarmFilters, hash: Sha256): string {
  let seen = "none";
  const look: FilterTest = (bytes, start, length) => {
    seen = bytes.slice(start, start + length).join();
    return false;
  };
  return `${filters.mayPass(hash, look)} ${seen}`;
}

const texts = Array.from({ length: 300 }, (_, n) => `${n} words `.repeat(1 + ((n * 37) % 500)));

describe("filters in memory", () => {
  it("are found as they were put there, however much the memory has grown", () => {
    const filters = new WarmFilters(1024 * 1024);
    for (const text of texts) filters.add(sha256Hex(text), gramFilter(text));
    for (const text of texts) expect(shown(filters, sha256Hex(text))).toBe(`false ${gramFilter(text).join()}`);
    expect(shown(filters, sha256Hex("unknown"))).toBe("true none");
  });

  it("make room for others at the limit, and rule nothing out when they are gone", () => {
    const filters = new WarmFilters(1000);
    let kept = 0;
    for (const [index, text] of texts.entries()) {
      filters.add(sha256Hex(text), gramFilter(text));
      expect(shown(filters, sha256Hex(text))).toBe(`false ${gramFilter(text).join()}`);
      kept = texts.slice(0, index + 1).filter((each) => filters.has(sha256Hex(each))).length;
      const bytes = texts.reduce((sum, each) => sum + (filters.has(sha256Hex(each)) ? gramFilter(each).length : 0), 0);
      expect(bytes).toBeLessThan(1000);
    }
    expect(kept).toBeLessThan(texts.length);
    const gone = texts.find((each) => !filters.has(sha256Hex(each))) as string;
    expect(shown(filters, sha256Hex(gone))).toBe("true none");
  });

  it("that are larger than the limit are not kept", () => {
    const filters = new WarmFilters(8);
    filters.add(sha256Hex("a"), gramFilter("a"));
    expect(filters.has(sha256Hex("a"))).toBe(false);
  });
});
