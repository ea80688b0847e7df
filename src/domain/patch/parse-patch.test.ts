/** The grammar of patches (snapshot.md §9.1) and everything that is refused before a file is looked up (§9.2), with the line it names. */
import { describe, expect, it } from "vitest";
import { patchHunksMax, patchMaxBytes, patchSectionsMax } from "../limits";
import { parsePatch } from "./parse-patch";
import { affectedPaths } from "./patch-paths";

const joined = (...lines: string[]) => `${lines.join("\n")}\n`;
const plain = (...hunks: string[]) => joined("--- a/f", "+++ b/f", ...hunks);
const git = (...lines: string[]) => joined("diff --git a/f b/f", ...lines);

function sections(text: string, strip = 1) {
  const patch = parsePatch(text, strip);
  if (!patch.ok) throw new Error(patch.error.message);
  return patch.value.sections.map(({ kind, path, source, hunks }) => ({ kind, path, source, hunks: hunks.length }));
}

function error(text: string, strip = 1) {
  const patch = parsePatch(text, strip);
  return patch.ok ? { code: "accepted", message: "", line: 0 } : { line: 0, ...patch.error };
}

const replace = ["@@ -1 +1 @@", "-a", "+b"];

describe("a section", () => {
  it("is found between prose, mail headers and signatures", () => {
    const patch = joined(
      "From 1234 Mon Sep 17 00:00:00 2001",
      "Subject: [PATCH] x",
      "",
      "--- not a name",
      "++ nor this",
      "---",
      " f | 2 +-",
      "",
      "diff --git a/f b/f",
      "index 1..2 100644",
      "--- a/f",
      "+++ b/f",
      ...replace,
      "-- ",
      "2.39.5",
      "",
      "Index: g",
      "--- a/g\t2026-01-01",
      "+++ b/g\t2026-01-02",
      ...replace,
      "the end",
    );
    expect(sections(patch)).toEqual([
      { kind: "modify", path: "/f", source: null, hunks: 1 },
      { kind: "modify", path: "/g", source: null, hunks: 1 },
    ]);
  });

  it.each([
    ["create", git("new file mode 100644", "index 0..1")],
    ["create", git("new file mode 100644", "--- /dev/null", "+++ b/f", "@@ -0,0 +1 @@", "+b")],
    ["create", git("--- /dev/null", "+++ b/f", "@@ -0,0 +1 @@", "+b")],
    ["create", joined("--- /dev/null\t1970-01-01", "+++ b/f", "@@ -0,0 +1 @@", "+b")],
    ["delete", git("deleted file mode 100644", "index 1..0")],
    ["delete", git("--- a/f", "+++ /dev/null", "@@ -1 +0,0 @@", "-b")],
    ["modify", git("old mode 100644", "new mode 100755")],
    ["modify", git("dissimilarity index 90%", "--- a/f", "+++ b/f", ...replace)],
    ["modify", git("index 1..2 100644", "Binary files a/f and b/f differ")],
    ["modify", git("index 1..2", "GIT binary patch", "literal 3", "KcmZ=@", "", "literal 0", "HcmV?d00001", "")],
    ["modify", plain("@@ -1,2 +1,2 @@ a heading\r", " a", "-b", "+c")],
    ["modify", plain(...replace, "@@ -2,0 +3 @@", "+x", "@@ -2,0 +4 @@", "+y")],
  ])("can %s a file: %j", (kind, patch) =>
    expect(sections(patch)[0]).toMatchObject({ kind, path: "/f", source: null }),
  );

  it("renames and copies with the names of its own lines", () => {
    const moved = (kind: string) => joined("diff --git a/x y b/z", `${kind} from x y`, `${kind} to d/z`);
    expect(sections(moved("rename"))).toEqual([{ kind: "rename", path: "/d/z", source: "/x y", hunks: 0 }]);
    expect(sections(moved("copy"))).toEqual([{ kind: "copy", path: "/d/z", source: "/x y", hunks: 0 }]);
    const edited = moved("rename") + joined("--- a/x y\t", "+++ b/d/z", ...replace);
    expect(sections(edited)).toEqual([{ kind: "rename", path: "/d/z", source: "/x y", hunks: 1 }]);
  });

  it("needs no final LF", () => expect(sections(plain(...replace).slice(0, -1))).toHaveLength(1));

  it("knows what it affects before anything is looked up", () => {
    const patch = parsePatch(
      plain(...replace) +
        joined("diff --git x y", "rename from f", "rename to ～", "diff --git x y", "copy from 😀", "copy to a"),
      1,
    );
    expect(patch.ok && affectedPaths(patch.value)).toEqual({ written: ["/a", "/f", "/～"], read: ["/😀"] });
  });
});

