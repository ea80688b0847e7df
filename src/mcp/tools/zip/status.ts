import { z } from "zod";
import { ok } from "../../../domain/result";
import { defineTool } from "../../tool";
import { sessionArgument, sessionOf, settled } from "./arguments";

const paths = z.array(z.string());

/** zipfs.md §5. */
export const zipfsStatus = defineTool({
  name: "zipfs_status",
  family: "zip",
  title: "Workspace status",
  description: "Tell what changed in a zip workspace since it was opened, and what zipfs_sync has not written yet.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  input: z.strictObject({ session: sessionArgument }),
  output: z.strictObject({
    modified: paths,
    added: paths,
    deleted: paths,
    unchanged_count: z.int(),
    unsynced: z.strictObject({ modified: paths, added: paths, deleted: paths, dirs_changed: z.boolean() }),
    truncated: z.literal(true).optional(),
  }),
  plan(input) {
    return ok({
      needs: [],
      async run(context) {
        const request = { session: sessionOf(input), scopes: context.principal.scopes };
        const status = settled(await context.ask((root, caller) => root.zipStatus(caller, request)));
        if (!status.ok) return status;
        const { modified, added, deleted, unchangedCount, isCut, unsynced } = status.value;
        return ok({
          modified: [...modified],
          added: [...added],
          deleted: [...deleted],
          unchanged_count: unchangedCount,
          unsynced: {
            modified: [...unsynced.modified],
            added: [...unsynced.added],
            deleted: [...unsynced.deleted],
            dirs_changed: unsynced.directoriesChanged,
          },
          ...(isCut && { truncated: true as const }),
        });
      },
    });
  },
});
