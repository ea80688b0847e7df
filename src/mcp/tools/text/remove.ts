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
  plan(input) {
    const path = parseFilePath(input.path, whenRoot);
    if (!path.ok) return path;
    return ok({
      needs: [{ verb: "write", path: path.value }],
      async run(context) {
        const removed = await context.ask((root, caller) => root.removeFile(caller, path.value, input.hash));
        return removed.ok ? ok({}) : removed;
      },
    });
  },
});
