/**
 * The user's object against a plain model in memory: generated sequences of operations, each in a fresh object, with evictions, alarms and
 * leaps of time in between. Not here: contents above the limits of text tools, quotas, concurrent calls.
 */
import fc from "fast-check";
import { afterAll, describe, expect, it, vi } from "vitest";
import { counts, seed } from "../../counts";
import type { Kind } from "./compare";
import { runSequence } from "./run";
import { sequences } from "./steps";

afterAll(() => {
  vi.useRealTimers();
});

describe("the user's object and the model of a root", () => {
  it(`answer alike in ${counts.modelSequences} sequences of up to 40 operations, and check finds nothing (HOLDFAST_SEED=${seed})`, {
    timeout: 30 * 60_000,
  }, async () => {
    const seen = new Map<Kind, number>();
    const property = fc.asyncProperty(sequences, async (sequence) => {
      for (const kind of await runSequence(sequence)) seen.set(kind, (seen.get(kind) ?? 0) + 1);
    });
    await fc.assert(property, { seed, numRuns: counts.modelSequences });

    console.info(`calls: ${[...seen].map(([kind, times]) => `${times} ${kind}`).join(", ")}`);
    const kinds: Kind[] = ["ok", "already applied", "diff given", "diff withheld"];
    const codes: Kind[] = ["NOT_FOUND", "ALREADY_EXISTS", "LINE_MISMATCH", "NOT_TEXT", "INVALID_ARGUMENT"];
    expect([...seen.keys()].sort()).toEqual([...kinds, ...codes].sort());
  });
});
