/** The 87 cases of test/vectors/patches.json: results, rejects and errors of workspace.apply_patch as the specification fixes them. */
import { describe, expect, it } from "vitest";
import { applyPatch, type TestFiles } from "../../../test/harness/apply-patch";
import vectors from "../../../test/vectors/patches.json";

type Stored = string | { readonly base64: string };
type Outcome = {
  readonly applied?: readonly string[];
  readonly rejects?: readonly { readonly path: string; readonly hunks: readonly object[] }[];
  readonly files?: Readonly<Record<string, Stored>>;
  readonly error?: string;
};

const bytesOf = (stored: Stored) =>
  typeof stored === "string" ? Buffer.from(stored) : Buffer.from(stored.base64, "base64");
const filesOf = (files: object): TestFiles =>
  new Map(Object.entries(files).map(([path, stored]) => [path, bytesOf(stored as Stored)]));

describe("patches.json", () => {
  it.each(vectors.cases.map((vector) => [vector.id, vector.name, vector] as const))(
    "seed 002 §3.2: %s, %s",
    (_id, _name, vector) => {
      const before = filesOf(vector.files);
      const outcome = applyPatch(before, vector.patch, "strip" in vector ? vector.strip : 1);
      const expected: Outcome = vector.expect;
      if (expected.error !== undefined) {
        expect(outcome).toMatchObject({ error: expected.error });
        return;
      }
      expect(outcome).toMatchObject({ applied: expected.applied, rejects: expected.rejects });
      if ("files" in outcome) expect(outcome.files).toEqual(expected.files ? filesOf(expected.files) : before);
    },
  );

  it("holds all cases", () => expect(vectors.cases).toHaveLength(87));
});
