/** The search that stays linear: the same places as the platform's, at a bounded cost. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seed } from "../../test/counts";
import { linearIndexOf } from "./linear-search";

const words = fc.string({ unit: fc.constantFrom("a", "b", "😀"), maxLength: 30 });

describe("linearIndexOf", () => {
  it("finds the first place that indexOf finds within the bounds", () => {
    fc.assert(
      fc.property(
        words,
        fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 5 }),
        fc.nat(60),
        (text, wanted, at) => {
          const from = Math.min(at, text.length);
          expect(linearIndexOf(text, wanted, from, text.length)).toBe(text.indexOf(wanted, from));
          const found = text.slice(0, from).indexOf(wanted);
          expect(linearIndexOf(text, wanted, 0, from)).toBe(found);
        },
      ),
      { seed, numRuns: 5000 },
    );
  });

  it("takes no longer where a long text is almost everywhere", () => {
    const half = "a".repeat(50_000);
    const started = performance.now();
    expect(linearIndexOf("a".repeat(4_000_000), `${half}b${half}`, 0, 4_000_000)).toBe(-1);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
