import { z } from "zod";
import type { Sha256 } from "../../../domain/hash";
import { ok } from "../../../domain/result";
import { defineTool } from "../../tool";
import { optionalRangeArgument, parseFilePath, pathArgument } from "./arguments";
import { hashOutput } from "./outputs";
import { recentReads } from "./recent-reads";

const whenRoot = "text.read works on files; see what is in it with file.list";

const output = z.strictObject({
  content: z.string(),
  hash: hashOutput,
  total_lines: z.int().min(0),
  truncated: z.literal(true).optional(),
  next_line: z.int().optional(),
});

/** MCP-012. */
export const textRead = defineTool({
  name: "text.read",
  family: "text",
  title: "Read text",
  description:
    "Read a text file, or a range of its lines. The hash that comes with it is what every edit of this file needs.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  input: z.strictObject({ path: pathArgument, lines: optionalRangeArgument }),
  output,
  plan(input) {
    const path = parseFilePath(input.path, whenRoot);
    if (!path.ok) return path;
    return ok({
      needs: [{ verb: "read", path: path.value }],
      async run(context) {
        const lines = input.lines ?? null;
        const which = recentReads.keyOf(context.principal.userId, path.value, lines);
        const recent = recentReads.recall(which);
        const known = (recent?.hash ?? null) as Sha256 | null;
        const read = await context.ask((root, caller) => root.readText(caller, path.value, lines, known));
        if (!read.ok) return read;
        if (read.value === null) return ok(recent as z.infer<typeof output>);
        const { content, hash, totalLines, nextLine } = read.value;
        const answer: z.infer<typeof output> = {
          content,
          hash,
          total_lines: totalLines,
          ...(nextLine !== null && { truncated: true as const, next_line: nextLine }),
        };
        recentReads.keep(which, answer);
        return ok(answer);
      },
    });
  },
});
