import { z } from "zod";
import { ok } from "../../../domain/result";
import { defineTool } from "../../tool";
import { flagArgument, progressTo, sessionArgument, sessionOf, settled } from "./arguments";

const fileCounts = { files_modified: z.int(), files_added: z.int(), files_deleted: z.int() } as const;
const paths = z.array(z.string());

/** zipfs.md §6. */
export const zipfsSync = defineTool({
  name: "zipfs_sync",
  family: "zip",
  title: "Sync zip",
  description:
    "Write the changes of a zip workspace back into its archive. The former archive is kept as a backup. Refused if the archive was changed by others meanwhile, unless forced.",
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  input: z.strictObject({
    session: sessionArgument,
    force: flagArgument("force", false, "Overwrite an archive that others changed or removed."),
    dry_run: flagArgument("dry_run", false, "Tell what would be done, do nothing."),
  }),
  output: z.union([
    z.strictObject({
      synced: z.literal(true),
      backup_path: z.string(),
      ...fileCounts,
      unchanged: z.boolean(),
      size_bytes: z.int(),
      zip_hash: z.string(),
    }),
    z.strictObject({
      synced: z.literal(false),
      backup_path: z.literal(""),
      ...fileCounts,
      modified: paths,
      added: paths,
      deleted: paths,
      truncated: z.literal(true).optional(),
      conflict: z.boolean(),
      source_missing: z.boolean(),
      estimated_size_bytes: z.int(),
    }),
  ]),
  plan(input) {
    const { force = false, dry_run: dryRun = false } = input;
    return ok({
      needs: [],
      async run(context, server) {
        const request = { session: sessionOf(input), scopes: context.principal.scopes };
        if (dryRun) {
          const preview = settled(await context.ask((root, caller) => root.previewSync(caller, request)));
          if (!preview.ok) return preview;
          const { modified, added, deleted, counts, isCut, conflict, sourceMissing, estimatedSize } = preview.value;
          return ok({
            synced: false as const,
            backup_path: "" as const,
            files_modified: counts.modified,
            files_added: counts.added,
            files_deleted: counts.deleted,
            modified: [...modified],
            added: [...added],
            deleted: [...deleted],
            ...(isCut && { truncated: true as const }),
            conflict,
            source_missing: sourceMissing,
            estimated_size_bytes: estimatedSize,
          });
        }
        const progress = progressTo(server);
        const synced = settled(
          await context.ask((root, caller) => root.syncZip(caller, { ...request, force }, progress)),
        );
        if (!synced.ok) return synced;
        const { value } = synced;
        return ok({
          synced: true as const,
          backup_path: value.backupPath as string,
          files_modified: value.modified,
          files_added: value.added,
          files_deleted: value.deleted,
          unchanged: value.unchanged,
          size_bytes: value.size,
          zip_hash: value.zipHash,
        });
      },
    });
  },
});
