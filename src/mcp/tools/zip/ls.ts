import { z } from "zod";
import { zipListMaxEntries } from "../../../domain/limits";
import { ok } from "../../../domain/result";
import { utcSeconds } from "../../../domain/zip/entry-times";
import { defineTool } from "../../tool";
import {
  flagArgument,
  integerArgument,
  optionalStringArgument,
  parsePath,
  placeArgument,
  sessionArgument,
  sessionOf,
  settled,
} from "./arguments";

/** zipfs.md §4. */
export const zipfsLs = defineTool({
  name: "zipfs_ls",
  family: "zip",
  title: "List workspace",
  description: "List files and directories of a zip workspace.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  input: z.strictObject({
    session: sessionArgument,
    path: placeArgument,
    recursive: flagArgument("recursive", false, "Also everything below."),
    limit: integerArgument("limit", 1, zipListMaxEntries, "Entries of one answer.", zipListMaxEntries),
    cursor: optionalStringArgument("cursor", "next_cursor of the answer before."),
  }),
  output: z.strictObject({
    entries: z.array(
      z.strictObject({
        name: z.string(),
        type: z.enum(["dir", "file"]),
        size_bytes: z.int(),
        modified_at: z.string(),
      }),
    ),
    truncated: z.boolean(),
    next_cursor: z.string().nullable(),
  }),
  plan(input) {
    const path = parsePath(input.path);
    if (!path.ok) return path;
    const { recursive = false, limit = zipListMaxEntries, cursor = null } = input;
    return ok({
      needs: [],
      async run(context) {
        const { scopes } = context.principal;
        const request = { session: sessionOf(input), scopes, path: path.value, recursive, limit, cursor };
        const listed = settled(await context.ask((root, caller) => root.listWorkspace(caller, request)));
        if (!listed.ok) return listed;
        const { entries, nextCursor } = listed.value;
        return ok({
          entries: entries.map(({ name, isDirectory, size, timeMs }) => ({
            name: isDirectory ? `${name}/` : name,
            type: isDirectory ? ("dir" as const) : ("file" as const),
            size_bytes: size,
            modified_at: utcSeconds(timeMs),
          })),
          truncated: nextCursor !== null,
          next_cursor: nextCursor,
        });
      },
    });
  },
});
