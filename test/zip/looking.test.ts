// zipfs_read in parts, zipfs_grep, zipfs_ls by cursor: what goes beyond one plain call.
import { describe, expect, it } from "vitest";
import { bytesOf } from "../harness/zip-builder";
import { book } from "./book";
import { ZipRoot } from "./zip-root";

describe("reading", () => {
  it("goes on by next_offset without loss, on the boundaries of characters, and takes the rest as base64", async () => {
    const root = await ZipRoot.signIn();
    const content = "aé😀～z".repeat(3);
    await root.opened("r", [
      { name: "t", data: content },
      { name: "b", data: new Uint8Array([0xff, 0xfe, 0, 1]) },
      { name: "nul", data: "a\0b" },
    ]);
    for (const limit of [1, 3, 5, 7, 100]) {
      let joined = "";
      for (let offset: number | null = 0; offset !== null; ) {
        const read: { content: string; next_offset: number | null } = await root.ok("zipfs_read", {
          path: "t",
          offset,
          limit,
        });
        joined += read.content;
        offset = read.next_offset;
      }
      expect(joined, `limit ${limit}`).toBe(content);
    }
    expect((await root.refused("zipfs_read", { path: "t", offset: 2 })).code).toBe("INVALID_PARAMS");
    expect(await root.ok("zipfs_read", { path: "t", offset: 99_999 })).toMatchObject({
      content: "",
      size_bytes: 0,
      next_offset: null,
    });
    expect(await root.ok("zipfs_read", { path: "b" })).toMatchObject({
      encoding: "base64",
      content: "//4AAQ==",
      size_bytes: 4,
    });
    expect(await root.ok("zipfs_read", { path: "nul" })).toMatchObject({ encoding: "utf-8", content: "a\0b" });
  });

  it("gives 256 KiB unless asked for more, and never more than 1 MiB", async () => {
    const root = await ZipRoot.signIn();
    const { workspace_path: workspace } = await root.opened("r", []);
    await root.put(`${workspace}/large`, new Uint8Array(1_500_000).fill(97));
    const sizes = [];
    for (const limit of [undefined, 300_000, 9_999_999]) {
      const read = await root.ok("zipfs_read", { path: "large", ...(limit !== undefined && { limit }) });
      sizes.push([read.size_bytes, read.next_offset, read.truncated]);
    }
    expect(sizes).toEqual([
      [262_144, 262_144, true],
      [300_000, 300_000, true],
      [1_048_576, 1_048_576, true],
    ]);
  });
});

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

describe("listing", () => {
  it("goes on by cursor, in the same order as in one answer", async () => {
    const root = await ZipRoot.signIn();
    await root.opened(
      "l",
      ["a/z", "a.txt", "a-b", "b/c/d", "b/c.e", "é"].map((name) => ({ name, data: name })),
    );
    for (const recursive of [true, false]) {
      const whole = await root.ok("zipfs_ls", { recursive });
      const names: string[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page: { entries: { name: string }[]; next_cursor: string | null } = await root.ok("zipfs_ls", {
          recursive,
          limit: 2,
          ...(cursor !== undefined && { cursor }),
        });
        names.push(...page.entries.map(({ name }) => name));
        cursor = page.next_cursor;
      }
      expect(names).toEqual(whole.entries.map(({ name }) => name));
    }
  });
});
