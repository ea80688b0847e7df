/** Rejects of snapshot.md §9.5: reasons, indexes and what they show. Order of sections: section-order.test.ts. */
import { describe, expect, it } from "vitest";
import { applyPatch, outcome } from "../../../test/harness/apply-patch";
import { change, create, edit, joined, move, noNewline, remove, rename, tree } from "../../../test/harness/patch-text";

function rejected(files: Readonly<Record<string, string | Uint8Array>>, patch: string) {
  const result = applyPatch(tree(files), patch);
  if (!("rejects" in result)) throw new Error(result.details.message);
  return result.rejects[0]?.hunks;
}

describe("a reject", () => {
  const five = "one\ntwo\nthree\nfour\nfive\n";

  it("shows the first line that differs, and where the old side does stand", () => {
    expect(rejected({ f: five }, edit("f", "@@ -2,2 +2,2 @@", " three", "-four", "+4"))).toEqual([
      { index: 0, reason: "context_mismatch", line: 2, expected: "three", found: "two", occursAt: [3] },
    ]);
    expect(rejected({ f: five }, edit("f", "@@ -1,3 +1,3 @@", " one", "-2", "+3", " three"))).toEqual([
      { index: 0, reason: "context_mismatch", line: 2, expected: "2", found: "two", occursAt: [] },
    ]);
  });

  it("shows null beyond the end", () => {
    expect(rejected({ f: five }, edit("f", "@@ -5,2 +5,2 @@", " five", "-six", "+6"))).toEqual([
      { index: 0, reason: "context_mismatch", line: 6, expected: "six", found: null, occursAt: [] },
    ]);
    expect(rejected({ f: five }, edit("f", "@@ -9 +9 @@", "+x", "-two"))).toEqual([
      { index: 0, reason: "context_mismatch", line: 9, expected: "two", found: null, occursAt: [2] },
    ]);
    // An insertion has no old line to expect.
    expect(rejected({ f: five }, edit("f", "@@ -7,0 +8 @@", "+x"))).toEqual([
      { index: 0, reason: "context_mismatch", line: 7, found: null },
    ]);
  });

  it("lists at most five places, overlapping ones too, and only whole lines", () => {
    const same = "a\n".repeat(9);
    expect(rejected({ f: `xa\n${same}` }, edit("f", "@@ -1,2 +1 @@", "-a", "-a", "+b"))?.[0]?.occursAt).toEqual([
      2, 3, 4, 5, 6,
    ]);
    expect(rejected({ f: "x\nbb\nb" }, edit("f", "@@ -1 +1 @@", "-b", "+c"))?.[0]?.occursAt).toEqual([]);
    expect(rejected({ f: "x\nbb\nb" }, edit("f", "@@ -1 +1 @@", "-b", noNewline, "+c"))?.[0]?.occursAt).toEqual([3]);
    expect(rejected({ f: "x\nb\nbb" }, edit("f", "@@ -1 +1 @@", "-b", noNewline, "+c"))?.[0]?.occursAt).toEqual([]);
    expect(rejected({ f: "b" }, edit("f", "@@ -2 +2 @@", "-b", noNewline, "+c"))?.[0]?.occursAt).toEqual([1]);
  });

  it("cuts long lines at 120 code points", () => {
    const long = "😀".repeat(5000);
    const [hunk] = rejected({ f: `${long}\n` }, edit("f", "@@ -1 +1 @@", `-${"é".repeat(121)}`, "+c")) ?? [];
    expect(hunk?.expected).toBe(`${"é".repeat(120)}…`);
    expect(hunk?.found).toBe(`${"😀".repeat(120)}…`);
  });

  it("seed 002 §3.2: is about bytes: blanks, CR, normalization forms and byte order marks differ", () => {
    for (const [line, given] of [
      ["x\ty", "x y"],
      ["x ", "x"],
      ["x\r", "x"],
      ["é", "e\u0301"],
      ["\ufeffx", "x"],
    ] as const) {
      const [hunk] = rejected({ f: `${line}\n` }, change("f", given, "z")) ?? [];
      expect(hunk).toMatchObject({ reason: "context_mismatch", expected: given, found: line });
      expect(outcome({ f: `${line}\n` }, change("f", line, "z"))).toEqual({ f: "z\n" });
    }
  });

  it("tells a missing final newline from other differences", () => {
    const reasons = (file: string, ...hunks: string[]) => outcome({ f: file }, edit("f", ...hunks));
    const mismatch = ["f#0 no_newline_mismatch"];
    expect(reasons("a", "@@ -1 +1 @@", "-a", "+b")).toEqual(mismatch);
    expect(reasons("a\n", "@@ -1 +1 @@", "-a", noNewline, "+b")).toEqual(mismatch);
    expect(reasons("a\nb\n", "@@ -1 +1 @@", "-a", noNewline, "+b")).toEqual(mismatch);
    expect(reasons("a\nb\n", "@@ -1 +1 @@", "-a", "+b", noNewline)).toEqual(mismatch);
    expect(reasons("a\nb\n", "@@ -1,0 +2 @@", "+x", noNewline)).toEqual(mismatch);
    expect(reasons("a", "@@ -1,0 +2 @@", "+x")).toEqual(mismatch);
    expect(reasons("a\n", "@@ -1 +1 @@", "-a", "+b", noNewline, "@@ -1,0 +2 @@", "+x")).toEqual([
      "f#1 no_newline_mismatch",
    ]);
    // Another line differs as well, or there is none.
    expect(reasons("a\nb", "@@ -1,2 +1 @@", "-x", "-b", "+c")).toEqual(["f#0 context_mismatch"]);
    expect(reasons("a", "@@ -1,2 +1 @@", "-a", "-b", "+c")).toEqual(["f#0 context_mismatch"]);
    // And where all is well.
    expect(reasons("a\n", "@@ -1,0 +2 @@", "+x", noNewline)).toEqual({ f: "a\nx" });
    expect(reasons("a", "@@ -1 +1,2 @@", "-a", noNewline, "+a", "+x")).toEqual({ f: "a\nx\n" });
    expect(reasons("a", "@@ -0,0 +1 @@", "+x")).toEqual({ f: "x\na" });
    expect(reasons("", "@@ -0,0 +1 @@", "+x", noNewline)).toEqual({ f: "x" });
  });

  it("gives the line whose newline is wrong", () => {
    expect(rejected({ f: "a\nb" }, edit("f", "@@ -1,2 +1,2 @@", " a", "-b", "+c"))).toEqual([
      { index: 0, reason: "no_newline_mismatch", line: 2, expected: "b", found: "b", occursAt: [] },
    ]);
    expect(rejected({ f: "a\nb\n" }, edit("f", "@@ -1 +1 @@", "-a", "+b", noNewline))).toEqual([
      { index: 0, reason: "no_newline_mismatch" },
    ]);
  });

  it("counts the hunks of a path over the whole patch, and every hunk is judged", () => {
    const hunks = ["@@ -1 +1 @@", "-x", "+y", "@@ -2 +2 @@", "-two", "+2", "@@ -9 +9 @@", "-x", "+y"];
    expect(outcome({ f: five, g: "g\n" }, edit("f", ...hunks), change("g", "h", "i"), edit("f", ...hunks))).toEqual([
      "f#0 context_mismatch",
      "f#2 context_mismatch",
      "f#3 context_mismatch",
      "f#5 context_mismatch",
      "g#0 context_mismatch",
    ]);
    const missing = edit("m", ...hunks);
    expect(outcome({}, missing, missing, create("m", "x"))).toEqual(["m#0 file_not_found", "m#3 file_not_found"]);
  });

  it("names the first reason that holds", () => {
    const at = (header: readonly string[], ...rest: string[]) => joined("diff --git a/p b/p", ...header, ...rest);
    const hunk = ["--- a/p", "+++ b/p", "@@ -1 +1 @@", "-x", "+y"];
    const binary = { p: new Uint8Array([0, 10]) };
    expect(rejected(binary, at(["index 1..2 120000"], "Binary files a/p and b/p differ"))).toEqual([
      { index: 0, reason: "unsupported_mode" },
    ]);
    expect(rejected({ "p/x": "" }, at(["index 1..2 160000"], ...hunk))).toEqual([
      { index: 0, reason: "unsupported_mode" },
    ]);
    expect(rejected({ "p/x": "" }, at(["index 1..2"], "GIT binary patch"))).toEqual([{ index: 0, reason: "binary" }]);
    expect(rejected({ "p/x": "" }, joined(...hunk))).toEqual([{ index: 0, reason: "path_conflict" }]);
    expect(rejected({}, joined(...hunk))).toEqual([{ index: 0, reason: "file_not_found" }]);
    expect(rejected(binary, joined(...hunk))).toEqual([{ index: 0, reason: "binary" }]);
    expect(rejected(binary, create("p", "x"))).toEqual([{ index: 0, reason: "already_exists" }]);
    expect(outcome({ p: "x\n" }, at(["index 1..2 100755"], ...hunk))).toEqual({ p: "y\n" });
  });

  it("finds conflicts of files and directories at both ends", () => {
    const files = { file: "x\n", "dir/x": "x\n" };
    expect(outcome(files, rename("dir", "n"))).toEqual(["n#0 path_conflict"]);
    expect(outcome(files, rename("file/x", "n"))).toEqual(["n#0 path_conflict"]);
    expect(outcome(files, rename("none", "n"))).toEqual(["n#0 file_not_found"]);
    expect(outcome(files, rename("none/deep", "dir"))).toEqual(["dir#0 path_conflict"]);
    expect(outcome(files, move("copy", "file", "dir"))).toEqual(["dir#0 path_conflict"]);
    expect(outcome(files, move("copy", "file", "file/x"))).toEqual(["file/x#0 path_conflict"]);
    expect(outcome(files, move("copy", "none", "file"))).toEqual(["file#0 file_not_found"]);
    expect(outcome(files, move("copy", "file", "dir/x"))).toEqual(["dir/x#0 already_exists"]);
    expect(outcome(files, change("file/y", "a", "b"))).toEqual(["file/y#0 path_conflict"]);
    expect(outcome(files, remove("dir", "x"))).toEqual(["dir#0 path_conflict"]);
    expect(outcome(files, create("file/y", "x"))).toEqual(["file/y#0 path_conflict"]);
    expect(outcome(files, create("n", "1"), create("n/m", "2"))).toEqual(["n/m#0 path_conflict"]);
    expect(outcome(files, create("n/m", "2"), create("n", "1"))).toEqual(["n#0 path_conflict"]);
  });

  it("notes what remains after a deletion at its last hunk", () => {
    const all = edit("f", "@@ -1 +0,0 @@", "-one", "@@ -3 +1,0 @@", "-three").replace("+++ b/f", "+++ /dev/null");
    expect(outcome({ f: five }, all)).toEqual(["f#1 not_empty_after_delete"]);
    expect(outcome({ f: "one\nx\nthree\n" }, all)).toEqual(["f#1 not_empty_after_delete"]);
    expect(outcome({ f: "one\ntwo\nthree\n" }, change("f", "one", "1"), remove("f", "1"))).toEqual([
      "f#1 not_empty_after_delete",
    ]);
    expect(outcome({ f: five }, joined("diff --git a/f b/f", "deleted file mode 100644"))).toEqual([
      "f#0 not_empty_after_delete",
    ]);
  });
});
