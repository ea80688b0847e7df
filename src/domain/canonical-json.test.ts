/** Canonical JSON against the vectors of the spec and against JSON.parse. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seed } from "../../test/counts";
import { canonicalJson, type JsonValue } from "./canonical-json";
import { sha256Hex } from "./hash";

interface Vector {
  readonly id: string;
  readonly name: string;
  readonly input?: JsonValue;
  readonly input_json?: string;
  readonly canonical?: string;
  readonly hex?: string;
  readonly sha256?: string;
  readonly error?: string;
}

const { cases } = JSON.parse(
  readFileSync(new URL("../../test/vectors/canonical-json.json", import.meta.url), "utf8"),
) as { cases: Vector[] };

describe("canonical JSON (seed 002 §1.1)", () => {
  it("has all vectors", () => expect(cases).toHaveLength(27));

  it.each(cases.map((vector) => [vector.id, vector.name, vector] as const))("%s: %s", (_id, _name, vector) => {
    const input = vector.input_json === undefined ? (vector.input as JsonValue) : JSON.parse(vector.input_json);
    if (vector.error !== undefined) {
      expect(() => canonicalJson(input)).toThrow(TypeError);
      return;
    }
    const text = canonicalJson(input);
    expect(text).toBe(vector.canonical);
    expect(Buffer.from(text, "utf8").toString("hex")).toBe(vector.hex);
    expect(sha256Hex(text)).toBe(vector.sha256);
  });

  it("seed 002 §1.1: is the same text whatever the order of the keys, and leads back to the value", () => {
    const keys = fc.string({ unit: "binary", maxLength: 4 });
    const values = fc.dictionary(keys, fc.oneof(fc.maxSafeInteger(), keys, fc.boolean(), fc.constant(null)));
    fc.assert(
      fc.property(values, (value) => {
        const reversed = Object.fromEntries(Object.entries(value).reverse());
        expect(canonicalJson(reversed)).toBe(canonicalJson(value));
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { seed, numRuns: 100 },
    );
  });
});
