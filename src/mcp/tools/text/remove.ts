import { z } from "zod";
import { ok } from "../../../domain/result";
import { defineTool } from "../../tool";
import { hashArgument, parseFilePath, pathArgument } from "./arguments";

const whenRoot = "file.remove removes files only";

/** MCP-011. */
export const fileRemove = defineTool({
  name: "file.remove",
  family: "text",
  title: "Remove file",
  description: "Remove a file that you have read, text or binary. Its directory stays.",
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  input: z.strictObject({ path: pathArgument, hash: hashArgument }),
  output: z.strictObject({}),
  needs(input) {
    const path = parseFilePath(input.path, whenRoot);
    return path.ok ? ok([{ verb: "write", path: path.value }]) : path;
  },
  async handle(input, context) {
    const path = parseFilePath(input.path, whenRoot);
    if (!path.ok) return path;
    const removed = await context.ask((root, caller) => root.removeFile(caller, path.value, input.hash));
    return removed.ok ? ok({}) : removed;
  },
});
