// text.read: the line model and ranges (text.md §7.2, §7.3), and what it answers where there is no text to read.
import { beforeAll, describe, expect, it } from "vitest";
import { TextRoot } from "./text-root";

const five = "l1\nl2\nl3\nl4\nl5\n";
const fiveHash = "7b4d7795f2964691768ffa4bf908374a8c4d01a04196703ce99669740a96c019";

let root: TextRoot;
beforeAll(async () => {
  root = await TextRoot.signIn();
  await root.create("/five", five);
  await root.create("/open", "l1\nl2");
});

describe("text.read", () => {
  it.each<[string | Uint8Array, number, string]>([
    ["", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
    ["a", 1, "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"],
    ["a\n", 1, "87428fc522803d31065e7bce3cf03fe475096631e5e07bbd7a0fde60c4cf25c7"],
    ["\n", 1, "01ba4719c80b6fe911b091a7c05124b64eeece964e09c058ef8f9805daca546b"],
    ["a\nb", 2, "7e18f737311b2dc3b2f269dd78396b0351f14fb66efa879f768cb23181883c78"],
    ["a\nb\n", 2, "911169ddaaf146aff539f58c26c489af3b892dff0fe283c1c264c65ae5aa59a2"],
    ["a\n\n", 2, "a7da489976d0047490617adb4f7a1f27f7af8b52a5176fd002ffe471863520ab"],
    ["a\r\nb\r\n", 2, "58055bdcc73787eb88c78d36f0b4939e9c5dc1c3ad17e25cc85a6833cf1a0cab"],
    ["a\rb", 1, "af9081672dd5ef3247a30c2db5b0dafcc9bcf981a26aefb3c55d210d43fcc14e"],
    [
      Uint8Array.of(0xef, 0xbb, 0xbf, 0x61, 0x0a),
      1,
      "be4fccb045869c7ad387b9081a44cfd495b37efc020da4b44542de0d980c747f",
    ],
  ])("MCP-012 MCP-031 counts the lines of %j and gives the hash of its bytes", async (content, totalLines, hash) => {
    const path = `/table/${hash}`;
    await root.create(path, content);
    const text = typeof content === "string" ? content : "\ufeffa\n";
    expect(await root.read(path)).toEqual({ content: text, hash, total_lines: totalLines });
  });

  it.each<[readonly [number, number] | undefined, string]>([
    [undefined, five],
    [[1, 0], five],
    [[0, 0], five],
    [[-5, 0], five],
    [[-9, 0], five],
    [[1, 3], "l1\nl2\n"],
    [[0, 3], "l1\nl2\n"],
    [[1, 2], "l1\n"],
    [[0, 5], "l1\nl2\nl3\nl4\n"],
    [[1, -1], "l1\nl2\nl3\nl4\n"],
    [[2, 99], "l2\nl3\nl4\nl5\n"],
    [[5, 6], "l5\n"],
    [[5, 0], "l5\n"],
    [[-1, 0], "l5\n"],
    [[-2, 0], "l4\nl5\n"],
    [[-3, 0], "l3\nl4\nl5\n"],
    [[-3, -1], "l3\nl4\n"],
    [[5, 5], ""],
    [[3, 2], ""],
    [[6, 0], ""],
    [[6, 6], ""],
    [[99, 0], ""],
    [[0, -5], ""],
    [[0, -9], ""],
    [[-1, -1], ""],
    [[Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER], five],
  ])(
    "MCP-040 MCP-041 MCP-042 gives the lines %j of five as %j, with the hash and the count of the whole file",
    async (lines, content) => {
      expect(await root.read("/five", lines)).toEqual({ content, hash: fiveHash, total_lines: 5 });
    },
  );

  it("MCP-012 adds no newline to a last line that has none, and consecutive reads join to the file", async () => {
    expect((await root.read("/open", [2, 0])).content).toBe("l2");
    expect((await root.read("/open", [-1, 0])).content).toBe("l2");
    const parts = await Promise.all([1, 2, 3, 4, 5].map((line) => root.read("/five", [line, line + 1])));
    expect(parts.map(({ content }) => content).join("")).toBe(five);
  });

  it("MCP-050 MCP-052 says that nothing is there, naming the parent, or the deepest ancestor where that is missing too", async () => {
    const message = (path: string, listed: string) =>
      `${path} does not exist. Call file.list with path "${listed}" to see what is there, or create it with file.create.`;
    for (const [path, listed] of [
      ["/absent", "/"],
      ["/table/absent", "/table"],
      ["/table/absent/too", "/table"],
      ["/x/y/z", "/"],
      ["/five/below", "/"],
    ] as const) {
      expect(await root.refused("text.read", { path })).toEqual({
        code: "NOT_FOUND",
        message: message(path, listed),
        details: { path },
      });
    }
  });

  it("MCP-052 refuses a directory and the root, and says what to use", async () => {
    for (const path of ["/table", "/"]) {
      for (const tool of ["text.read", "text.append", "text.replace", "text.insert"] as const) {
        const more = {
          "text.read": {},
          "text.append": { content: "x" },
          "text.replace": { lines: [1, 0], old: "x", new: "y" },
          "text.insert": { line: 1, anchor: "x", content: "y" },
        }[tool];
        const hash = tool === "text.read" ? {} : { hash: fiveHash };
        expect(await root.refused(tool, { path, ...hash, ...more })).toEqual({
          code: "INVALID_ARGUMENT",
          message: `${path} is a directory; ${tool} works on files; see what is in it with file.list.`,
          details: { argument: "path", path },
        });
      }
    }
  });
});
