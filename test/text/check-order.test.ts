// The order of checks (text.md §4.2): of several things that are wrong with one call, the first in the order is answered.
import { beforeAll, describe, expect, it } from "vitest";
import { TextRoot, type TextTool } from "./text-root";

const wrongHash = "0".repeat(64);
const noHash = "not a hash";
/** The scope that the refused token lacks, as an HTTP status. */
const forbidden = "403";

let root: TextRoot;
let narrow: TextRoot;
let textHash: string;

beforeAll(async () => {
  root = await TextRoot.signIn();
  narrow = await TextRoot.signIn({ user: root.user, scope: "write:/open/" });
  textHash = await root.create("/open/text", "a\nb\n");
  await root.create("/open/binary", Uint8Array.of(0, 1));
  await root.create("/open/dir/x", "");
  await root.create("/closed/text", "a\n");
});

type Row = readonly [tool: TextTool, args: Record<string, unknown>, answered: string];

const edits: { tool: TextTool; wrongType: object; pure: object; noLine: object; fine: object }[] = [
  {
    tool: "text.replace",
    wrongType: { lines: [1, 0], old: 1, new: "x" },
    pure: { lines: [1.5, 0], old: "a", new: "x" },
    noLine: { lines: [1, 0], old: "none", new: "x" },
    fine: { lines: [1, 0], old: "a", new: "x" },
  },
  {
    tool: "text.insert",
    wrongType: { line: "1", anchor: "a", content: "x" },
    pure: { line: 1, anchor: "a\nb", content: "x" },
    noLine: { line: 1, anchor: "none", content: "x" },
    fine: { line: 1, anchor: "a", content: "x" },
  },
];

const rows: Row[] = edits.flatMap(({ tool, wrongType, pure, noLine, fine }): Row[] => [
  // 1 before 2: arguments before the path.
  [tool, { path: "../x", hash: wrongHash, ...wrongType }, "INVALID_ARGUMENT"],
  [tool, { path: "../x", hash: noHash, ...fine }, "INVALID_ARGUMENT hash"],
  // 1 before 3: arguments before the scope.
  [tool, { path: "/closed/text", hash: noHash, ...fine }, "INVALID_ARGUMENT hash"],
  [tool, { path: "/closed/text", hash: wrongHash, ...pure }, "INVALID_ARGUMENT"],
  [tool, { path: "/closed/text", hash: wrongHash, ...fine, more: 1 }, "INVALID_ARGUMENT more"],
  // 2 before 3: the path before the scope, and the normalized path is the one that counts.
  [tool, { path: "/closed/../../x", hash: wrongHash, ...fine }, "INVALID_ARGUMENT path"],
  [tool, { path: "/open/../closed/text", hash: wrongHash, ...fine }, forbidden],
  [tool, { path: "/closed/../open/absent", hash: wrongHash, ...fine }, "NOT_FOUND"],
  // 3 before 4: the scope before existence.
  [tool, { path: "/closed/absent", hash: wrongHash, ...fine }, forbidden],
  [tool, { path: "/closed/text", hash: wrongHash, ...fine }, forbidden],
  // 4, 5, 6, 7
  [tool, { path: "/open/absent", hash: wrongHash, ...noLine }, "NOT_FOUND"],
  [tool, { path: "/open/dir", hash: wrongHash, ...noLine }, "INVALID_ARGUMENT path"],
  [tool, { path: "/open/binary", hash: wrongHash, ...noLine }, "NOT_TEXT"],
  [tool, { path: "/open/text", hash: wrongHash, ...noLine }, "HASH_MISMATCH"],
  [tool, { path: "/open/text", hash: "current", ...noLine }, "LINE_MISMATCH"],
]);

