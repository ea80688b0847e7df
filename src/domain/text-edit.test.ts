/** replace, insert and append: against a reference over arrays of lines, and the wording of every LINE_MISMATCH. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { counts, seed } from "../../test/counts";
import { countLines, type LineRange, resolveRange, sliceLines, splitLines } from "./lines";
import type { RootPath } from "./path";
import { parseAnchor, parseHash, parseLineNumber, parseRange, parseText } from "./text-arguments";
import { appendText, insertLines, replaceLines } from "./text-edit";

const path = "/notes/a.md" as RootPath;
const F = "l1\nl2\nl3\nl4\nl5\n";

function replaceError(text: string, lines: LineRange, old: string) {
  const result = replaceLines(path, text, { lines, old, new: "q" });
  if (result.ok) throw new Error("it matched");
  expect(result.error.code).toBe("LINE_MISMATCH");
  return result.error;
}

function insertError(text: string, line: number, anchor: string) {
  const result = insertLines(path, text, { line, anchor, content: "q" });
  if (result.ok) throw new Error("it matched");
  return result.error;
}

const words = fc.constantFrom("a", "a", "b", "", "a\r", "é");
const texts = fc
  .tuple(fc.array(words, { maxLength: 9 }), fc.boolean())
  .map(([lines, open]) => (lines.length === 0 ? "" : lines.join("\n") + (open ? "" : "\n")));
const runs = fc
  .tuple(fc.array(words, { minLength: 1, maxLength: 3 }), fc.boolean())
  .map(([lines, open]) => lines.join("\n") + (open ? "" : "\n"));
const numbers = fc.integer({ min: -11, max: 11 });

/** The spec in few words, over lines with their terminators. */
function referenceReplace(text: string, [start, end]: LineRange, old: string, replacement: string): string | null {
  const all = text.match(/[^\n]*\n|[^\n]+/g) ?? [];
  const from = start > 0 ? start - 1 : start === 0 ? 0 : Math.max(0, all.length + start);
  const to = Math.min(all.length, end > 0 ? end - 1 : end === 0 ? all.length : Math.max(0, all.length + end));
  const wanted = old.replace(/\n$/, "").split("\n");
  const at: number[] = [];
  for (let i = from; i + wanted.length <= to; i++)
    if (wanted.every((line, k) => all[i + k]?.replace(/\n$/, "") === line)) at.push(i);
  const [only] = at;
  if (only === undefined || at.length > 1) return null;
  const open = all[only + wanted.length - 1]?.endsWith("\n") === false;
  const body = replacement === "" || replacement.endsWith("\n") || open ? replacement : `${replacement}\n`;
  return all.slice(0, only).join("") + body + all.slice(only + wanted.length).join("");
}

