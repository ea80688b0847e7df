// All 142 cases of the line model through the real tools: the file is stored, the tool is called, and the file is read back.
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { TextRoot, type TextTool } from "./text-root";

interface Vector {
  readonly id: string;
  readonly name: string;
  readonly op: TextTool;
  readonly text?: string;
  readonly bytes_base64?: string;
  readonly file_sha256: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly expect: { content?: string; text?: string; hash?: string; total_lines?: number; error?: string };
}

const rules: Partial<Record<TextTool, string>> = {
  "text.read": "MCP-012 MCP-040",
  "text.replace": "MCP-013 MCP-045",
  "text.insert": "MCP-014 MCP-046",
  "text.append": "MCP-015",
};

// Read, not imported: bundlers refuse JSON with lone surrogates.
const { cases } = JSON.parse(readFileSync(new URL("../vectors/lines.json", import.meta.url), "utf8")) as {
  cases: Vector[];
};

let root: TextRoot;
beforeAll(async () => {
  root = await TextRoot.signIn();
});

describe("the vectors of lines.json over MCP", () => {
  it("are complete", () => expect(cases).toHaveLength(142));

  it.each(cases.map((vector) => [vector.id, rules[vector.op], vector.op, vector.name, vector] as const))(
    "%s (%s) %s: %s",
    async (id, _rules, op, _name, vector) => {
      const path = `/vectors/${id}`;
      const hash = await root.create(path, vector.text ?? Buffer.from(vector.bytes_base64 ?? "", "base64"));
      expect(hash).toBe(vector.file_sha256);
      const args = { path, ...(op !== "text.read" && { hash }), ...vector.args };
      const { isError, value } = await root.result(op, args);
      if (vector.expect.error !== undefined) {
        expect(value).toMatchObject({ error: { code: vector.expect.error } });
        // Nothing was changed: the hash still stands.
        await root.ok("file.remove", { path, hash });
        return;
      }
      expect(isError, JSON.stringify(value)).toBe(false);
      const { content, text, hash: wantedHash, total_lines } = vector.expect;
      if (op === "text.read") return expect(value).toEqual({ content, hash: wantedHash, total_lines });
      expect(value).toEqual({ hash: wantedHash, total_lines });
      expect(await root.read(path)).toEqual({ content: text, hash: wantedHash, total_lines });
    },
  );
});