const others: Row[] = [
  ["file.create", { path: "../x", content: 1 }, "INVALID_ARGUMENT content"],
  ["file.create", { path: "../x", content: "?", encoding: "base64" }, "INVALID_ARGUMENT content"],
  ["file.create", { path: "/closed/text", content: "?", encoding: "base64" }, "INVALID_ARGUMENT content"],
  ["file.create", { path: "/closed/../../x", content: "" }, "INVALID_ARGUMENT path"],
  ["file.create", { path: "/", content: "" }, "INVALID_ARGUMENT path"],
  ["file.create", { path: "/closed/text", content: "" }, forbidden],
  ["file.create", { path: "/closed/new", content: "" }, forbidden],
  ["file.create", { path: "/open/text", content: "" }, "ALREADY_EXISTS"],
  ["file.create", { path: "/open/text/below", content: "too large" }, "ALREADY_EXISTS"],
  ["file.create", { path: "/open/text", content: "too large" }, "ALREADY_EXISTS"],
  ["file.create", { path: "/open/new", content: "too large" }, "TOO_LARGE"],
  ["file.remove", { path: "../x", hash: noHash }, "INVALID_ARGUMENT hash"],
  ["file.remove", { path: "/closed/text", hash: noHash }, "INVALID_ARGUMENT hash"],
  ["file.remove", { path: "/closed/absent", hash: wrongHash }, forbidden],
  ["file.remove", { path: "/open/absent", hash: wrongHash }, "NOT_FOUND"],
  ["file.remove", { path: "/open/dir", hash: wrongHash }, "INVALID_ARGUMENT path"],
  ["file.remove", { path: "/open/text", hash: wrongHash }, "HASH_MISMATCH"],
  ["file.remove", { path: "/open/binary", hash: wrongHash }, "HASH_MISMATCH"],
  ["text.read", { path: "../x", lines: [1] }, "INVALID_ARGUMENT lines"],
  ["text.read", { path: "/closed/text", lines: [1] }, "INVALID_ARGUMENT lines"],
  ["text.read", { path: "/closed/absent" }, forbidden],
  ["text.read", { path: "/open/absent" }, "NOT_FOUND"],
  ["text.read", { path: "/open/dir" }, "INVALID_ARGUMENT path"],
  ["text.read", { path: "/open/binary" }, "NOT_TEXT"],
  ["file.list", { path: "../x", limit: 0 }, "INVALID_ARGUMENT limit"],
  ["file.list", { path: "/closed", limit: 0 }, "INVALID_ARGUMENT limit"],
  ["file.list", { path: "/closed/absent" }, forbidden],
  ["file.list", { path: "/" }, forbidden],
  ["file.list", { path: "/open/absent" }, "NOT_FOUND"],
  ["file.list", { path: "/open/text" }, "INVALID_ARGUMENT path"],
  ["text.append", { path: "../x", hash: wrongHash, content: 1 }, "INVALID_ARGUMENT content"],
  ["text.append", { path: "/closed/absent", hash: wrongHash, content: "" }, forbidden],
  ["text.append", { path: "/open/absent", hash: wrongHash, content: "too large" }, "NOT_FOUND"],
  ["text.append", { path: "/open/binary", hash: wrongHash, content: "too large" }, "NOT_TEXT"],
  ["text.append", { path: "/open/text", hash: wrongHash, content: "too large" }, "HASH_MISMATCH"],
  ["text.append", { path: "/open/text", hash: "current", content: "too large" }, "TOO_LARGE"],
  ["text.replace", { path: "/open/text", hash: "current", lines: [1, 0], old: "x", new: "too large" }, "LINE_MISMATCH"],
  ["text.insert", { path: "/open/text", hash: "current", line: 1, anchor: "x", content: "too large" }, "LINE_MISMATCH"],
];

/** Words of the table that stand for what only the running test has. */
function spelledOut(args: Record<string, unknown>): Record<string, unknown> {
  const large = "x".repeat(8 * 1024 * 1024 + 1);
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      value === "too large" ? large : value === "current" ? textHash : value,
    ]),
  );
}

describe("the order of checks", () => {
  it.each([...rows, ...others])("MCP-026 MCP-050 MCP-051 %s %j is answered with %s", async (tool, args, answered) => {
    const { status, body } = await narrow.call(tool, spelledOut(args));
    if (answered === forbidden) return expect(status).toBe(403);
    expect(status).toBe(200);
    const { code, details } = body.result.structuredContent.error;
    const [wantedCode, argument] = answered.split(" ");
    expect(code).toBe(wantedCode);
    if (argument !== undefined) expect(details.argument).toBe(argument);
  });

  it("changed nothing by all of that", async () => {
    expect((await root.read("/open/text")).hash).toBe(textHash);
    expect((await root.ok("file.list", { path: "/open" })).entries.map(({ name }) => name)).toEqual([
      "dir",
      "binary",
      "text",
    ]);
  });
});
