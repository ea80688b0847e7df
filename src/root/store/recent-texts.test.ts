// Which texts are kept in memory, and that they stay within their bound. That answers come from them: the tests of edits.
import { describe, expect, it } from "vitest";
import type { Sha256 } from "../../domain/hash";
import { RecentTexts } from "./recent-texts";

const hash = (n: number) => n.toString(16).padStart(64, "0") as Sha256;
const half = "x".repeat(512 * 1024);

describe("recent texts", () => {
  it("are found by their hash, with the time of their last use in the table", () => {
    const texts = new RecentTexts();
    texts.add(hash(1), "one", 7);
    expect(texts.get(hash(1))).toEqual({ text: "one", usedAtMs: 7 });
    expect(texts.get(hash(2))).toBeUndefined();
  });

  it("give way in the order of their use when together they are too long", () => {
    const texts = new RecentTexts();
    for (let n = 0; n < 8; n++) texts.add(hash(n), half, 0);
    texts.get(hash(0));
    texts.add(hash(8), half, 0);
    const kept = Array.from({ length: 9 }, (_, n) => texts.get(hash(n)) !== undefined);
    expect(kept).toEqual([true, false, true, true, true, true, true, true, true]);
  });

  it("count a text once, however often it is added", () => {
    const texts = new RecentTexts();
    texts.add(hash(0), half, 0);
    for (let n = 0; n < 20; n++) texts.add(hash(1), half, n);
    expect(texts.get(hash(0))).toBeDefined();
    expect(texts.get(hash(1))?.usedAtMs).toBe(19);
  });

  it("do not hold one that would push out all others", () => {
    const texts = new RecentTexts();
    texts.add(hash(0), "x".repeat(1024 * 1024 + 1), 0);
    expect(texts.get(hash(0))).toBeUndefined();
  });
});