describe("a name", () => {
  const created = (name: string, strip = 1) =>
    sections(joined("--- /dev/null", `+++ ${name}`, "@@ -0,0 +1 @@", "+x"), strip)[0]?.path;
  const header = (names: string, strip = 1) =>
    sections(joined(`diff --git ${names}`, "new file mode 100644"), strip)[0]?.path;

  it.each([
    ["b/f", 1, "/f"],
    ["b/./x//y/", 1, "/x/y"],
    ["b//f", 1, "/f"],
    ["f", 0, "/f"],
    ["x/y/f", 2, "/f"],
    ["b/two words\twhatever", 1, "/two words"],
    ["b/trailing ", 1, "/trailing "],
    ['"b/\\303\\251\\360\\237\\230\\200"', 1, "/é😀"],
    ['"b/é \\"x\\""\tdate', 1, '/é "x"'],
    ['b/in"side', 1, '/in"side'],
    ["b/~bob/x", 1, "/~bob/x"],
    ["b/a..b", 1, "/a..b"],
  ])("%j with strip %i is %j", (name, strip, path) => expect(created(name, strip)).toBe(path));

  it.each([
    ["a/f b/f", 1, "/f"],
    ["a/x y b/x y", 1, "/x y"],
    ["a/x b/x b/x b/x", 1, "/x b/x"],
    ["old/f new/f", 1, "/f"],
    ["f f", 0, "/f"],
    ["a a a", 0, null],
    ["a b/f c d/f", 1, "/f"],
    ["p/q/f x/y/f", 2, "/f"],
    ['"a/\\303\\251" "b/\\303\\251"', 1, "/é"],
    ['"a/\\303\\251" b/é', 1, "/é"],
    ['a/é x "b/\\303\\251 x"', 1, "/é x"],
    ['a/x "y" b/x "y"', 1, '/x "y"'],
  ])("diff --git %j with strip %i is %j", (names, strip, path) => {
    if (path === null) expect(error(joined(`diff --git ${names}`, "new file mode 100644"), strip).line).toBe(1);
    else expect(header(names, strip)).toBe(path);
  });

  it("has no prefix in rename and copy lines", () => {
    const renamed = (from: string, to: string, strip: number) =>
      sections(joined("diff --git x y", `rename from ${from}`, `rename to ${to}`), strip)[0];
    expect(renamed("~bob/x", "d/y", 1)).toMatchObject({ source: "/~bob/x", path: "/d/y" });
    expect(renamed("x", '"\\303\\251"', 0)).toMatchObject({ source: "/x", path: "/é" });
    expect(renamed("p/x", "q/y", 2)).toMatchObject({ source: "/x", path: "/y" });
  });

  it.each([
    ["b/../evil", 1, "PERMISSION_DENIED"],
    ["b/x/../y", 1, "PERMISSION_DENIED"],
    ["../b/x", 2, "PERMISSION_DENIED"],
    ["/etc/evil", 1, "PERMISSION_DENIED"],
    ["C:/x/y", 1, "PERMISSION_DENIED"],
    ["b/C:/x", 1, "PERMISSION_DENIED"],
    ["~bob/x", 1, "PERMISSION_DENIED"],
    ["~bob", 0, "PERMISSION_DENIED"],
    ["b/.", 1, "PERMISSION_DENIED"],
    ['"/dev/null"', 1, "PERMISSION_DENIED"],
    ["b/.git/config", 1, "INVALID_ARGUMENT"],
    ["b/a\\b", 1, "INVALID_ARGUMENT"],
    ['"b/a\\nb"', 1, "INVALID_ARGUMENT"],
    ["b/", 1, "INVALID_ARGUMENT"],
    ["", 0, "INVALID_ARGUMENT"],
    ["f", 1, "INVALID_ARGUMENT"],
    [`b/${"x".repeat(256)}`, 1, "INVALID_ARGUMENT"],
  ])("seed 002 §3.2: %j with strip %i is refused with %s", (name, strip, code) => {
    const refusal = error(joined("--- /dev/null", `+++ ${name}`, "@@ -0,0 +1 @@", "+x"), strip);
    expect(refusal).toMatchObject({ code, line: 2 });
    expect(refusal.message).toMatch(/^patch line 2: /);
  });

  it("is judged in rename and diff --git lines too", () => {
    const from = (name: string) => error(joined("diff --git a/x b/y", `rename from ${name}`, "rename to y"));
    expect(from("../x")).toMatchObject({ code: "PERMISSION_DENIED", line: 2 });
    expect(from("/x")).toMatchObject({ code: "PERMISSION_DENIED", line: 2 });
    expect(from(".git")).toMatchObject({ code: "INVALID_ARGUMENT", line: 2 });
    expect(error(joined("diff --git ~a/f ~b/f", "new file mode 100644"))).toMatchObject({
      code: "PERMISSION_DENIED",
      line: 1,
    });
  });

  it("is judged only when the whole patch is parsed", () => {
    const evil = joined("--- /dev/null", "+++ b/../evil", "@@ -0,0 +1 @@", "+x");
    expect(error(evil + plain("@@ -1 +1 @@", "-a"))).toMatchObject({ code: "INVALID_ARGUMENT", line: 9 });
    expect(error(evil + plain(...replace))).toMatchObject({ code: "PERMISSION_DENIED", line: 2 });
  });
});

