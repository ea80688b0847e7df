import { z } from "zod";
import { ok } from "../../../domain/result";
import { defineTool } from "../../tool";
import { hashArgument, parseFilePath, pathArgument, textArgument } from "./arguments";
import { editAnswer, editOutput } from "./outputs";

const whenRoot = "text.append works on files; see what is in it with file.list";

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
  plan(input) {
    const path = parseFilePath(input.path, whenRoot);
    if (!path.ok) return path;
    return ok({
      needs: [{ verb: "write", path: path.value }],
      async run(context) {
        const edit = { kind: "append", content: input.content } as const;
        const edited = await context.ask((root, caller) => root.editText(caller, path.value, input.hash, edit));
        return edited.ok ? ok(editAnswer(edited.value)) : edited;
      },
    });
  },
});
