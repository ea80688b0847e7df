/** The 142 cases of the spec against the pure functions, in the check order of text.md §4.2. Not here: paths, hashes cited, storage. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { sha256Hex } from "./hash";
import { readDefaultMaxBytes } from "./limits";
import { firstLineBeyond, resolveRange, sliceLines, splitLines } from "./lines";
import type { RootPath } from "./path";
import { err, ok, type Result } from "./result";
import { parseAnchor, parseLineNumber, parseRange, parseText } from "./text-arguments";
import { appendText, type Edited, insertLines, replaceLines } from "./text-edit";
import { notText, type TextError } from "./text-errors";
import { decodeText } from "./text-kind";

interface Vector {
  readonly id: string;
  readonly name: string;
  readonly op: string;
  readonly text?: string;
  readonly bytes_base64?: string;
  readonly file_sha256: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly expect: { content?: string; text?: string; hash?: string; total_lines?: number; error?: string };
}

const path = "/f" as RootPath;
const rules: Record<string, string> = {
  "text.read": "MCP-012 MCP-040",
  "text.replace": "MCP-013 MCP-045",
  "text.insert": "MCP-014 MCP-046",
  "text.append": "MCP-015",
};

function run({ op, args }: Vector, bytes: Uint8Array): Result<Omit<Edited, "splice">, TextError> {
  const range = "lines" in args ? parseRange(args.lines) : ok([1, 0] as const);
  if (!range.ok) return range;
  for (const name of ["old", "new", "content"]) {
    const text = name in args ? parseText(args[name], name) : ok("");
    if (!text.ok) return text;
  }
  const anchor = op === "text.insert" ? parseAnchor(args.anchor) : ok("");
  if (!anchor.ok) return anchor;
  const line = op === "text.insert" ? parseLineNumber(args.line) : ok(1);
  if (!line.ok) return line;
  const text = decodeText(bytes);
  if (!text.ok) return err(notText(path, text.error.why, text.error.offset));
  if (op === "text.replace")
    return replaceLines(path, text.value, { lines: range.value, old: args.old as string, new: args.new as string });
  if (op === "text.insert")
    return insertLines(path, text.value, { line: line.value, anchor: anchor.value, content: args.content as string });
  if (op === "text.append") return ok(appendText(text.value, args.content as string));
  const lines = splitLines(text.value);
  if (!("lines" in args)) expect(firstLineBeyond(lines, readDefaultMaxBytes)).toBeNull();
  return ok({ text: sliceLines(lines, resolveRange(range.value, lines.count)), totalLines: lines.count });
}

describe("the vectors of lines.json", () => {
  // Read, not imported: bundlers refuse JSON with lone surrogates.
  const { cases } = JSON.parse(readFileSync(new URL("../../test/vectors/lines.json", import.meta.url), "utf8")) as {
    cases: Vector[];
  };
  it("are complete", () => expect(cases).toHaveLength(142));

  it.each(cases.map((vector) => [vector.id, rules[vector.op], vector.op, vector.name, vector] as const))(
    "%s (%s) %s: %s",
    (_id, _rules, _op, _name, vector) => {
      const bytes =
        vector.bytes_base64 === undefined
          ? new TextEncoder().encode(vector.text)
          : Uint8Array.from(atob(vector.bytes_base64), (c) => c.charCodeAt(0));
      expect(sha256Hex(bytes)).toBe(vector.file_sha256);
      const result = run(vector, bytes);
      if (!result.ok) return expect(result.error.code).toBe(vector.expect.error);
      expect(result.value.text).toBe(vector.expect.text ?? vector.expect.content);
      expect(result.value.totalLines).toBe(vector.expect.total_lines);
      expect(vector.op === "text.read" ? vector.file_sha256 : sha256Hex(result.value.text)).toBe(vector.expect.hash);
    },
  );
});