describe("a refusal names the line", () => {
  it.each<[string, string, number]>([
    ["no section", "", 1],
    ["no section", "please change a to b\n", 1],
    ["a lone surrogate", `x\n\ud800\n${plain(...replace)}`, 2],
    ["a hunk without names", joined("x", ...replace), 2],
    ["a hunk right after diff --git", git("new file mode 100644", "@@ -0,0 +1 @@", "+x"), 3],
    ["a hunk after prose", plain(...replace, "prose", ...replace), 7],
    ["a hunk header without a sign", plain("@@ 1 +1 @@", "-a", "+b"), 3],
    ["a hunk header with text at once", plain("@@ -1 +1 @@x", "-a", "+b"), 3],
    ["a hunk header with an absurd number", plain(`@@ -${"9".repeat(20)} +1 @@`, "-a", "+b"), 3],
    ["a second hunk header that is malformed", plain(...replace, "@@ -x @@"), 6],
    ["counts too large at the end", plain("@@ -1,2 +1,2 @@", "-a", "+b"), 6],
    ["counts too large before prose", plain("@@ -1,2 +1,2 @@", "-a", "+b", "prose"), 6],
    ["counts too large before the next file", plain("@@ -1,1 +1,2 @@", "-a", "+b", "diff --git a/g b/g"), 6],
    ["counts too small, context follows", plain(...replace, " c"), 6],
    ["counts too small, an addition follows", plain(...replace, "+c"), 6],
    ["counts too small, a removal follows", plain(...replace, "-c"), 6],
    ["counts too small, a removal that looks like a name", plain(...replace, "--- c", "x"), 6],
    ["counts too small, no signature", plain(...replace, "-- x"), 6],
    ["more old lines than announced", plain("@@ -1 +1,2 @@", "-a", "-b", "+c", "+d"), 5],
    ["more new lines than announced", plain("@@ -1,2 +1 @@", "+a", "+b", "-c", "-d"), 5],
    ["context where only new lines are left", plain("@@ -1 +1,2 @@", "-a", " b"), 5],
    ["an empty line where only new lines are left", plain("@@ -1 +1,2 @@", "-a", "", "+b"), 5],
    ["old lines at line 0", plain("@@ -0,1 +1 @@", "-a", "+b"), 3],
    ["both counts 0", plain("@@ -1,0 +1,0 @@"), 3],
    ["a hunk of context alone", plain(...replace, "@@ -2,2 +2,2 @@", " a", ""), 6],
    ["hunks that overlap", plain("@@ -1,2 +1,2 @@", " a", "-b", "+c", "@@ -2 +2 @@", "-c", "+d"), 7],
    ["an insertion inside the hunk above", plain("@@ -1,2 +1,2 @@", " a", "-b", "+c", "@@ -1,0 +2 @@", "+d"), 7],
    ["hunks that descend", plain("@@ -5 +5 @@", "-a", "+b", ...replace), 6],
    ["a marker without a line", plain("@@ -1 +1 @@", "\\ No newline at end of file", "-a", "+b"), 4],
    ["a marker after a marker", plain(...replace, "\\ No newline at end of file", "\\ No newline at end of file"), 7],
    ["a marker on an early old line", plain("@@ -1,2 +1 @@", "-a", "\\ No newline at end of file", "-b", "+c"), 5],
    ["a marker on an early new line", plain("@@ -1 +1,2 @@", "-a", "+b", "\\ No newline at end of file", "+c"), 6],
    ["a marker on context before an addition", plain("@@ -1 +1,2 @@", " a", "\\ No newline at end of file", "+b"), 5],
    ["a backslash that is no marker", plain(...replace, "\\No newline"), 6],
    ["a CR after a name", joined("--- a/f\r", "+++ b/f\r", ...replace), 1],
    ["a CR after a timestamp", joined("--- a/f", "+++ b/f\t2026\r", ...replace), 2],
    ["a CR after diff --git", joined("diff --git a/f b/f\r", "new file mode 100644"), 1],
    ["a CR after a mode", git("new file mode 100644\r"), 2],
    ["a CR after a rename", git("rename from f\r", "rename to g"), 2],
    ["a CR after @@", plain("@@ -1 +1 @@\r", "-a", "+b"), 3],
    ["names that differ", joined("--- a/f", "+++ b/g", ...replace), 2],
    ["names that differ from diff --git", joined("diff --git a/g b/g", "--- a/f", "+++ b/f", ...replace), 3],
    ["names that differ from a rename", git("rename from f", "rename to g", "--- a/f", "+++ b/h", ...replace), 5],
    ["an old name that differs from a copy", git("copy from f", "copy to g", "--- a/h", "+++ b/g", ...replace), 4],
    ["a diff --git without one name", joined("diff --git a/f b/g", "new file mode 100644"), 1],
    ["both /dev/null", joined("--- /dev/null", "+++ /dev/null", ...replace), 1],
    ["a creation with old lines", joined("--- /dev/null", "+++ b/f", ...replace), 3],
    ["a deletion with new lines", joined("--- a/f", "+++ /dev/null", ...replace), 3],
    ["names without hunks", plain(), 1],
    ["names without hunks, in a git section", git("new file mode 100644", "--- /dev/null", "+++ b/f", ""), 3],
    ["an old name without a new one", git("deleted file mode 100644", "--- a/f", "--- a/f", "+++ /dev/null"), 3],
    ["a section that changes nothing", joined("x", "diff --git a/f b/f", "index 1..2 100644"), 2],
    ["a mode that does not change", git("old mode 100644", "new mode 100644"), 1],
    ["an old mode alone", git("old mode 100644", "--- a/f", "+++ b/f", ...replace), 1],
    ["a mode that is none", git("new file mode 10x644"), 2],
    ["a mode that is none, after index", git("index 1..2 abc", "--- a/f", "+++ b/f", ...replace), 2],
    ["a header line twice", git("rename from f", "rename from g", "rename to h"), 3],
    ["a mode twice", git("new file mode 100644", "new file mode 100644"), 3],
    ["half a rename", git("rename from f"), 1],
    ["half a copy", git("copy to f"), 1],
    ["a rename that is a copy", git("rename from f", "copy from f", "rename to g", "copy to g"), 1],
    ["a new file that is deleted", git("new file mode 100644", "deleted file mode 100644"), 1],
    ["a new file that is renamed", git("new file mode 100644", "rename from f", "rename to g"), 1],
    ["a new file with an old name", git("new file mode 100644", "--- a/f", "+++ b/f", "@@ -0,0 +1 @@", "+x"), 3],
    ["a deleted file with a new name", git("deleted file mode 100644", "--- a/f", "+++ b/f", "@@ -1 +0,0 @@", "-x"), 3],
    ["a quote that is not closed", joined('--- "a/f', '+++ "b/f"', ...replace), 1],
    ["text after a quote", joined('--- "a/f"x', '+++ "b/f"', ...replace), 1],
    ["an unknown escape", joined('--- "a/\\q"', '+++ "b/\\q"', ...replace), 1],
    ["an octal escape of two digits", joined('--- "a/\\30"', '+++ "b/\\30"', ...replace), 1],
    ["an octal escape over a byte", joined('--- "a/\\400"', '+++ "b/\\400"', ...replace), 1],
    ["a quote that gives no UTF-8", joined('--- "a/\\303"', '+++ "b/\\303"', ...replace), 1],
    ["a malformed quote in diff --git", joined('diff --git "a/f b/f', "new file mode 100644"), 1],
    ["a malformed second quote in diff --git", joined('diff --git "a/f" "b/f', "new file mode 100644"), 1],
  ])("seed 002 §3.2: %s", (_what, patch, line) => {
    expect(error(patch)).toMatchObject({ code: "INVALID_ARGUMENT", line });
    expect(error(patch).message).toMatch(new RegExp(`^patch line ${line}: .+; .+\\.$`, "s"));
  });

  it("tells a CRLF patch what to send", () => {
    expect(error(joined("--- a/f\r", "+++ b/f\r")).message).toBe(
      "patch line 1: the patch has CRLF line endings; send LF.",
    );
  });
});

