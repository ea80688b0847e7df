import { z } from "zod";
import { ok } from "../../../domain/result";
import { defineTool } from "../../tool";
import { filePathArgument, flagArgument, parsePath, sessionArgument, sessionOf, settled } from "./arguments";

/** zipfs.md §4. */
export const zipfsDelete = defineTool({
  name: "zipfs_delete",
  family: "zip",
  title: "Delete from workspace",
  description: "Delete a file of a zip workspace, or a directory with all below it.",
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  input: z.strictObject({
    session: sessionArgument,
    path: filePathArgument,
    recursive: flagArgument("recursive", false, "Needed for directories."),
  }),
  output: z.strictObject({ deleted: z.literal(true), path: z.string(), files_deleted: z.int() }),
  plan(input) {
    const path = parsePath(input.path);
    if (!path.ok) return path;
    const { recursive = false } = input;
    return ok({
      needs: [],
      async run(context) {
        const { scopes } = context.principal;
        const request = { session: sessionOf(input), scopes, path: path.value, recursive };
        const deleted = settled(await context.ask((root, caller) => root.deleteFromWorkspace(caller, request)));
        if (!deleted.ok) return deleted;
        return ok({ deleted: true as const, path: path.value as string, files_deleted: deleted.value });
      },
    });
  },
});
