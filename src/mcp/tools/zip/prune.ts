import { z } from "zod";
import { err, ok } from "../../../domain/result";
import { parseDuration } from "../../../domain/zip/duration";
import { workspacesDirectory } from "../../../domain/zip/workspace-path";
import { invalidParams } from "../../../domain/zip/zip-errors";
import { defineTool } from "../../tool";
import { flagArgument, optionalStringArgument } from "./arguments";

/** zipfs.md §7. */
export const zipfsPrune = defineTool({
  name: "zipfs_prune",
  family: "zip",
  title: "Prune zip sessions",
  description:
    "Remove zip sessions that were not used for some time, or all of them. Changes that were not synced are discarded.",
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  input: z.strictObject({
    all: flagArgument("all", false, "Every session."),
    stale: optionalStringArgument("stale", "Sessions not used for longer than this, such as 24h or 7d."),
    dry_run: flagArgument("dry_run", false, "Tell what would be removed, remove nothing."),
  }),
  output: z.strictObject({
    pruned: z.array(
      z.strictObject({ id: z.string(), name: z.string(), reason: z.string(), had_unsynced_changes: z.boolean() }),
    ),
    freed_bytes: z.int(),
  }),
  plan(input) {
    const { all = false, stale, dry_run: dryRun = false } = input;
    const staleMs = stale === undefined ? null : parseDuration(stale);
    if (stale !== undefined && staleMs === null) return err(invalidParams("stale", "use a duration such as 24h or 7d"));
    return ok({
      needs: [{ verb: "write", path: workspacesDirectory, whole: true }],
      async run(context) {
        const request = { all, staleMs, dryRun };
        const pruned = await context.ask((root, caller) => root.pruneZipSessions(caller, request));
        return ok({
          pruned: pruned.map(({ id, name, reason, hadUnsyncedChanges }) => ({
            id,
            name,
            reason,
            had_unsynced_changes: hadUnsyncedChanges,
          })),
          freed_bytes: pruned.reduce((sum, { extractedBytes }) => sum + extractedBytes, 0),
        });
      },
    });
  },
});
