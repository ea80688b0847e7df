// text.replace, text.insert and text.append: the table of text.md §7, each edit read back, and the chain of hashes.
import { beforeAll, describe, expect, it } from "vitest";
import { eras, TextRoot, type TextTool } from "./text-root";

const F = "l1\nl2\nl3\nl4\nl5\n";
type Case = readonly [before: string, tool: TextTool, args: object, after: string, totalLines: number, hash?: string];

const replace = (lines: readonly [number, number], old: string, text: string) => ({ lines, old, new: text });
const insert = (line: number, anchor: string, content: string) => ({ line, anchor, content });

const replaces: Case[] = [
  [
    F,
    "text.replace",
    replace([2, 3], "l2", "L2"),
    "l1\nL2\nl3\nl4\nl5\n",
    5,
    "3737b667370a302681c90f375de968bccaa3d3cc3638a2c969c9138192544287",
  ],
  [F, "text.replace", replace([2, 3], "l2\n", "L2\n"), "l1\nL2\nl3\nl4\nl5\n", 5],
  [
    F,
    "text.replace",
    replace([1, 0], "l2\nl3", "X"),
    "l1\nX\nl4\nl5\n",
    4,
    "58377f1dc7cfa3fc668aad821206c655e6dc116c998ca20dfa3b007c1dfb3550",
  ],
  [
    F,
    "text.replace",
    replace([1, 0], "l2", ""),
    "l1\nl3\nl4\nl5\n",
    4,
    "c711bae09ecc8a7f4903ae095e2aa595c888c559b029c0747c613c63e3c669ff",
  ],
  [
    F,
    "text.replace",
    replace([1, 0], "l2", "\n"),
    "l1\n\nl3\nl4\nl5\n",
    5,
    "638e1bbb612db141e3165706390fd1e0e688c69a175d09cc00d2227630104ab2",
  ],
  [
    F,
    "text.replace",
    replace([1, 0], "l2", "x\ny\nz"),
    "l1\nx\ny\nz\nl3\nl4\nl5\n",
    7,
    "4726c73918642d50bba34166dc681d4817217b9ef91c2645481e979e96a00a80",
  ],
  ["a\na\n", "text.replace", replace([2, 3], "a", "b"), "a\nb\n", 2],
  [
    "x\ny",
    "text.replace",
    replace([2, 3], "y", "z"),
    "x\nz",
    2,
    "8d3286062e9e31701fb6a2d28e04565e842e78f1c4efdefbb3813f442ceae4ba",
  ],
  [
    "x\ny",
    "text.replace",
    replace([2, 3], "y", "z\n"),
    "x\nz\n",
    2,
    "8b0451450fa20031acfb3fedca57e1c58e3b503e97cfd2ce42d1b1745d81416e",
  ],
  ["x\ny", "text.replace", replace([2, 3], "y", ""), "x\n", 1],
  [
    "a\r\nb\r\n",
    "text.replace",
    replace([1, 2], "a\r", "A\r"),
    "A\r\nb\r\n",
    2,
    "db132d02dff32786fc8827c74745d03b2ae0e837adf209e5de77f904d6fb6fca",
  ],
  [
    "a\n\nb\n",
    "text.replace",
    replace([2, 3], "", "mid"),
    "a\nmid\nb\n",
    3,
    "c12409be8c166553de2692797597b88bae08c0ce657c1b7bb9d4f90fc298d83e",
  ],
  ["a\nb\n", "text.replace", replace([-1, 0], "b", "c"), "a\nc\n", 2],
  ["a\nb\n", "text.replace", replace([1, 0], "a\nb", ""), "", 0],
];

const inserts: Case[] = [
  [
    F,
    "text.insert",
    insert(1, "l1", "top"),
    `top\n${F}`,
    6,
    "0497bfe33cd2cac6c7fc410d5afa5424ff28a1178909721b0c937dde3a502965",
  ],
  [
    F,
    "text.insert",
    insert(3, "l3", "a\nb"),
    "l1\nl2\na\nb\nl3\nl4\nl5\n",
    7,
    "9ebbf3aa463545f1230b29f16234d5ea4fbe2d1384b15318568751009e933da9",
  ],
  [F, "text.insert", insert(3, "l3\n", "a\nb\n"), "l1\nl2\na\nb\nl3\nl4\nl5\n", 7],
  [
    F,
    "text.insert",
    insert(-1, "l5", "x"),
    "l1\nl2\nl3\nl4\nx\nl5\n",
    6,
    "1b68646637ac49eb0fdb7c005f43d8055a99b148bafdf365a248c2ab7f38bd94",
  ],
  ["\n", "text.insert", insert(1, "", "x"), "x\n\n", 2],
  ["a", "text.insert", insert(1, "a", "x"), "x\na", 2],
  [F, "text.insert", insert(2, "l2", ""), F, 5],
];

