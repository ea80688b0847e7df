import { z } from "zod";
import { defineTool } from "../../tool";
import { hashArgument, pathArgument, textArgument } from "./arguments";
import { editOutput } from "./outputs";
import { planEdit } from "./plan-edit";

/** MCP-015. */
export const textAppend = defineTool({
  name: "text.append",
  family: "text",
  title: "Append text",
  description: "Append text to the end of a text file, on a line of its own.",
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  input: z.strictObject({
    path: pathArgument,
    hash: hashArgument,
    content: textArgument("content", "The text to append, verbatim."),
  }),
  output: editOutput,
  plan: (input) => planEdit("text.append", input, { kind: "append", content: input.content }),
});
