// zipfs_grep: matches, counts, context, globs, what a pattern sees, what is left out. The engine itself: src/domain/grep.
import { beforeAll, describe, expect, it } from "vitest";
import { bytesOf } from "../harness/zip-builder";
import { book } from "./book";
import { ZipRoot } from "./zip-root";

describe("searching", () => {
  it("gives one match per line, all of them counted, with context, globs and binary files skipped", async () => {
    const root = await ZipRoot.signIn();
    const long = `${"x".repeat(3000)}beta`;
    await root.opened("g", [...book, { name: "e/long.md", data: `one\nbeta beta\n${long}\nend` }]);
    const all = await root.ok("zipfs_grep", { pattern: "beta" });
    expect(all.matches.map(({ file, line_number: line }) => `${file}:${line}`)).toEqual([
      "a.txt:2",
      "d/b.txt:1",
      "e/long.md:2",
      "e/long.md:3",
    ]);
    expect(all).toMatchObject({ total_matches: 4, truncated: false, skipped_binary: 1, incomplete: false });
    expect(all.matches[0]?.line_content).toBe("beta");
    expect(all.matches[3]?.line_content).toBe(`${"x".repeat(2000)}…`);
    expect(await root.ok("zipfs_grep", { pattern: "beta", max_results: 1 })).toMatchObject({
      total_matches: 4,
      truncated: true,
    });
    expect((await root.ok("zipfs_grep", { pattern: "^BETA$", ignore_case: true })).total_matches).toBe(1);
    expect((await root.ok("zipfs_grep", { pattern: "beta", glob: "*.{md,rst}" })).total_matches).toBe(2);
    expect((await root.ok("zipfs_grep", { pattern: "beta", path: "d" })).total_matches).toBe(1);
    const context = await root.ok("zipfs_grep", { pattern: "^beta$", path: "a.txt", context_lines: 1 });
    expect(context.matches).toEqual([
      { file: "a.txt", line_number: 2, line_content: "beta", before: ["alpha"], after: ["gamma"] },
    ]);
  });

  it("zipfs.md §4 zipfs_grep: gives the lines around a match wherever a long text is cut into pieces", async () => {
    const root = await ZipRoot.signIn();
    const { workspace_path: workspace } = await root.opened("p", []);
    // Lines of ten characters; the first piece ends near the 419 430th.
    const line = (number: number) => `${number}`.padStart(9, "0");
    await root.put(
      `${workspace}/long`,
      bytesOf(Array.from({ length: 600_000 }, (_, index) => `${line(index + 1)}\n`).join("")),
    );
    const { matches, total_matches: total } = await root.ok("zipfs_grep", { pattern: "^0004194", context_lines: 10 });
    expect(total).toBe(100);
    const around = (from: number) => Array.from({ length: 10 }, (_, index) => line(from + index));
    expect(matches).toEqual(
      Array.from({ length: 100 }, (_, index) => 419_400 + index).map((number) => ({
        file: "long",
        line_number: number,
        line_content: line(number),
        before: around(number - 10),
        after: around(number + 1),
      })),
    );
  });
});

describe("zipfs.md §4 zipfs_grep: a pattern", () => {
  let root: ZipRoot;
  beforeAll(async () => {
    root = await ZipRoot.signIn();
    await root.opened("lines", [
      { name: "t", data: "abc\nxbc\n\na\r\r\nend\r" },
      { name: "long", data: `${"é".repeat(1000)}\n`, method: 0 },
      { name: "late", data: `${"a".repeat(8000)}\0 needle`, method: 0 },
      { name: "early", data: `${"a".repeat(7999)}\0 needle`, method: 0 },
    ]);
  });

  it.each([
    ["c[^y]x", []],
    ["c\\sx", []],
    ["(?s)c.x", []],
    ["\\Ax", ["2 xbc"]],
    ["c\\z", ["1 abc", "2 xbc"]],
    ["^$", ["3 "]],
    ["b.*b|c", ["1 abc", "2 xbc"]],
    ["\\r", ["4 a\r"]],
    ["d$", ["5 end"]],
  ])("%j sees one line at a time, without its end", async (pattern, lines) => {
    const { matches } = await root.ok("zipfs_grep", { pattern, path: "t" });
    expect(matches.map(({ line_number: number, line_content: line }) => `${number} ${line}`)).toEqual(lines);
  });

  it("may have 1 000 characters, whatever their bytes, and not one more", async () => {
    expect((await root.ok("zipfs_grep", { pattern: "é".repeat(1000) })).total_matches).toBe(1);
    expect((await root.refused("zipfs_grep", { pattern: "é".repeat(1001) })).code).toBe("INVALID_PARAMS");
  });

  it("is looked for in files without a NUL in their first 8 000 bytes", async () => {
    const { matches, skipped_binary: skipped } = await root.ok("zipfs_grep", { pattern: "needle" });
    expect(matches.map(({ file }) => file)).toEqual(["late"]);
    expect(skipped).toBe(1);
  });

  it("ends at 64 MiB of text: incomplete, and what was found before is there", async () => {
    const { workspace_path: workspace } = await root.opened("much", [{ name: "a", data: "needle" }]);
    await root.put(`${workspace}/b`, new Uint8Array(64 * 1024 * 1024).fill(10));
    const found = await root.ok("zipfs_grep", { session: "much", pattern: "needle" });
    expect(found).toMatchObject({ total_matches: 1, truncated: true, incomplete: true });
    expect(found.matches).toHaveLength(1);
    await root.ok("zipfs_close", { session: "much" });
  });
});
