/** What the sections of one patch see of each other (snapshot.md §9.4). */
import { describe, expect, it } from "vitest";
import { outcome } from "../../../test/harness/apply-patch";
import { change, create, move, remove, rename } from "../../../test/harness/patch-text";

describe("sections of one patch", () => {
  const ab = { a: "1\n", b: "2\n" };

  it("see what those before them made", () => {
    expect(outcome(ab, change("a", "1", "x"), change("a", "x", "y"))).toEqual({ a: "y\n", b: "2\n" });
    expect(outcome({}, create("a", "1"), change("a", "1", "2"))).toEqual({ a: "2\n" });
    expect(outcome(ab, rename("a", "c"), change("c", "1", "x"))).toEqual({ c: "x\n", b: "2\n" });
    expect(outcome(ab, rename("a", "c"), remove("c", "1"))).toEqual({ b: "2\n" });
    expect(outcome(ab, remove("a", "1"), create("a", "x"))).toEqual({ a: "x\n", b: "2\n" });
    expect(outcome({}, create("a", "1"), remove("a", "1"))).toEqual({});
    expect(outcome(ab, remove("a", "1"), change("a", "1", "x"))).toEqual(["a#1 file_not_found"]);
    expect(outcome(ab, rename("a", "c"), change("a", "1", "x"))).toEqual(["a#0 file_not_found"]);
    expect(outcome({}, create("a", "1"), create("a", "2"))).toEqual(["a#1 already_exists"]);
    // A line with a NUL makes the file binary for those after.
    expect(outcome({}, create("a", "\0"), change("a", "\0", "x"))).toEqual(["a#1 binary"]);
  });

  it("rename and copy what was there before the patch", () => {
    expect(outcome(ab, rename("a", "b"), rename("b", "a"))).toEqual({ a: "2\n", b: "1\n" });
    expect(outcome({ a: "1\n", b: "2\n", c: "3\n" }, rename("a", "b"), rename("b", "c"), rename("c", "a"))).toEqual({
      a: "3\n",
      b: "1\n",
      c: "2\n",
    });
    expect(outcome(ab, change("a", "1", "x"), move("copy", "a", "c"))).toEqual({ a: "x\n", b: "2\n", c: "1\n" });
    expect(outcome(ab, remove("a", "1"), move("copy", "a", "c"))).toEqual({ b: "2\n", c: "1\n" });
    expect(outcome(ab, rename("a", "c"), rename("a", "d"))).toEqual({ b: "2\n", c: "1\n", d: "1\n" });
    // As git does: the rename takes the file of before, what the patch wrote stays.
    expect(outcome(ab, change("a", "1", "x"), rename("a", "c"))).toEqual({ a: "x\n", b: "2\n", c: "1\n" });
    expect(outcome(ab, rename("a", "a"))).toEqual(ab);
    expect(outcome({}, create("a", "1"), rename("a", "b"))).toEqual(["b#0 file_not_found"]);
  });

  it("take the place of what a later one removes", () => {
    expect(outcome({ x: "1\n" }, rename("x", "x/y"))).toEqual({ "x/y": "1\n" });
    expect(outcome({ x: "1\n" }, rename("x", "x/y/z"))).toEqual({ "x/y/z": "1\n" });
    expect(outcome({ x: "1\n" }, create("x/y", "2"), remove("x", "1"))).toEqual({ "x/y": "2\n" });
    expect(outcome({ x: "1\n" }, create("x/y", "2"), rename("x", "z"))).toEqual({ "x/y": "2\n", z: "1\n" });
    expect(outcome({ x: "1\n" }, create("x/y", "2"), remove("x", "3"))).toEqual(["x#0 context_mismatch"]);
    expect(outcome(ab, create("b", "x"), rename("b", "c"))).toEqual({ a: "1\n", b: "x\n", c: "2\n" });
    expect(outcome(ab, rename("a", "b"), rename("b", "c"), remove("b", "1"))).toEqual({ c: "2\n" });
  });

  it("never make away with a file whose content no hunk showed", () => {
    expect(outcome(ab, rename("a", "b"), remove("b", "2"))).toEqual(["b#0 context_mismatch"]);
    expect(outcome(ab, rename("a", "b"), remove("b", "1"))).toEqual(["b#0 not_empty_after_delete"]);
    expect(outcome({ a: "1\n", b: "" }, rename("a", "b"), remove("b", "1"))).toEqual({});
  });

  it("do not end with a file and a directory of one name", () => {
    expect(outcome({ x: "1\n" }, create("x/y", "2"), change("x", "1", "3"), rename("x", "z"))).toEqual([
      "x#0 path_conflict",
    ]);
    expect(outcome({ x: "1\n" }, change("x", "1", "3"), rename("x", "x/y"))).toEqual(["x/y#0 path_conflict"]);
    expect(outcome({ x: "1\n" }, rename("x", "x/y"), create("x", "3"))).toEqual(["x#0 path_conflict"]);
    expect(outcome({ "x/y": "1\n" }, create("x", "2"), change("x/y", "1", "3"), remove("x/y", "3"))).toEqual([
      "x/y#0 path_conflict",
      "x/y#1 context_mismatch",
    ]);
    expect(outcome({ "x/y": "1\n" }, create("x", "2"), remove("x/y", "1"), create("x/z", "3"))).toEqual([
      "x/z#0 path_conflict",
    ]);
    expect(outcome({ "x/y": "1\n" }, remove("x/y", "1"), create("x/z", "3"), create("x", "2"))).toEqual([
      "x#0 path_conflict",
    ]);
    expect(outcome({ "x/y": "1\n" }, change("x/y", "1", "3"), create("x", "2"), rename("x/y", "z"))).toEqual([
      "x#0 path_conflict",
    ]);
  });

  it("take the place of a directory that the patch leaves without files, and of no other", () => {
    const deep = { "x/y": "1\n", "x/s/z": "2\n" };
    expect(outcome({ "x/y": "1\n" }, rename("x/y", "x"))).toEqual({ x: "1\n" });
    expect(outcome({ "x/y": "1\n" }, remove("x/y", "1"), create("x", "2"))).toEqual({ x: "2\n" });
    // As git writes it: the name of the file comes before those below it.
    expect(outcome({ "x/y": "1\n" }, create("x", "2"), remove("x/y", "1"))).toEqual({ x: "2\n" });
    expect(outcome({ "x/y": "1\n" }, create("x", "2"), rename("x/y", "z"))).toEqual({ x: "2\n", z: "1\n" });
    expect(outcome(deep, create("x", "3"), remove("x/s/z", "2"), rename("x/y", "w"))).toEqual({ x: "3\n", w: "1\n" });
    expect(outcome(deep, create("x", "3"), remove("x/y", "1"))).toEqual(["x#0 path_conflict"]);
    expect(outcome(deep, rename("x/y", "x"))).toEqual(["x#0 path_conflict"]);
    expect(outcome({ "x/y": "1\n" }, create("x", "2"), remove("x/y", "3"))).toEqual(["x/y#0 context_mismatch"]);
    expect(outcome({ "x/y": "1\n", a: "4\n" }, create("x", "2"), remove("x/y", "1"), rename("a", "x"))).toEqual([
      "x#1 already_exists",
    ]);
  });

  it("leave the files as they were for the next if they are rejected", () => {
    expect(outcome(ab, rename("a", "b"), change("b", "2", "x"))).toEqual(["b#0 already_exists"]);
    expect(outcome(ab, rename("a", "b"), change("b", "1", "x"))).toEqual([
      "b#0 already_exists",
      "b#0 context_mismatch",
    ]);
  });
});
