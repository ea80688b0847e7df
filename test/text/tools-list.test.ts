// What tools/list says of the text family (text.md §4.1, §5): order, titles, annotations, descriptions, schemas. The calls themselves stand in other files.
import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, describe, expect, it } from "vitest";
import { eras, type ListedTool, TextRoot } from "./text-root";

const table = [
  // name, title, verb, readOnly, destructive, idempotent, arguments, required ones
  ["file.create", "Create file", "Create", false, false, false, "path content encoding", "path content"],
  ["file.list", "List directory", "List", true, false, true, "path limit offset", ""],
  ["file.remove", "Remove file", "Remove", false, true, true, "path hash", "path hash"],
  ["file.upload_url", "Get upload link", "Make", false, true, false, "path hash sha256 size", "path"],
  ["file.download_url", "Get download link", "Make", true, false, true, "path", "path"],
  ["text.read", "Read text", "Read", true, false, true, "path lines", "path"],
  [
    "text.replace",
    "Replace lines",
    "Replace",
    false,
    true,
    false,
    "path hash lines old new",
    "path hash lines old new",
  ],
  [
    "text.insert",
    "Insert lines",
    "Insert",
    false,
    false,
    false,
    "path hash line anchor content",
    "path hash line anchor content",
  ],
  ["text.append", "Append text", "Append", false, false, false, "path hash content", "path hash content"],
] as const;

const words = (text: string) => text.split(" ").filter((word) => word !== "");

describe.each(eras)("tools/list in %s", (era) => {
  let root: TextRoot;
  let tools: ListedTool[];
  beforeAll(async () => {
    root = await TextRoot.signIn({ era });
    tools = (await root.request("tools/list", {})).body.result.tools;
  });

  it("MCP-001 MCP-003 MCP-004 shows file.* and text.* in the order of the specification, and each once", () => {
    const names = tools.map(({ name }) => name).filter((name) => /^(file|text)[._]/.test(name));
    expect(names).toEqual(table.map(([name]) => name));
    expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
  });

  it.each(table)(
    "MCP-003 MCP-004 %s has its title, description, annotations and arguments",
    (name, title, verb, readOnlyHint, destructiveHint, idempotentHint, properties, required) => {
      const tool = tools.find((one) => one.name === name);
      expect(tool?.title).toBe(title);
      expect(tool?.description).toMatch(new RegExp(`^${verb} .*\\.$`, "s"));
      expect(tool?.annotations).toEqual({
        title,
        readOnlyHint,
        destructiveHint,
        idempotentHint,
        openWorldHint: false,
      });
      expect(tool?.inputSchema.type).toBe("object");
      expect(tool?.inputSchema.additionalProperties).toBe(false);
      expect(Object.keys(tool?.inputSchema.properties ?? {})).toEqual(words(properties));
      expect([...(tool?.inputSchema.required ?? [])].sort()).toEqual(words(required).sort());
    },
  );

  it("tells the type of every argument, the two encodings, the defaults and the bounds (MCP-030, MCP-040)", () => {
    const properties = (name: string) => tools.find((tool) => tool.name === name)?.inputSchema.properties ?? {};
    for (const [name] of table) {
      for (const schema of Object.values(properties(name))) expect(schema.type).toMatch(/^(string|integer|array)$/);
    }
    expect(properties("file.create").encoding).toMatchObject({ enum: ["utf-8", "base64"], default: "utf-8" });
    expect(properties("file.list").path).toMatchObject({ default: "/" });
    expect(properties("file.list").limit).toMatchObject({ minimum: 1, maximum: 10_000, default: 1000 });
    expect(properties("file.list").offset).toMatchObject({ minimum: 0, default: 0 });
    expect(properties("text.read").lines).toMatchObject({ items: { type: "integer" }, minItems: 2, maxItems: 2 });
    expect(properties("text.replace").lines).toMatchObject({ items: { type: "integer" }, minItems: 2, maxItems: 2 });
    expect(properties("text.append").hash).toMatchObject({ pattern: "^[0-9a-f]{64}$" });
  });

  it("has for every tool of the family an output schema of closed branches, the error last, so that an error never passes for a success", () => {
    const error = { error: { code: "NOT_FOUND", message: "…", details: { path: "/a" } } };
    for (const { name, outputSchema } of tools.filter((tool) => /^(file|text)\./.test(tool.name))) {
      expect(outputSchema.type).toBe("object");
      const ajv = new Ajv2020({ strict: true, strictTypes: false, formats: { uuid: true } });
      const accepting = outputSchema.oneOf.map((branch) => ajv.compile(branch)(error));
      const successes = outputSchema.oneOf.slice(1).map(() => false);
      expect(successes.length, name).toBeGreaterThan(0);
      expect(accepting, name).toEqual([...successes, true]);
      expect(ajv.compile(outputSchema)({ ...error, extra: 1 }), name).toBe(false);
      expect(ajv.compile(outputSchema)({ error: { code: "X", message: "…", stack: "…" } }), name).toBe(false);
    }
  });

  it("answers a tool that does not exist with JSON-RPC -32602 and what to call instead (MCP-052)", async () => {
    const { status, body } = await root.call("text.delete", {});
    expect(body.error?.code).toBe(-32602);
    expect(body.error?.message).toBe("Unknown tool: text.delete. Call tools/list to see the tools of this server.");
    expect([200, 400]).toContain(status);
  });

  it("takes the name with an underscore for the same tool", async () => {
    expect((await root.call("text_read", { path: "/absent" })).body.result).toEqual(
      (await root.call("text.read", { path: "/absent" })).body.result,
    );
  });
});
