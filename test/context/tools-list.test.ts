// What tools/list says of the context family (context.md, contract.md): order, annotations, schemas.
import { beforeAll, describe, expect, it } from "vitest";
import { ContextRoot, eras } from "./context-root";

describe.each(eras)("tools/list in %s", (era) => {
  let root: ContextRoot;
  beforeAll(async () => {
    root = await ContextRoot.signIn({ era });
  });

  it("seed 004 has context.resolve, context.list_caches and context.inspect_cache, and ours after them", () => {
    expect(root.tools.map(({ name }) => name)).toEqual([
      "context.resolve",
      "context.list_caches",
      "context.inspect_cache",
      "context.plan",
      "context.build_cache",
      "context.verify_cache",
    ]);
  });

  it("has titles, short descriptions and annotations", () => {
    for (const { name, title, description, annotations } of root.tools) {
      const builds = name === "context.build_cache";
      expect(annotations).toEqual({
        title,
        readOnlyHint: !builds,
        destructiveHint: builds,
        idempotentHint: true,
        openWorldHint: false,
      });
      expect(description.length).toBeLessThan(250);
    }
  });

  it("seed 004 tells the inputs: cache, query and budget of at least 0; none for list_caches", () => {
    const schema = (name: string) => root.tools.find((tool) => tool.name === `context.${name}`)?.inputSchema;
    for (const name of ["resolve", "plan"]) {
      expect(schema(name)).toMatchObject({
        type: "object",
        required: ["cache", "query", "budget"],
        properties: {
          cache: { type: "string" },
          query: { type: "string" },
          budget: { type: "integer", minimum: 0 },
        },
      });
      expect(schema(name)).not.toHaveProperty("additionalProperties");
    }
    expect(schema("list_caches")).toEqual({ type: "object", properties: {} });
    expect(schema("inspect_cache")?.required).toEqual(["cache"]);
    for (const name of ["build_cache", "verify_cache"]) {
      expect(schema(name)).toMatchObject({ required: ["cache"], additionalProperties: false });
    }
    expect(Object.entries(schema("build_cache")?.properties ?? {}).map(([name, one]) => [name, one.default])).toEqual([
      ["cache", undefined],
      ["sources", "/"],
      ["snapshot_id", undefined],
      ["include", ["**/*.md"]],
      ["exclude", []],
      ["force", false],
      ["on_invalid_utf8", "error"],
      ["on_duplicate_content", "error"],
      ["dry_run", false],
    ]);
  });

  it("has an error branch in every output schema, without details in those of the seed and of plan", () => {
    for (const { name, outputSchema } of root.tools) {
      const error = outputSchema.oneOf.at(-1) as {
        properties: { error: { properties: object; additionalProperties: boolean } };
      };
      const known = Object.keys(error.properties.error.properties);
      const isOurs = name === "context.build_cache" || name === "context.verify_cache";
      expect(known).toEqual(isOurs ? ["code", "message", "details"] : ["code", "message"]);
      expect(error.properties.error.additionalProperties).toBe(false);
    }
  });

  it("names are called with underscores too", async () => {
    const { body } = await root.files.call("context_list_caches", {});
    expect(body.result.content[0].text).toBe('{"caches":[]}');
  });
});
