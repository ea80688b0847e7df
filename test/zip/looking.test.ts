// zipfs_read in parts, zipfs_ls by cursor: what goes beyond one plain call. Not here: zipfs_grep.
import { describe, expect, it } from "vitest";
import { ZipRoot } from "./zip-root";

describe("reading", () => {
  it("goes on by next_offset without loss, on the boundaries of characters, and takes the rest as base64", async () => {
    const root = await ZipRoot.signIn();
    const content = "aé😀～z".repeat(3);
    await root.opened("r", [
      { name: "t", data: content },
      { name: "b", data: new Uint8Array([0xff, 0xfe, 0, 1]) },
      { name: "nul", data: "a\0b" },
      { name: "bom", data: "\ufeffx" },
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
    expect(await root.ok("zipfs_read", { path: "bom" })).toMatchObject({ encoding: "utf-8", content: "\ufeffx" });
    for (const limit of [2 ** 53, 1e300]) {
      expect(await root.ok("zipfs_read", { path: "nul", offset: 1, limit })).toMatchObject({ content: "\0b" });
    }
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

  it("zipfs.md §4: zipfs_ls gives 2 000 entries at once, zipfs_tree 5 000 lines, and they say that there are more", async () => {
    const root = await ZipRoot.signIn();
    await root.opened(
      "many",
      Array.from({ length: 5000 }, (_, index) => ({ name: `${index}` })),
    );
    const listed = await root.ok("zipfs_ls", {});
    expect(listed.entries).toHaveLength(2000);
    expect(listed.truncated).toBe(true);
    for (const limit of [0, 2001, 1.5, "5"]) {
      expect((await root.refused("zipfs_ls", { limit })).code, `${limit}`).toBe("INVALID_PARAMS");
    }
    const cut = await root.ok("zipfs_tree", {});
    expect(cut).toMatchObject({ file_count: 4999, dir_count: 0, truncated: true });
    expect(cut.tree.split("\n")).toHaveLength(5000);
    await root.ok("zipfs_delete", { path: "0" });
    expect(await root.ok("zipfs_tree", {})).toMatchObject({ file_count: 4999, truncated: false });
  });

  it("zipfs.md §4 zipfs_ls: a cursor goes on after the last entry given, though that is gone, and serves no other listing", async () => {
    const root = await ZipRoot.signIn();
    await root.opened(
      "g",
      ["d/1", "d/2", "d/3", "e/1"].map((name) => ({ name, data: name })),
    );
    const listing = { path: "/d/", recursive: true };
    const first = await root.ok("zipfs_ls", { ...listing, limit: 2 });
    expect(first).toMatchObject({ truncated: true });
    const cursor = first.next_cursor ?? "";
    await root.ok("zipfs_delete", { path: "d/2" });
    await root.ok("zipfs_write", { path: "d/2+", content: "" });
    const rest = await root.ok("zipfs_ls", { path: "d", recursive: true, cursor });
    expect(rest.entries.map(({ name }) => name)).toEqual(["2+", "3"]);
    expect(rest).toMatchObject({ truncated: false, next_cursor: null });
    await root.opened("other", [{ name: "d/1" }]);
    for (const args of [
      { session: "g", path: "e", recursive: true },
      { session: "g", path: "d" },
      { session: "other", ...listing },
    ]) {
      expect((await root.refused("zipfs_ls", { ...args, cursor })).code, JSON.stringify(args)).toBe("INVALID_PARAMS");
    }
  });
});
