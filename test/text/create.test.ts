// file.create: what is stored, what is refused and in which words. Not here: paths (path-attacks), sizes (large-content), scopes.
import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { TextRoot } from "./text-root";

const sha256 = (content: string | Uint8Array) => createHash("sha256").update(content).digest("hex");

let root: TextRoot;
beforeAll(async () => {
  root = await TextRoot.signIn();
});

describe("file.create", () => {
  it("MCP-010 MCP-025 MCP-031 stores the content, makes the directories that are missing and gives the hash", async () => {
    const { hash } = await root.ok("file.create", { path: "notes/a.md", content: "hello\n" });
    expect(hash).toBe("5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03");
    expect(await root.read("/notes/a.md")).toEqual({ content: "hello\n", hash, total_lines: 1 });
    await root.create("/deep/er/and/deeper/x", "");
    const { entries } = await root.ok("file.list", { path: "/deep/er" });
    expect(entries).toEqual([{ name: "and", type: "directory" }]);
  });

  it.each([
    ["the empty text", "", "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
    ["a text without a final newline", "a", "a", undefined],
    ["CRLF", "a\r\nb\r\n", "a\r\nb\r\n", "58055bdcc73787eb88c78d36f0b4939e9c5dc1c3ad17e25cc85a6833cf1a0cab"],
    ["a byte order mark", "\ufeffa\n", "\ufeffa\n", "be4fccb045869c7ad387b9081a44cfd495b37efc020da4b44542de0d980c747f"],
    ["astral and combining characters", "😀e\u0301é\u2028\u0085", "😀e\u0301é\u2028\u0085", undefined],
  ])(
    "MCP-030 MCP-031 stores %s byte for byte, with utf-8 as the default encoding",
    async (name, content, text, hash) => {
      const path = `/exact/${name}`;
      const created = await root.ok("file.create", { path, content });
      expect(created.hash).toBe(hash ?? sha256(text));
      expect((await root.read(path)).content).toBe(text);
      expect(await root.create(`${path} again`, Buffer.from(text, "utf8"))).toBe(created.hash);
      expect((await root.ok("file.create", { path: `${path} named`, content, encoding: "utf-8" })).hash).toBe(
        created.hash,
      );
    },
  );

  it("MCP-030 MCP-031 stores base64 as the bytes it stands for, and hashes those", async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    expect(await root.create("/bytes", bytes)).toBe(sha256(bytes));
    expect(await root.create("/no bytes", new Uint8Array())).toBe(sha256(""));
    expect(await root.create("/nul", "a\0b")).toBe(sha256("a\0b"));
  });

  it.each([
    ["a", 1, "the length is not a multiple of 4 (padding is required)"],
    ["YQ=", 3, "the length is not a multiple of 4 (padding is required)"],
    ["YWI", 3, "the length is not a multiple of 4 (padding is required)"],
    ["YR==", 1, "the unused bits of the last digit are not zero"],
    ["YWJ=", 2, "the unused bits of the last digit are not zero"],
    ["YWJj\n", 4, "blanks and line breaks are not allowed"],
    ["YW Jj", 2, "blanks and line breaks are not allowed"],
    ["-_-_", 0, "a character of the URL alphabet; the standard one has + and /"],
    ["YQ==YQ==", 2, "padding stands before the end"],
    ["base64:YQ==", 6, "a character outside the base64 alphabet"],
    ["YWJé", 3, "a character outside the base64 alphabet"],
  ])("MCP-030 MCP-052 refuses %j as base64 and says where it stops being that", async (content, offset, why) => {
    const refusal = await root.refused("file.create", { path: "/never", content, encoding: "base64" });
    expect(refusal).toEqual({
      code: "INVALID_ARGUMENT",
      message: `content: not base64 at offset ${offset}: ${why}; give standard, padded base64 without line breaks.`,
      details: { argument: "content" },
    });
  });

  it("MCP-010 MCP-032 never overwrites: a file, a directory and a file on the way are refused, each in its words", async () => {
    const hash = await root.create("/taken/file", "mine\n");
    expect(await root.refused("file.create", { path: "/taken/file", content: "other" })).toEqual({
      code: "ALREADY_EXISTS",
      message:
        "/taken/file already exists and was not changed. Read it with text.read and edit it with text.replace, or choose another path.",
      details: { path: "/taken/file", type: "file" },
    });
    // The same content is refused as well: nothing was asked for that a retry could not have done.
    expect((await root.refused("file.create", { path: "/taken/file", content: "mine\n" })).code).toBe("ALREADY_EXISTS");
    expect(await root.refused("file.create", { path: "taken/", content: "" })).toEqual({
      code: "ALREADY_EXISTS",
      message: "/taken is a directory. Choose a file name inside it.",
      details: { path: "/taken", type: "directory" },
    });
    expect(await root.refused("file.create", { path: "/taken/file/below/it", content: "" })).toEqual({
      code: "ALREADY_EXISTS",
      message: "/taken/file is a file, so /taken/file/below/it cannot be created below it. Choose another path.",
      details: { path: "/taken/file/below/it", blocker: "/taken/file" },
    });
    expect(await root.read("/taken/file")).toEqual({ content: "mine\n", hash, total_lines: 1 });
  });

  it("gives one of many creators of a path the file and refuses the others", async () => {
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        root.result("file.create", { path: "/race/one", content: `${index}\n` }),
      ),
    );
    const won = answers.filter(({ isError }) => !isError);
    expect(won).toHaveLength(1);
    for (const { value } of answers.filter(({ isError }) => isError)) {
      expect(value).toMatchObject({ error: { code: "ALREADY_EXISTS" } });
    }
    expect((await root.read("/race/one")).hash).toBe(won[0]?.value.hash);
  });
});
