import { z } from "zod";
import { listDefaultEntries } from "../../../domain/limits";
import { err, ok, type Result } from "../../../domain/result";
import { invalidArgument, isFile, notFound, shown, type TextError } from "../../../domain/text-errors";
import { optionalArgument } from "../../argument";
import { defineTool } from "../../tool";
import { limitArgument, offsetArgument } from "../paging";
import { parsePath } from "./arguments";

/** MCP-020, MCP-021: the tool twin of `list://`, for clients that never read resources. */
export const fileList = defineTool({
  name: "file.list",
  family: "text",
  title: "List directory",
  description: "List the immediate children of a directory: directories first, then files, each in byte order.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  input: z.strictObject({
    path: optionalArgument(
      { type: "string", default: "/", description: "Path of the directory from your root." },
      parseDirectory,
    ),
    limit: limitArgument,
    offset: offsetArgument,
  }),
  output: z.strictObject({
    path: z.string(),
    entries: z.array(z.strictObject({ name: z.string(), type: z.enum(["directory", "file"]) })),
    total: z.int().min(0),
    truncated: z.boolean(),
  }),
  plan(input) {
    const path = parsePath(input.path ?? "/");
    if (!path.ok) return path;
    return ok({
      needs: [{ verb: "read", path: path.value, listing: true }],
      async run(context) {
        const { limit = listDefaultEntries, offset = 0 } = input;
        const listing = await context.ask((root, caller) => root.list(caller, path.value, limit, offset));
        if (listing.kind === "absent") return err(notFound(path.value, listing.nearest));
        if (listing.kind === "file") return err(isFile(path.value));
        const { entries, total } = listing;
        return ok({
          path: path.value as string,
          entries: entries.map(({ name, type }) => ({ name, type })),
          total,
          truncated: offset + entries.length < total,
        });
      },
    });
  },
});

function parseDirectory(value: unknown): Result<string, TextError> {
  if (typeof value === "string") return ok(value);
  return err(invalidArgument("path", `${shown(value)} is not a string`, "give a string"));
}
