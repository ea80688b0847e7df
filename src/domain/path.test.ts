/** normalizePath: its table, its limits, its properties. Attacks: path-attacks.test.ts. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seed } from "../../test/counts";
import { ancestorsOf, isAtOrBelow, nameOf, normalizePath, parentOf, type RootPath } from "./path";

const normalized = (raw: unknown) => {
  const result = normalizePath(raw);
  return result.ok ? result.value : null;
};
const refusal = (raw: unknown) => {
  const result = normalizePath(raw);
  return result.ok ? "accepted" : result.error.message;
};

describe("normalizePath", () => {
  it.each([
    ["/notes/a.md", "/notes/a.md"],
    ["notes/a.md", "/notes/a.md"],
    ["//notes//a.md", "/notes/a.md"],
    ["/notes/./a.md", "/notes/a.md"],
    ["notes/a.md/", "/notes/a.md"],
    ["/notes/../work/a.md", "/work/a.md"],
    ["a..b", "/a..b"],
    ["...", "/..."],
    ["~", "/~"],
    ["~bob/x", "/~bob/x"],
    [".hidden", "/.hidden"],
    ["x/a:b", "/x/a:b"],
    ["/", "/"],
    [".", "/"],
    ["a/..", "/"],
    ["%41", "/%41"],
    ["%2e%2e/x", "/%2e%2e/x"],
    [" ", "/ "],
    ["a/.git/../b", "/a/b"],
    ["C:/../x", null],
    ["x/../C:/y", null],
  ])("MCP-025 MCP-026: %j is %j", (raw, wanted) => expect(normalized(raw)).toBe(wanted));

  it("MCP-052: each refusal says what was given and what is wanted", () => {
    expect(refusal("../x")).toBe('path: "../x" leaves the root through "..".');
    expect(refusal("a\\b")).toBe(
      'path: "a\\\\b" contains a backslash; separate names with "/" and leave out control characters.',
    );
    expect(refusal("a\nb")).toContain("the control character U+000A");
    expect(refusal("C:/x")).toBe(
      'path: "C:/x" begins with a drive letter; give a path from the root, such as "/notes/a.md".',
    );
    expect(refusal("")).toContain("an empty string was given");
    expect(refusal(undefined)).toContain("nothing was given");
    expect(refusal([])).toContain("an array was given");
    expect(refusal("x/.git/config")).toContain('the name ".git", which git keeps for itself');
    expect(refusal("x".repeat(100_000)).length).toBeLessThan(300);
    const named = normalizePath("..", "from");
    expect(named.ok ? "" : named.error.message).toBe('from: ".." leaves the root through "..".');
  });

  it("keeps what stands at a limit and refuses one more", () => {
    expect(normalized("x".repeat(255))).not.toBeNull();
    expect(refusal("x".repeat(256))).toContain("has 256 bytes; a name has at most 255");
    expect(normalized("é".repeat(127))).not.toBeNull();
    expect(refusal("é".repeat(128))).toContain("256 bytes");
    expect(normalized("a/".repeat(64))).not.toBeNull();
    expect(refusal("a/".repeat(65))).toContain("has 65 names; a path has at most 64");
    const long = `${`${"x".repeat(255)}/`.repeat(3)}${"x".repeat(255)}`;
    expect(normalized(long)?.length).toBe(1024);
    expect(refusal(`a/${"x".repeat(254)}/${long.slice(0, 768)}`)).toContain("has 1025 bytes; a path has at most 1024");
    // Limits hold after normalization.
    expect(normalized(`${"./".repeat(5000)}a`)).toBe("/a");
    expect(normalized(`${"x".repeat(300)}/../a`)).toBe("/a");
  });

  it("MCP-027: keeps every path inside the root and is idempotent, whatever is sent", () => {
    const part = fc.constantFrom(
      "..",
      ".",
      "",
      "a",
      "b.md",
      "~",
      "é",
      "e\u0301",
      "😀",
      "C:",
      "x:y",
      ".git",
      "git~1",
      " ",
      "\\",
      "\0",
      "%2e",
      "...",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 10 }), (parts) => {
        const path = normalized(parts.join("/"));
        if (path === null) return true;
        return (
          path.startsWith("/") &&
          normalized(path) === path &&
          (path === "/" ||
            path
              .slice(1)
              .split("/")
              .every((name) => name !== "" && name !== "." && name !== ".."))
        );
      }),
      { seed, numRuns: 20_000 },
    );
  });

  it("MCP-025: says the same of plain paths, which have a short way, as of all others", () => {
    const character = fc.constantFrom(
      "/",
      "a",
      "B",
      "7",
      "_",
      "-",
      ".",
      "~",
      ":",
      " ",
      ".git",
      "git~1",
      "..",
      "a/".repeat(65),
    );
    fc.assert(
      fc.property(fc.string({ unit: character, maxLength: 12 }), (path) => {
        // Two slashes are no plain path.
        expect(normalized(`/${path}`)).toBe(normalized(`//${path}`));
      }),
      { seed, numRuns: 20_000 },
    );
  });

  it("MCP-025: compares names by bytes: no case folding, no Unicode normalization", () => {
    expect(normalized("é")).not.toBe(normalized("e\u0301"));
    expect(normalized("A")).not.toBe(normalized("a"));
  });
});

describe("parts of a path", () => {
  it("finds parent, name and ancestors", () => {
    const path = "/a/b/c" as RootPath;
    expect([parentOf(path), nameOf(path), ancestorsOf(path)]).toEqual(["/a/b", "c", ["/", "/a", "/a/b"]]);
    expect([
      parentOf("/a" as RootPath),
      parentOf("/" as RootPath),
      nameOf("/" as RootPath),
      ancestorsOf("/" as RootPath),
    ]).toEqual(["/", "/", "", []]);
  });

  it("AUTH-036: /work holds /work/a and not /workfiles", () => {
    const work = "/work" as RootPath;
    expect(["/work", "/work/a", "/workfiles", "/", "/wor"].map((path) => isAtOrBelow(path as RootPath, work))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(isAtOrBelow(work, "/" as RootPath)).toBe(true);
  });
});
