import { z } from "zod";
import { ok } from "../../../domain/result";
import { defineTool } from "../../tool";
import { anchorArgument, hashArgument, lineArgument, parseFilePath, pathArgument, textArgument } from "./arguments";
import { editAnswer, editOutput } from "./outputs";

const whenRoot = "text.insert works on files; see what is in it with file.list";

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
  plan(input) {
    const path = parseFilePath(input.path, whenRoot);
    if (!path.ok) return path;
    return ok({
      needs: [{ verb: "write", path: path.value }],
      async run(context) {
        const edit = { kind: "insert", line: input.line, anchor: input.anchor, content: input.content } as const;
        const edited = await context.ask((root, caller) => root.editText(caller, path.value, input.hash, edit));
        return edited.ok ? ok(editAnswer(edited.value)) : edited;
      },
    });
  },
});