describe("limits", () => {
  it("holds the most files and refuses one more", () => {
    const files = (count: number) => git("old mode 100644", "new mode 100755").repeat(count);
    expect(sections(files(patchSectionsMax))).toHaveLength(patchSectionsMax);
    expect(error(files(patchSectionsMax + 1))).toMatchObject({
      code: "TOO_LARGE",
      limit: "PATCH_SECTIONS_MAX",
      max: patchSectionsMax,
      actual: patchSectionsMax + 1,
    });
  });

  it("holds the most hunks, in one file or several, and refuses one more", () => {
    const hunks = (count: number) => plain(...Array.from({ length: count }, (_, index) => `@@ -${index},0 +1 @@\n+`));
    expect(sections(hunks(patchHunksMax))[0]?.hunks).toBe(patchHunksMax);
    const excess = { code: "TOO_LARGE", limit: "PATCH_HUNKS_MAX", max: patchHunksMax, actual: patchHunksMax + 1 };
    expect(error(hunks(patchHunksMax + 1))).toMatchObject(excess);
    expect(error(hunks(patchHunksMax) + plain(...replace))).toMatchObject(excess);
  });

  it("measures a patch in bytes of UTF-8", () => {
    const patch = plain(...replace);
    const padded = (bytes: number) => patch + "é".repeat((bytes - patch.length) / 2);
    expect(sections(padded(patchMaxBytes + (patch.length % 2)))).toHaveLength(1);
    expect(error(padded(patchMaxBytes + 2 + (patch.length % 2)))).toMatchObject({
      code: "TOO_LARGE",
      limit: "PATCH_MAX",
    });
  });
});
