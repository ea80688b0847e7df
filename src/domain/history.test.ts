/** Several changes of a path at once make the history that they make one by one. How long a version is known is not covered here. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { counts, seed } from "../../test/counts";
import type { Sha256 } from "./hash";
import { advanceHistory, type FormerVersion } from "./history";
import { historyVersionsMax } from "./limits";

/** Rows of a table, the oldest first: one change at a time, with a statement's worth of work for each rule. */
class StepByStep {
  rows: { readonly blob: Sha256; readonly replacedAtMs: number | null }[];

  constructor(known: readonly Sha256[]) {
    this.rows = known.map((blob) => ({ blob, replacedAtMs: null }));
  }

  change(former: FormerVersion, current: Sha256): void {
    this.rows = this.rows.filter(({ blob }) => blob !== former.blob);
    this.rows.push(former);
    this.rows = this.rows.filter(({ blob }) => blob !== current);
    // The current one counts as one of the known.
    while (this.rows.length > historyVersionsMax - 1) this.rows.shift();
  }
}

/** The history after the change, as those see it who store it. */
function stored(known: readonly Sha256[], replaced: readonly FormerVersion[], current: Sha256) {
  const { added, dropped } = advanceHistory(known, replaced, current);
  const moved = new Set([...dropped, ...added.map(({ blob }) => blob)]);
  const staying = known.filter((blob) => !moved.has(blob)).map((blob) => ({ blob, replacedAtMs: null }));
  return { rows: [...staying, ...added], dropped: [...dropped].sort() };
}

function expected(known: readonly Sha256[], replaced: readonly FormerVersion[], current: Sha256) {
  const model = new StepByStep(known);
  for (const [index, former] of replaced.entries()) model.change(former, replaced[index + 1]?.blob ?? current);
  const kept = new Set(model.rows.map(({ blob }) => blob));
  const seen = new Set([...known, ...replaced.map(({ blob }) => blob)]);
  return { rows: model.rows, dropped: [...seen].filter((blob) => !kept.has(blob)).sort() };
}

const nameOf = (number: number) => `v${number}` as Sha256;

/** Former versions, and a chain from the current one on. No step leads from a version to itself. */
const cases = fc.integer({ min: 2, max: 60 }).chain((names) =>
  fc
    .record({
      known: fc.uniqueArray(fc.nat(names - 1), { maxLength: historyVersionsMax, size: "max" }),
      chain: fc.array(fc.nat(names - 1), { minLength: 2, maxLength: 80, size: "max" }),
    })
    .map(({ known, chain }) => ({
      known: known.filter((number) => number !== chain[0]).map(nameOf),
      chain: chain.filter((number, at) => number !== chain[at - 1]).map(nameOf),
    }))
    .filter(({ chain }) => chain.length > 1),
);

describe("several changes at once", () => {
  it(`leave the history that they leave one by one, in ${counts.diffPairs * 5} generated cases`, () => {
    const lengths: number[] = [];
    fc.assert(
      fc.property(cases, ({ known, chain }) => {
        const replaced = chain.slice(0, -1).map((blob, at) => ({ blob, replacedAtMs: 1000 + at }));
        const current = chain.at(-1) as Sha256;
        expect(stored(known, replaced, current)).toEqual(expected(known, replaced, current));
        lengths.push(chain.length);
      }),
      { numRuns: counts.diffPairs * 5, seed },
    );
    expect(lengths.filter((length) => length > 2 * historyVersionsMax).length).toBeGreaterThan(counts.diffPairs / 2);
  });

  it.each<[string, string, string, string, string]>([
    ["there and back, of which the one between is a former version", "", "AB", "A", "B"],
    ["there and back twice", "", "ABAB", "A", "B"],
    ["to a version that was known", "XYZ", "A", "Y", "XZA"],
    ["over a version that was known", "XYZ", "AY", "B", "XZAY"],
  ])("%s", (_, known, chain, current, after) => {
    const replaced = [...chain].map((blob, at) => ({ blob: blob as Sha256, replacedAtMs: at }));
    const { rows } = stored([...known] as Sha256[], replaced, current as Sha256);
    expect(rows.map(({ blob }) => blob).join("")).toBe(after);
  });
});
