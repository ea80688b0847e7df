import { z } from "zod";
import { defineTool } from "../../tool";
import { hashArgument, pathArgument, rangeArgument, textArgument } from "./arguments";
import { editOutput } from "./outputs";
import { planEdit } from "./plan-edit";

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
  plan: (input) =>
    planEdit("text.replace", input, { kind: "replace", lines: input.lines, old: input.old, new: input.new }),
});
