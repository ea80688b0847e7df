import { z } from "zod";
import { ok } from "../../../domain/result";
import { defineTool } from "../../tool";
import { integerArgument, parsePath, placeArgument, sessionArgument, sessionOf, settled } from "./arguments";

/** zipfs.md §4. */
export const zipfsTree = defineTool({
  name: "zipfs_tree",
  family: "zip",
  title: "Show workspace tree",
  description: "Show the files and directories of a zip workspace as a tree.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  input: z.strictObject({
    session: sessionArgument,
    path: placeArgument,
    max_depth: integerArgument("max_depth", 0, Number.MAX_SAFE_INTEGER, "Levels to show; 0 is all of them.", 0),
  }),
  output: z.strictObject({ tree: z.string(), file_count: z.int(), dir_count: z.int(), truncated: z.boolean() }),
  plan(input) {
    const path = parsePath(input.path);
    if (!path.ok) return path;
    const { max_depth: maxDepth = 0 } = input;
    return ok({
      needs: [],
      async run(context) {
        const { scopes } = context.principal;
        const request = { session: sessionOf(input), scopes, path: path.value, maxDepth };
        const shown = settled(await context.ask((root, caller) => root.showWorkspaceTree(caller, request)));
        if (!shown.ok) return shown;
        const { tree, files, directories, truncated } = shown.value;
        return ok({ tree, file_count: files, dir_count: directories, truncated });
      },
    });
  },
});