describe("text.replace", () => {
  it(`MCP-013 MCP-045: replaces as the reference does, in ${counts.lineCases} generated cases`, () => {
    let replaced = 0;
    fc.assert(
      fc.property(
        texts,
        numbers,
        numbers,
        runs,
        fc.oneof(runs, fc.constant("")),
        (text, start, end, old, replacement) => {
          const wanted = referenceReplace(text, [start, end], old, replacement);
          const result = replaceLines(path, text, { lines: [start, end], old, new: replacement });
          if (!result.ok)
            return wanted === null && result.error.code === "LINE_MISMATCH" && result.error.message.length > 20;
          replaced++;
          return result.value.text === wanted && result.value.totalLines === countLines(wanted);
        },
      ),
      { seed, numRuns: counts.lineCases },
    );
    expect(replaced).toBeGreaterThan(counts.lineCases / 50);
  });

  it("MCP-045 MCP-052: names the one line of the range and what it contains", () => {
    const error = replaceError(F, [2, 3], "x");
    expect(error.message).toBe('Line 2 contains "l2", not "x".');
    expect(error.details).toEqual({ path, total_lines: 5 });
  });

  it("MCP-052: says that the range is empty", () => {
    expect(replaceError(F, [3, 3], "l3").message).toBe(
      "lines [3, 3] selects no line of /notes/a.md, which has 5 lines (end is exclusive, 0 means open-ended).",
    );
  });

  it("MCP-045: tells where the lines stand when the range misses them", () => {
    expect(replaceError(F, [3, 5], "l2").message).toBe(
      'The 1 line(s) of "old" do not stand together within lines 3 to 4 of /notes/a.md. They stand at line 2, outside the range; widen "lines".',
    );
    expect(replaceError(F, [1, 3], "l2\nl3").message).toBe(
      'The 2 line(s) of "old" do not stand together within lines 1 to 2 of /notes/a.md. They stand at line 2, outside the range; widen "lines".',
    );
  });

  it("MCP-052: shows the differing line at the longest matching prefix, the lowest first", () => {
    expect(replaceError("a\nx\na\nb\ny\na\nb\nz\n", [1, 0], "a\nb\nc").message).toBe(
      'The 3 line(s) of "old" do not stand together within lines 1 to 8 of /notes/a.md. Line 5 differs: it contains "y", not "c".',
    );
    expect(replaceError("a\n", [1, 0], "a\nb").message).toBe(
      'The 2 line(s) of "old" do not stand together within lines 1 to 1 of /notes/a.md.',
    );
  });

  it("MCP-045: says that part of a line is not a line", () => {
    expect(replaceError(F, [1, 0], "l").message).toBe(
      'The 1 line(s) of "old" do not stand together within lines 1 to 5 of /notes/a.md. "old" must be whole lines; line 1 only contains that text: "l1".',
    );
    expect(replaceError(F, [3, 0], "4").message).toContain('line 4 only contains that text: "l4".');
  });

  it("MCP-045: lists several places, twenty at most", () => {
    const error = replaceError("a\na\n", [1, 0], "a");
    expect(error.message).toBe(
      '"old" matches at lines 1, 2 within lines 1 to 2. Narrow "lines" to one of them, or include more neighbouring lines in "old".',
    );
    expect(error.details).toEqual({ path, total_lines: 2, found_at: [1, 2] });
    const many = replaceError("a\n".repeat(30), [1, 0], "a");
    expect(many.details?.found_at).toHaveLength(20);
    expect(many.message).toContain("19, 20, … within lines 1 to 30");
  });

  it("MCP-052: points at what the eye cannot see", () => {
    expect(replaceError("a\r\nb\r\n", [1, 2], "a").message).toBe(
      'Line 1 contains "a\\r", not "a". (the line ends with \\r)',
    );
    expect(replaceError("a \nb\n", [1, 2], "a").message).toContain("(blanks differ)");
    expect(replaceError("\ufeffa\nb\n", [1, 2], "a").message).toContain("(the line begins with a byte order mark)");
    expect(replaceError("x\na\r\nb\r\n", [1, 0], "a\nb").message).toContain(
      'Line 2 differs: it contains "a\\r", not "a". (the line ends with \\r)',
    );
    expect(replaceError("banana\na\r\n", [1, 0], "a").message).toContain(
      'line 2 only contains that text: "a\\r". (the line ends with \\r)',
    );
  });

  it("MCP-052: quotes 120 code points of a line and no more", () => {
    const { message } = replaceError(`${"😀".repeat(500)}\n`, [1, 2], "x");
    expect(message).toBe(`Line 1 contains "${"😀".repeat(120)}…", not "x".`);
  });

  it("stays linear on a text that repeats one line", () => {
    const started = performance.now();
    const error = replaceError("a\n".repeat(1_000_000), [1, 0], `${"a\n".repeat(500_000)}b`);
    expect(error.message).toContain('Line 500001 differs: it contains "a", not "b".');
    expect(performance.now() - started).toBeLessThan(5000);
  });

  it("MCP-052: looks for what comes near in linear time, however long the lines of old and file are", () => {
    const started = performance.now();
    const manyLines = replaceError("x y\n".repeat(100_000), [1, 0], "a b".repeat(10_000));
    expect(manyLines.message).toMatch(/within lines 1 to 100000 of \/notes\/a\.md\.$/);
    const half = "a".repeat(50_000);
    const longLine = replaceError(`${"a".repeat(4_000_000)}\nz\n`, [1, 0], `${half}b${half}`);
    expect(longLine.message).toMatch(/within lines 1 to 2 of \/notes\/a\.md\.$/);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

describe("text.insert", () => {
  it("MCP-014 MCP-046: inserts before the line that the anchor confirms, as the reference does", () => {
    fc.assert(
      fc.property(texts, numbers, words, fc.oneof(runs, fc.constant("")), (text, line, anchor, content) => {
        const all = text.match(/[^\n]*\n|[^\n]+/g) ?? [];
        const at = line > 0 ? line - 1 : all.length + line;
        const fits = all[at]?.replace(/\n$/, "") === anchor;
        const result = insertLines(path, text, { line, anchor, content });
        if (!result.ok) return !fits;
        const body = content === "" || content.endsWith("\n") ? content : `${content}\n`;
        const wanted = all.slice(0, at).join("") + body + all.slice(at).join("");
        return fits && result.value.text === wanted && result.value.totalLines === countLines(wanted);
      }),
      { seed, numRuns: counts.lineCases },
    );
  });

  it("MCP-046 MCP-052: shows the line there and where the anchor stands", () => {
    const error = insertError(F, 2, "l3");
    expect(error.message).toBe('Line 2 contains "l2", not "l3". That text is on line 3. Nothing was changed.');
    expect(error.details).toEqual({ path, total_lines: 5, line: 2, found_at: [3] });
    expect(insertError("a\nb\na\n", -2, "a").message).toBe(
      'Line 2 contains "b", not "a". That text is on lines 1, 3. Nothing was changed.',
    );
    expect(insertError(F, 2, "zz").message).toBe('Line 2 contains "l2", not "zz". Nothing was changed.');
  });

  it("MCP-046: a line that does not exist", () => {
    expect(insertError(F, 6, "").message).toBe(
      "Line 6 does not exist: /notes/a.md has 5 lines. Use a line from 1 to 5 (or -1 to -5), or text.append to add at the end.",
    );
    expect(insertError(F, -6, "l1").message).toContain("Line -6 does not exist");
    for (const line of [2 ** 63, -1e20]) {
      expect(parseLineNumber(line)).toEqual({ ok: true, value: line });
      expect(insertError(F, line, "l1").message).toContain(`Line ${line} does not exist`);
    }
    expect(insertError("", 1, "").message).toBe("/notes/a.md is empty. Use text.append.");
  });
});

describe("text.append", () => {
  it("MCP-015: begins on a line of its own and adds the content verbatim", () => {
    fc.assert(
      fc.property(texts, fc.oneof(runs, fc.constant("")), (text, content) => {
        const glue = content !== "" && text !== "" && !text.endsWith("\n") ? "\n" : "";
        const result = appendText(text, content);
        return result.text === text + glue + content && result.totalLines === countLines(result.text);
      }),
      { seed, numRuns: 5000 },
    );
  });
});

describe("arguments", () => {
  const message = (result: { ok: true } | { ok: false; error: { code: string; message: string } }) =>
    result.ok ? "ok" : result.error.message;

  it("MCP-040: a range is two integers", () => {
    expect(message(parseRange([1.5, 3]))).toBe("lines: [1.5, 3] has a non-integer; give two integers [start, end).");
    for (const bad of [[1], [1, 2, 3], ["1", "2"], "1-2", null, undefined, {}, [1, Number.NaN], [1, null]])
      expect(parseRange(bad).ok).toBe(false);
    expect(parseRange([-1, 0])).toEqual({ ok: true, value: [-1, 0] });
    // Integers beyond what a number holds exactly are cut to the file like any other.
    expect(parseRange([-1e20, 2 ** 63])).toEqual({ ok: true, value: [-1e20, 2 ** 63] });
    expect(sliceLines(splitLines(F), resolveRange([-1e20, 2 ** 63], 5))).toBe(F);
  });

  it("MCP-046: line 0 and an anchor of several lines are refused", () => {
    for (const bad of [0, 1.5, "1", null, undefined]) expect(parseLineNumber(bad).ok).toBe(false);
    expect(message(parseAnchor("a\nb"))).toContain("has 2 lines");
    expect(parseAnchor("a\n")).toEqual({ ok: true, value: "a" });
    expect(parseAnchor("")).toEqual({ ok: true, value: "" });
  });

  it("MCP-031: refuses text that would not be stored as it is", () => {
    for (const bad of ["\ud800", "x\udfff", "a\0b", 7, null]) expect(parseText(bad, "new").ok).toBe(false);
    expect(message(parseText("ab\0", "new"))).toBe(
      "new: the text has a NUL character at offset 2; give text without U+0000.",
    );
  });

  it("MCP-032: a hash of another form is a mistake, not a stale version", () => {
    const hash = "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03";
    expect(parseHash(hash).ok).toBe(true);
    for (const bad of [hash.toUpperCase(), `sha256:${hash}`, hash.slice(1), `${hash}\n`, "", undefined])
      expect(parseHash(bad).ok).toBe(false);
  });
});
