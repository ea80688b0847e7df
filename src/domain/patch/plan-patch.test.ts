/** What a plan reads, what it makes, and its limits. Results: patch-vectors.test.ts; rejects: rejects.test.ts. */
import { describe, expect, it } from "vitest";
import { applyPatch, baseTree, planOn, rootPath } from "../../../test/harness/apply-patch";
import { change, create, edit, joined, move, rename, together, tree } from "../../../test/harness/patch-text";
import { occursSearchMaxBytes, patchHunksMax, patchWorkMaxBytes, rejectHintsMax, textFileMaxBytes } from "../limits";
import { parsePatch } from "./parse-patch";
import { sourcesOf } from "./patch-paths";

describe("what a plan reads and makes", () => {
  const planned = (files: Readonly<Record<string, string | Uint8Array>>, text: string) => {
    const patch = parsePatch(text, 1);
    if (!patch.ok) throw new Error(patch.error.message);
    return { patch: patch.value, files: tree(files) };
  };
  const sources = (files: Readonly<Record<string, string | Uint8Array>>, text: string) => {
    const { patch, files: map } = planned(files, text);
    return sourcesOf(patch, baseTree(map));
  };
  const large = (bytes: number) => "x".repeat(bytes - 1).concat("\n");

  it("reads only text that hunks need", () => {
    const files = { a: "1\n", b: new Uint8Array([0]), big: large(textFileMaxBytes + 1) };
    const changes = ["c", "b", "big", "n"].map((path) => change(path, "1", "2"));
    const all = together(rename("a", "c"), ...changes);
    expect(sources(files, all)).toEqual({ ok: true, value: [rootPath("a")] });
    expect(sources(files, rename("big", "c") + move("copy", "a", "d"))).toEqual({ ok: true, value: [] });
  });

  it("moves files without their bytes and leaves out what stays equal", () => {
    const mode = joined("diff --git a/m b/m", "old mode 100644", "new mode 100755");
    const { patch, files } = planned(
      { a: large(textFileMaxBytes + 1), m: "" },
      together(rename("a", "c"), mode, create("n", "x")),
    );
    const plan = planOn(files, patch);
    expect(plan.ok && plan.value).toEqual({
      applies: true,
      applied: ["a", "c", "m", "n"].map(rootPath),
      changes: new Map<string, object>([
        [rootPath("a"), { type: "delete" }],
        [rootPath("c"), { type: "copy", from: rootPath("a") }],
        [rootPath("n"), { type: "write", bytes: new TextEncoder().encode("x\n") }],
      ]),
    });
  });

  it("makes a file of the largest size and refuses one byte more", () => {
    const grow = edit("f", "@@ -0,0 +1 @@", "+x");
    const files = (bytes: number) => tree({ f: large(bytes) });
    expect(applyPatch(files(textFileMaxBytes - 2), grow)).toHaveProperty("applied", ["f"]);
    expect(applyPatch(files(textFileMaxBytes - 1), grow)).toMatchObject({
      error: "TOO_LARGE",
      details: { limit: "TEXT_FILE_MAX", max: textFileMaxBytes, actual: textFileMaxBytes + 1 },
    });
    expect(applyPatch(files(textFileMaxBytes + 1), edit("f", "@@ -1 +0,0 @@", "-x"))).toMatchObject({
      error: "TOO_LARGE",
      details: { limit: "TEXT_FILE_MAX", actual: textFileMaxBytes + 1 },
    });
  });

  it("refuses more work than fits into memory, however short the patch", () => {
    const files = tree(
      Object.fromEntries(Array.from({ length: 7 }, (_, index) => [`f${index}`, large(textFileMaxBytes)])),
    );
    const hunk = joined("@@ -0,0 +1 @@", "+x");
    const reads = [...files.keys()].map((path) => edit(path) + hunk).join("");
    const excess = { error: "TOO_LARGE", details: { limit: "PATCH_WORK_MAX", max: patchWorkMaxBytes } };
    expect(applyPatch(files, reads)).toMatchObject(excess);
    const small = tree({ f: large(1 << 20) });
    const copies = Array.from(
      { length: 900 },
      (_, index) => move("copy", "f", `c${index}`) + edit("f").replace("b/f", `b/c${index}`) + hunk,
    );
    expect(applyPatch(small, copies.join(""))).toMatchObject(excess);
    const failing = copies.map((copy) => copy.replace("@@ -0,0 +1 @@\n+x", "@@ -1 +1 @@\n-y\n+x"));
    expect(applyPatch(small, failing.join(""))).toMatchObject(excess);
  });

  it("applies as many hunks as a patch may have to a file of the largest size", { timeout: 60_000 }, () => {
    const lineBytes = 40;
    const every = 20;
    const lineAt = (index: number) => `${index}`.padEnd(lineBytes - 1);
    const lines = Array.from({ length: patchHunksMax * every }, (_, index) => lineAt(index));
    const file = tree({ f: `${lines.join("\n")}\n` });
    const hunksAt = (removed: (index: number) => string) =>
      Array.from({ length: patchHunksMax }, (_, hunk) => hunk * every).map(
        (index) => `@@ -${index + 1} +${index + 1} @@\n-${removed(index)}\n+x`,
      );
    const wanted = lines.map((line, index) => (index % every === 0 ? "x" : line));
    const result = applyPatch(file, edit("f", ...hunksAt(lineAt)));
    const made = "files" in result ? result.files.get("f") : undefined;
    // Not by toEqual, which would take minutes.
    expect(Buffer.from(made ?? []).equals(Buffer.from(`${wanted.join("\n")}\n`))).toBe(true);

    // All of them misplaced: the first ones are explained, and looked for as long as that is cheap.
    const rejects = applyPatch(file, edit("f", ...hunksAt((index) => lineAt(index + 1))));
    const hunks = "rejects" in rejects ? (rejects.rejects[0]?.hunks ?? []) : [];
    expect(hunks.map(({ index }) => index)).toEqual(hunks.map((_, index) => index));
    expect(hunks).toHaveLength(patchHunksMax);
    expect(hunks.filter(({ line }) => line !== undefined)).toHaveLength(rejectHintsMax);
    const searches = Math.floor(occursSearchMaxBytes / (patchHunksMax * every * lineBytes + lineBytes));
    expect(hunks.filter(({ occursAt }) => occursAt !== undefined)).toHaveLength(searches);
    expect(hunks[searches - 1]?.occursAt).toEqual([(searches - 1) * every + 2]);
  });
});
