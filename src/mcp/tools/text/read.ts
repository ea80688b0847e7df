import { z } from "zod";
import { ok } from "../../../domain/result";
import { defineTool } from "../../tool";
import { optionalRangeArgument, parseFilePath, pathArgument } from "./arguments";
import { hashOutput } from "./outputs";

const whenRoot = "text.read works on files; see what is in it with file.list";

/** MCP-012. */
export const textRead = defineTool({
  name: "text.read",
  family: "text",
  title: "Read text",
  description:
    "Read a text file, or a range of its lines. The hash that comes with it is what every edit of this file needs.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  input: z.strictObject({ path: pathArgument, lines: optionalRangeArgument }),
  output: z.strictObject({
    content: z.string(),
    hash: hashOutput,
    total_lines: z.int().min(0),
    truncated: z.literal(true).optional(),
    next_line: z.int().optional(),
  }),
  plan(input) {
    const path = parseFilePath(input.path, whenRoot);
    if (!path.ok) return path;
    return ok({
      needs: [{ verb: "read", path: path.value }],
      async run(context) {
        const read = await context.ask((root, caller) => root.readText(caller, path.value, input.lines ?? null));
        if (!read.ok) return read;
        const { content, hash, totalLines, nextLine } = read.value;
        return ok({
          content,
          hash: hash as string,
          total_lines: totalLines,
          ...(nextLine !== null && { truncated: true as const, next_line: nextLine }),
        });
      },
    });
  },
});
