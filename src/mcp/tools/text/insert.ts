import { z } from "zod";
import { defineTool } from "../../tool";
import { anchorArgument, hashArgument, lineArgument, pathArgument, textArgument } from "./arguments";
import { editOutput } from "./outputs";
import { planEdit } from "./plan-edit";

/** MCP-014, MCP-046. */
export const textInsert = defineTool({
  name: "text.insert",
  family: "text",
  title: "Insert lines",
  description: "Insert lines into a text file before a line whose full content you name.",
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  input: z.strictObject({
    path: pathArgument,
    hash: hashArgument,
    line: lineArgument,
    anchor: anchorArgument,
    content: textArgument("content", "The lines to insert."),
  }),
  output: editOutput,
  plan: (input) =>
    planEdit("text.insert", input, { kind: "insert", line: input.line, anchor: input.anchor, content: input.content }),
});
