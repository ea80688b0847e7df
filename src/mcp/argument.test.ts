/** quickParser against the types that it stands for. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { seed } from "../../test/counts";
import { err, ok } from "../domain/result";
import { argument, optionalArgument, quickParser } from "./argument";

const number = (value: unknown) => (typeof value === "number" ? ok(value * 2) : err({ message: "n: give a number." }));
const text = (value: unknown) => (typeof value === "string" ? ok(value) : err({ message: "t: give a text." }));
const type = z.strictObject({ n: argument({}, number), t: optionalArgument({}, text) });

describe("quickParser", () => {
  it("gives what the type gives, and leaves to it what is wrong", () => {
    const parse = quickParser(type);
    const key = fc.constantFrom("n", "n", "n", "t", "t", "other", "__proto__", "constructor");
    const value = fc.constantFrom<unknown>(1, 2, 3, "x", "y", null, undefined, true, [], {});
    const raw = fc.oneof(
      fc.array(fc.tuple(key, value), { maxLength: 3 }).map((entries) => Object.fromEntries(entries)),
      fc.constantFrom<unknown>(null, undefined, [], "x", 1),
    );
    let parsed = 0;
    fc.assert(
      fc.property(raw, (given) => {
        const wanted = type.safeParse(given);
        const found = parse(given);
        expect(found).toEqual(wanted.success ? wanted.data : null);
        if (found !== null) parsed++;
      }),
      { seed, numRuns: 5_000 },
    );
    expect(parsed).toBeGreaterThan(100);
  });

  it("does not stand for types with fields of other making", () => {
    expect(quickParser(z.strictObject({ n: argument({}, number), other: z.number() }))({ n: 1, other: 2 })).toBeNull();
    expect(quickParser(z.strictObject({}))({})).toBeNull();
    expect(quickParser(z.looseObject({ n: argument({}, number) }))({ n: 1, other: 2 })).toBeNull();
  });
});
