/** parseRepoPath and repoPathOf: the table of snapshot.md §2, which class refuses what, and their properties. Limits and git names: path.test.ts. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seed } from "../../test/counts";
import { parseRepoPath, repoPathOf } from "./repo-path";

const parsed = (raw: unknown) => {
  const path = parseRepoPath(raw);
  return path.ok ? repoPathOf(path.value) : path.error.class;
};
const message = (raw: unknown, argument?: string) => {
  const path = parseRepoPath(raw, argument);
  return path.ok ? "accepted" : path.error.message;
};

describe("parseRepoPath", () => {
  it.each([
    [".", "."],
    ["./", "."],
    [".//.", "."],
    ["src", "src"],
    ["src/", "src"],
    ["./src", "src"],
    ["src//", "src"],
    ["notes/./a.md", "notes/a.md"],
    ["a..b", "a..b"],
    ["...", "..."],
    ["foo~", "foo~"],
    ["x/~y", "x/~y"],
    ["./~bob/x", "~bob/x"],
    [".//~", "~"],
    ["x/a:b", "x/a:b"],
    ["1:x", "1:x"],
    [" ", " "],
    ["%2e%2e/x", "%2e%2e/x"],
    [".hidden", ".hidden"],
  ])("seed 002 §1.2: %j is the path %j", (raw, wanted) => expect(parsed(raw)).toBe(wanted));

  it.each([
    "/",
    "/notes/a.md",
    "//x",
    "C:/x",
    "c:",
    "C:\\Users\\f.txt",
    "./C:/x",
    ".//d:x",
    "..",
    "../x",
    "a/../b",
    "a/..",
    "./..",
    "~",
    "~bob/x",
    "~/x",
    // An escape is found before what is wrong with the name.
    "/a\\b",
    "../.git/config",
    "~\u0000",
    `/${"x".repeat(2000)}`,
  ])("seed 002 §1.2: %j escapes", (raw) => expect(parsed(raw)).toBe("escape"));

  it.each([
    "",
    undefined,
    null,
    7,
    ["a"],
    "a\\b",
    "..\\x",
    "\\\\srv\\x",
    "a\nb",
    "a\u0000",
    "\u007f",
    "\ud800",
    ".git",
    "x/.GIT./config",
    "git~1",
    "x".repeat(256),
    "a/".repeat(65),
    `${"x".repeat(255)}/`.repeat(5),
  ])("%j is no name", (raw) => expect(parsed(raw)).toBe("name"));

  it("says what was given and what to give", () => {
    expect(message("/notes/a.md")).toBe(
      'path: "/notes/a.md" begins with "/" and so points out of the root; paths are relative to the root: give "notes/a.md".',
    );
    expect(message("/")).toContain('give "."');
    expect(message("~bob/x")).toContain('a file of that name is "./~bob/x".');
    expect(message("a/../b")).toContain('"a/../b" contains ".."');
    expect(message("C:/x")).toContain("begins with a drive letter");
    expect(message("", "paths")).toBe(
      'paths: an empty string was given; give a path such as "notes/a.md", or "." for the root.',
    );
    expect(message("a\\b", "paths")).toContain("paths: ");
    expect(message(`/${"x".repeat(1e6)}`).length).toBeLessThan(500);
  });

  it("gives a path that is parsed to itself, and never leaves the root, whatever is sent", () => {
    const part = fc.constantFrom("..", ".", "", "a", "~", "~b", "C:", "é", "b c", "a..b", "\\", "😀");
    const raw = fc.array(part, { maxLength: 6 }).map((parts) => parts.join("/"));
    fc.assert(
      fc.property(raw, (given) => {
        const path = parseRepoPath(given);
        if (!path.ok) return;
        expect(path.value).toMatch(/^\/(?!.*\/\/)/);
        expect(path.value.split("/")).not.toContain("..");
        const again = repoPathOf(path.value);
        expect(parsed(again.startsWith("~") ? `./${again}` : again)).toBe(again);
      }),
      { seed, numRuns: 2000 },
    );
  });
});
