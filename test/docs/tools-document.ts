// docs/tools.md from the registry: what a client is told in tools/list.
import { product } from "../../src/mcp/product";

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly description?: string;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Record<string, Schema>;
  readonly required?: readonly string[];
}

export function toolsDocument(): string {
  const tools = product.tools.list("dotted", product.tools.families);
  return `# Tools

Made from the registry by \`npm run docs\`. Every name also works with underscores in place of dots.

${tools.map(section).join("\n")}`;
}

function section(tool: ReturnType<typeof product.tools.list>[number]): string {
  const { readOnlyHint, destructiveHint, idempotentHint } = tool.annotations ?? {};
  const nature = [
    readOnlyHint ? "reads only" : "writes",
    ...(destructiveHint ? ["can replace or remove"] : []),
    ...(idempotentHint ? ["safe to repeat"] : []),
  ];
  const branches = (tool.outputSchema as { oneOf?: readonly Schema[] } | undefined)?.oneOf ?? [];
  return `## ${tool.name}

**${tool.title}** (${nature.join(", ")}). ${tool.description}

${argumentsTable(tool.inputSchema as Schema)}
${branches
  .slice(0, -1)
  .map((branch) => `Answers with ${fieldsOf(branch)}.\n`)
  .join("\n")}`;
}

function argumentsTable(schema: Schema): string {
  const entries = Object.entries(schema.properties ?? {});
  if (entries.length === 0) return "Takes no arguments.\n";
  const rows = entries.map(([name, one]) => {
    const presence = schema.required?.includes(name)
      ? "required"
      : one.default === undefined
        ? "optional"
        : `\`${JSON.stringify(one.default)}\``;
    return `| \`${name}\` | ${kind(one)} | ${presence} | ${one.description ?? ""} |`;
  });
  return `| argument | type | default | |\n| --- | --- | --- | --- |\n${rows.join("\n")}\n`;
}

function fieldsOf(schema: Schema): string {
  const names = Object.entries(schema.properties ?? {}).map(([name, one]) => {
    const mark = schema.required?.includes(name) ? "" : "?";
    return one.const === undefined ? `\`${name}${mark}\`` : `\`${name}${mark}: ${JSON.stringify(one.const)}\``;
  });
  return names.length === 0 ? "an empty object" : names.join(", ");
}

function kind(schema: Schema): string {
  if (schema.enum !== undefined) return schema.enum.map((word) => `\`${JSON.stringify(word)}\``).join(" or ");
  if (schema.type === "array") return `array of ${kind(schema.items ?? {})}`;
  return String(schema.type ?? "any");
}
