// Files that are not text: stored and removed like any other, refused by every text tool with the reason and what to use instead.
import { beforeAll, describe, expect, it } from "vitest";
import { TextRoot } from "./text-root";

const ascii = (text: string) => [...Buffer.from(text)];
const zeros = "0".repeat(64);

const cases: readonly (readonly [what: string, bytes: readonly number[], why: string, offset: number])[] = [
  ["a NUL at once", [0], "a NUL byte at offset 0", 0],
  ["a NUL in a text", ascii("abc\0def\n"), "a NUL byte at offset 3", 3],
  ["a NUL as the last of 8000 bytes", [...Array(7999).fill(0x61), 0], "a NUL byte at offset 7999", 7999],
  ["a NUL before invalid UTF-8", [0xff, 0x61, 0], "a NUL byte at offset 2", 2],
  ["a byte that UTF-8 never has", [0x61, 0xff], "invalid UTF-8 at offset 1", 1],
  ["a continuation without a start", [0x80], "invalid UTF-8 at offset 0", 0],
  ["a sequence cut off", ascii("ab\n").concat([0xf0, 0x9f, 0x98]), "invalid UTF-8 at offset 3", 3],
  ["an overlong slash", [0xc0, 0xaf], "invalid UTF-8 at offset 0", 0],
  ["an encoded surrogate", [0x61, 0xed, 0xa0, 0x80], "invalid UTF-8 at offset 1", 1],
  ["a code point above U+10FFFF", [0xf4, 0x90, 0x80, 0x80], "invalid UTF-8 at offset 0", 0],
  ["Latin-1", ascii("caf").concat([0xe9, 0x0a]), "invalid UTF-8 at offset 3", 3],
];

let root: TextRoot;
beforeAll(async () => {
  root = await TextRoot.signIn();
});

describe("a binary file", () => {
  it.each(cases)("MCP-003 MCP-004 MCP-052 with %s has no lines", async (what, bytes, why, offset) => {
    const path = `/binary/${what}`;
    const hash = await root.create(path, Uint8Array.from(bytes));
    const refusal = {
      code: "NOT_TEXT",
      message: `${path} is not text (${why}), so it has no lines. Use GET /files${path} or snapshot.file to read its bytes.`,
      details: { path, offset },
    };
    expect(await root.refused("text.read", { path })).toEqual(refusal);
    expect(await root.refused("text.read", { path, lines: [5, 1] })).toEqual(refusal);
    for (const cited of [hash, zeros]) {
      expect(await root.refused("text.append", { path, hash: cited, content: "x" })).toEqual(refusal);
      expect(await root.refused("text.insert", { path, hash: cited, line: 1, anchor: "", content: "x" })).toEqual(
        refusal,
      );
      expect(await root.refused("text.replace", { path, hash: cited, lines: [1, 0], old: "", new: "" })).toEqual(
        refusal,
      );
    }
    expect(await root.ok("file.remove", { path, hash })).toEqual({});
  });

  it("MCP-003 stands in a list as a file like any other", async () => {
    await root.create("/both/binary", Uint8Array.of(0));
    await root.create("/both/text", "x");
    expect((await root.ok("file.list", { path: "/both" })).entries).toEqual([
      { name: "binary", type: "file" },
      { name: "text", type: "file" },
    ]);
  });

  it("AUTH-042 no file leads elsewhere: what looks like a link is its own bytes, and there is no other kind of entry", async () => {
    await root.create("/links/secret", "secret\n");
    const content = "/links/secret";
    await root.create("/links/link", content);
    expect((await root.read("/links/link")).content).toBe(content);
    expect((await root.refused("file.create", { path: "/links/link/x", content: "" })).code).toBe("ALREADY_EXISTS");
    const { entries } = await root.ok("file.list", { path: "/links" });
    for (const { type } of entries) expect(["directory", "file"]).toContain(type);
  });
});
