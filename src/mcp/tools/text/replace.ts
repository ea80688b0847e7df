import { z } from "zod";
import { ok } from "../../../domain/result";
import { defineTool } from "../../tool";
import { hashArgument, parseFilePath, pathArgument, rangeArgument, textArgument } from "./arguments";
import { editAnswer, editOutput } from "./outputs";

const whenRoot = "text.replace works on files; see what is in it with file.list";

/** MCP-013, MCP-045. */
export const textReplace = defineTool({
  name: "text.replace",
  family: "text",
  title: "Replace lines",
  description:
    "Replace whole lines of a text file: `old` must stand at exactly one place within `lines`, and only that is replaced by `new`.",
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  input: z.strictObject({
    path: pathArgument,
    hash: hashArgument,
    lines: rangeArgument,
    old: textArgument("old", "The whole lines to replace, exactly as they are."),
    new: textArgument("new", "The lines to put there; empty deletes them."),
  }),
  output: editOutput,
  plan(input) {
    const path = parseFilePath(input.path, whenRoot);
    if (!path.ok) return path;
    return ok({
      needs: [{ verb: "write", path: path.value }],
      async run(context) {
        const edit = { kind: "replace", lines: input.lines, old: input.old, new: input.new } as const;
        const edited = await context.ask((root, caller) => root.editText(caller, path.value, input.hash, edit));
        return edited.ok ? ok(editAnswer(edited.value)) : edited;
      },
    });
  },
});