const appends: Case[] = [
  ["", "text.append", { content: "x" }, "x", 1],
  ["a", "text.append", { content: "b\n" }, "a\nb\n", 2],
  [
    "a",
    "text.append",
    { content: "b\nc\n" },
    "a\nb\nc\n",
    3,
    "880553fca8fcea94e325ee2cfb48e5a985cc797f39a14cc6d3cedecfeb2ae4d2",
  ],
  ["a", "text.append", { content: "" }, "a", 1],
  ["a\n", "text.append", { content: "b" }, "a\nb", 2],
  ["a\n", "text.append", { content: "\n" }, "a\n\n", 2],
];

let root: TextRoot;
let files = 0;
beforeAll(async () => {
  root = await TextRoot.signIn();
});

async function edit([before, tool, args, after, totalLines, wanted]: Case): Promise<void> {
  files += 1;
  const path = `/edits/${files}`;
  const hash = await root.create(path, before);
  const edited = await root.ok(tool, { path, hash, ...args });
  expect(edited).toEqual({ hash: wanted ?? expect.any(String), total_lines: totalLines });
  expect(await root.read(path)).toEqual({ content: after, ...edited });
  // MCP-033: the new hash is good for the next call, without another read.
  await root.ok("file.remove", { path, hash: (edited as { hash: string }).hash });
}

describe("edits", () => {
  it.each(replaces.map((one) => [one[0], one[2], one[3], one] as const))(
    "MCP-013 MCP-033 MCP-045 replaces in %j by %j: %j",
    (_before, _args, _after, one) => edit(one),
  );
  it.each(inserts.map((one) => [one[0], one[2], one[3], one] as const))(
    "MCP-014 MCP-033 MCP-046 inserts into %j by %j: %j",
    (_before, _args, _after, one) => edit(one),
  );
  it.each(appends.map((one) => [one[0], one[2], one[3], one] as const))(
    "MCP-015 MCP-033 appends to %j by %j: %j",
    (_before, _args, _after, one) => edit(one),
  );

  it("an edit that changes nothing succeeds with the same hash", async () => {
    const path = "/same";
    const hash = await root.create(path, "a\nb\n");
    expect(await root.ok("text.replace", { path, hash, ...replace([1, 0], "a", "a") })).toEqual({
      hash,
      total_lines: 2,
    });
    expect(await root.ok("text.append", { path, hash, content: "" })).toEqual({ hash, total_lines: 2 });
    expect(await root.ok("text.insert", { path, hash, ...insert(1, "a", "") })).toEqual({ hash, total_lines: 2 });
  });
});

describe.each(eras)("a chain of edits in %s", (era) => {
  it("MCP-032 MCP-033 goes from create to remove on returned hashes alone", async () => {
    const one = await TextRoot.signIn({ era });
    const path = "/chain.md";
    let hash = await one.create(path, "");
    const step = async (tool: "text.append" | "text.insert" | "text.replace", args: object, totalLines: number) => {
      const edited = await one.ok(tool, { path, hash, ...args });
      expect(edited.total_lines).toBe(totalLines);
      expect(edited.hash).not.toBe(hash);
      hash = edited.hash;
    };
    await step("text.append", { content: "# Title\n" }, 1);
    await step("text.append", { content: "text\nmore" }, 3);
    await step("text.insert", insert(2, "text", "before\n"), 4);
    await step("text.replace", replace([-1, 0], "more", "less"), 4);
    await step("text.replace", replace([1, 0], "before\ntext", "both"), 3);
    expect(await one.read(path)).toEqual({ content: "# Title\nboth\nless", hash, total_lines: 3 });
    expect(await one.ok("file.remove", { path, hash })).toEqual({});
  });
});
