// LINE_MISMATCH in words (text.md §7.7), word for word through the tools. Nothing is changed by a refused edit.
import { beforeAll, describe, expect, it } from "vitest";
import { TextRoot, type TextTool } from "./text-root";

const F = "l1\nl2\nl3\nl4\nl5\n";
const path = "/f";

let root: TextRoot;
let user = 0;
beforeAll(async () => {
  root = await TextRoot.signIn();
});

/** Stores the text under a name of its own, tries the edit, and gives the refusal as if the file were /f. */
async function refusal(
  text: string,
  tool: TextTool,
  args: object,
): Promise<{ message: string; details: Record<string, unknown> }> {
  user += 1;
  const own = `/messages/${user}`;
  const hash = await root.create(own, text);
  const { code, message, details } = await root.refused(tool, { path: own, hash, ...args });
  expect((await root.read(own)).hash).toBe(hash);
  expect(code).toBe("LINE_MISMATCH");
  expect(details?.path).toBe(own);
  return { message: message.replaceAll(own, path), details: { ...details, path } };
}

describe("text.insert refused", () => {
  const insert = (text: string, line: number, anchor: string) =>
    refusal(text, "text.insert", { line, anchor, content: "x" });

  it.each([
    [F, 2, "nowhere", 'Line 2 contains "l2", not "nowhere". Nothing was changed.', 2, []],
    [F, 2, "l3", 'Line 2 contains "l2", not "l3". That text is on line 3. Nothing was changed.', 2, [3]],
    [F, -1, "l1", 'Line 5 contains "l5", not "l1". That text is on line 1. Nothing was changed.', 5, [1]],
    ["a\nb\nb\n", 1, "b", 'Line 1 contains "a", not "b". That text is on lines 2, 3. Nothing was changed.', 1, [2, 3]],
    ["a\r\n", 1, "a", 'Line 1 contains "a\\r", not "a". (the line ends with \\r) Nothing was changed.', 1, []],
    [" a\n", 1, "a", 'Line 1 contains " a", not "a". (blanks differ) Nothing was changed.', 1, []],
    [
      "\ufeffa\n",
      1,
      "a",
      'Line 1 contains "\ufeffa", not "a". (the line begins with a byte order mark) Nothing was changed.',
      1,
      [],
    ],
  ])("MCP-046 MCP-052 %j, line %i, anchor %j: %s", async (text, line, anchor, message, at, foundAt) => {
    expect(await insert(text, line, anchor)).toEqual({
      message,
      details: { path, total_lines: text.split("\n").length - 1, line: at, found_at: foundAt },
    });
  });

  it("MCP-046 names at most 20 places and cuts a quoted line at 120 characters", async () => {
    const { message, details } = await insert(`${"😀".repeat(200)}\n${"x\n".repeat(50)}`, 1, "x");
    const places = Array.from({ length: 20 }, (_, index) => index + 2);
    expect(details).toEqual({ path, total_lines: 51, line: 1, found_at: places });
    expect(message).toBe(
      `Line 1 contains "${"😀".repeat(120)}…", not "x". That text is on lines ${places.join(", ")}, …. Nothing was changed.`,
    );
  });

  it.each([6, 99, -6, -99])("MCP-052 line %i of five does not exist", async (line) => {
    expect(await insert(F, line, "l1")).toEqual({
      message: `Line ${line} does not exist: ${path} has 5 lines. Use a line from 1 to 5 (or -1 to -5), or text.append to add at the end.`,
      details: { path, total_lines: 5, line, found_at: [] },
    });
  });

  it.each([1, -1])("MCP-052 an empty file has no line %i", async (line) => {
    expect(await insert("", line, "")).toEqual({
      message: `${path} is empty. Use text.append.`,
      details: { path, total_lines: 0, line, found_at: [] },
    });
  });
});

describe("text.replace refused", () => {
  const replace = (text: string, lines: readonly number[], old: string) =>
    refusal(text, "text.replace", { lines, old, new: "x" });

  it.each([
    [F, [5, 5], "l5", "lines [5, 5] selects no line of /f, which has 5 lines (end is exclusive, 0 means open-ended)."],
    [
      F,
      [-1, -1],
      "l5",
      "lines [-1, -1] selects no line of /f, which has 5 lines (end is exclusive, 0 means open-ended).",
    ],
    ["", [1, 0], "", "lines [1, 0] selects no line of /f, which has 0 lines (end is exclusive, 0 means open-ended)."],
    [F, [2, 3], "l3", 'Line 2 contains "l2", not "l3".'],
    ["a\r\nb\r\n", [1, 2], "a", 'Line 1 contains "a\\r", not "a". (the line ends with \\r)'],
    ["a  b\n", [1, 2], "a b", 'Line 1 contains "a  b", not "a b". (blanks differ)'],
    ["\ufeffa\n", [1, 2], "a", 'Line 1 contains "\ufeffa", not "a". (the line begins with a byte order mark)'],
    [
      F,
      [3, 5],
      "l2",
      'The 1 line(s) of "old" do not stand together within lines 3 to 4 of /f. They stand at line 2, outside the range; widen "lines".',
    ],
    [
      F,
      [1, 3],
      "l2\nl3",
      'The 2 line(s) of "old" do not stand together within lines 1 to 2 of /f. They stand at line 2, outside the range; widen "lines".',
    ],
    [
      F,
      [1, 0],
      "l2\nl9",
      'The 2 line(s) of "old" do not stand together within lines 1 to 5 of /f. Line 3 differs: it contains "l3", not "l9".',
    ],
    [
      "a\nb\nx\na\nb\ny\n",
      [1, 0],
      "a\nb\nz",
      'The 3 line(s) of "old" do not stand together within lines 1 to 6 of /f. Line 3 differs: it contains "x", not "z".',
    ],
    [
      F,
      [1, 0],
      "l",
      'The 1 line(s) of "old" do not stand together within lines 1 to 5 of /f. "old" must be whole lines; line 1 only contains that text: "l1".',
    ],
    [F, [1, 0], "nowhere", 'The 1 line(s) of "old" do not stand together within lines 1 to 5 of /f.'],
  ])("MCP-045 MCP-052 %j, lines %j, old %j: %s", async (text, lines, old, message) => {
    const total = text === "" ? 0 : text.split("\n").length - 1;
    expect(await replace(text, lines, old)).toEqual({ message, details: { path, total_lines: total } });
  });

  it("MCP-045 MCP-052 names every place where old stands, overlapping ones too", async () => {
    expect(await replace("a\na\n", [1, 0], "a")).toEqual({
      message:
        '"old" matches at lines 1, 2 within lines 1 to 2. Narrow "lines" to one of them, or include more neighbouring lines in "old".',
      details: { path, total_lines: 2, found_at: [1, 2] },
    });
    expect((await replace("a\na\na\nb\n", [1, 4], "a\na")).details.found_at).toEqual([1, 2]);
    expect((await replace("x\n".repeat(100), [1, 0], "x")).details.found_at).toHaveLength(20);
  });

  it("MCP-052 quotes at most three lines, each cut at 120 characters", async () => {
    const long = "y".repeat(5000);
    const { message } = await replace(`${long}\n`, [1, 2], "z".repeat(5000));
    expect(message).toBe(`Line 1 contains "${"y".repeat(120)}…", not "${"z".repeat(120)}…".`);
  });
});
