// Arguments alone: required, unknown, of the wrong type, not well-formed. Every refusal names the argument, what was given and what is wanted.
import { beforeAll, describe, expect, it } from "vitest";
import { eras, TextRoot, type TextTool } from "./text-root";

const hash = "0".repeat(64);
const valid: Record<TextTool, Record<string, unknown>> = {
  "file.create": { path: "/a", content: "x", encoding: "utf-8" },
  "file.list": { path: "/", limit: 10, offset: 0 },
  "file.remove": { path: "/a", hash },
  "text.read": { path: "/a", lines: [1, 0] },
  "text.replace": { path: "/a", hash, lines: [1, 0], old: "a", new: "b" },
  "text.insert": { path: "/a", hash, line: 1, anchor: "a", content: "b" },
  "text.append": { path: "/a", hash, content: "b" },
};
const optional = new Set([
  "file.create encoding",
  "file.list path",
  "file.list limit",
  "file.list offset",
  "text.read lines",
]);
const tools = Object.keys(valid) as TextTool[];
const pairs = tools.flatMap((tool) => Object.keys(valid[tool]).map((argument) => [tool, argument] as const));

let root: TextRoot;
beforeAll(async () => {
  root = await TextRoot.signIn();
});

const invalid = (argument: string, message: string) => ({
  code: "INVALID_ARGUMENT",
  message,
  details: { argument },
});

describe("arguments", () => {
  it.each(pairs.filter((pair) => !optional.has(pair.join(" "))))("MCP-052 %s wants %s", async (tool, argument) => {
    const { [argument]: _, ...rest } = valid[tool];
    expect(await root.refused(tool, rest)).toEqual(
      invalid(argument, `${argument}: nothing was given; this argument is required.`),
    );
  });

  it.each(tools)("MCP-052 %s names an argument that it does not know, and those that it knows", async (tool) => {
    const known = Object.keys(valid[tool]).join(", ");
    for (const name of ["recursive", "Path", "constructor", "toString", "", "lines ", "__proto__"]) {
      const args = JSON.parse(JSON.stringify(valid[tool]).replace("{", `{${JSON.stringify(name)}:1,`)) as object;
      expect(await root.refused(tool, args)).toEqual(invalid(name, `${name}: no such argument; known are ${known}.`));
    }
  });

  it.each(pairs)("MCP-052 %s refuses a %s of another type", async (tool, argument) => {
    const wrong = [
      null,
      true,
      {},
      argument === "lines" ? "1,2" : [],
      typeof valid[tool][argument] === "string" ? 7 : "7",
    ];
    for (const value of wrong) {
      const refusal = await root.refused(tool, { ...valid[tool], [argument]: value });
      expect(refusal).toEqual(invalid(argument, refusal.message));
      expect(refusal.message.startsWith(`${argument}: ${JSON.stringify(value)} `)).toBe(true);
      expect(refusal.message).toMatch(/; give .*\.$/);
    }
  });

  it.each([
    ["text.read", "lines", [1.5, 3], "lines: [1.5, 3] has a non-integer; give two integers [start, end)."],
    ["text.read", "lines", [1], "lines: [1] has 1 elements; give two integers [start, end)."],
    ["text.read", "lines", [1, 2, 3], "lines: [1, 2, 3] has 3 elements; give two integers [start, end)."],
    ["text.read", "lines", ["1", 2], 'lines: ["1", 2] has a non-integer; give two integers [start, end).'],
    ["text.replace", "lines", [null, 0], "lines: [null, 0] has a non-integer; give two integers [start, end)."],
    ["text.replace", "lines", "all", 'lines: "all" is not an array; give two integers [start, end).'],
    [
      "text.insert",
      "line",
      0,
      "line: 0 is not a line; give an integer from 1, or from -1 backwards for lines from the end.",
    ],
    [
      "text.insert",
      "line",
      1.5,
      "line: 1.5 is not a line; give an integer from 1, or from -1 backwards for lines from the end.",
    ],
    [
      "text.insert",
      "anchor",
      "a\nb",
      'anchor: "a\\nb" has 2 lines; give the full content of the one line at that place.',
    ],
    ["file.list", "limit", 0, "limit: 0 is not allowed; give an integer from 1 to 10000."],
    ["file.list", "limit", 10_001, "limit: 10001 is not allowed; give an integer from 1 to 10000."],
    ["file.list", "limit", 1.5, "limit: 1.5 is not allowed; give an integer from 1 to 10000."],
    ["file.list", "offset", -1, "offset: -1 is not allowed; give an integer from 0."],
    ["file.create", "encoding", "latin1", 'encoding: "latin1" is not an encoding; give "utf-8" or "base64".'],
    ["file.create", "encoding", "UTF-8", 'encoding: "UTF-8" is not an encoding; give "utf-8" or "base64".'],
    ["text.read", "path", "", 'path: an empty string was given; give a path such as "/notes/a.md".'],
    ["text.read", "path", "../x", 'path: "../x" leaves the root through "..".'],
  ] as const)("MCP-030 MCP-040 MCP-052 %s refuses %s %j: %s", async (tool, argument, value, message) => {
    expect(await root.refused(tool, { ...valid[tool], [argument]: value })).toEqual(invalid(argument, message));
  });

  it.each(
    pairs.filter(
      ([tool, argument]) => typeof valid[tool][argument] === "string" && argument !== "hash" && argument !== "encoding",
    ),
  )("refuses a lone surrogate in %s %s", async (tool, argument) => {
    for (const text of ["\ud800", "a\udc00b", "\ude00\ud83d"]) {
      expect(await root.refused(tool, { ...valid[tool], [argument]: text })).toEqual(
        invalid(argument, `${argument}: the text has a lone surrogate; give well-formed Unicode.`),
      );
    }
  });

  it.each([
    ["text.replace", "old"],
    ["text.replace", "new"],
    ["text.insert", "anchor"],
    ["text.insert", "content"],
    ["text.append", "content"],
  ] as const)("refuses U+0000 in %s %s", async (tool, argument) => {
    expect(await root.refused(tool, { ...valid[tool], [argument]: "ab\0c" })).toEqual(
      invalid(argument, `${argument}: the text has a NUL character at offset 2; give text without U+0000.`),
    );
  });

  it("cuts what a caller sent when it repeats it, so that a message stays short", async () => {
    const { message } = await root.refused("text.read", { path: "/a", lines: Array(100_000).fill(1) });
    expect(message.length).toBeLessThan(300);
    expect((await root.refused("file.remove", { path: "/a", hash: "f".repeat(100_000) })).message.length).toBeLessThan(
      300,
    );
    expect((await root.refused("text.read", { path: "x".repeat(100_000) })).message.length).toBeLessThan(300);
    expect((await root.refused("text.read", { path: "/a", ["y".repeat(100_000)]: 1 })).message.length).toBeLessThan(
      400,
    );
    expect((await root.refused("text.read", { path: ["z".repeat(100_000)] })).message.length).toBeLessThan(300);
  });
});

describe.each(eras)("arguments that are no object in %s", (era) => {
  it("are refused, and none are those of a tool that needs none", async () => {
    const one = await TextRoot.signIn({ era });
    expect((await one.request("tools/call", { name: "file.list" })).body.result.structuredContent).toMatchObject({
      path: "/",
      total: 0,
    });
    for (const args of [[], "x", 7, true]) {
      const { status, body } = await one.request("tools/call", { name: "file.list", arguments: args });
      expect(status).toBeLessThan(500);
      if (body.error) expect(body.error.code).toBe(-32602);
      else expect(body.result.structuredContent.error.code).toBe("INVALID_ARGUMENT");
    }
  });
});
