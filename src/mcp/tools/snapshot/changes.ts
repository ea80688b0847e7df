import { z } from "zod";
import { listDefaultEntries } from "../../../domain/limits";
import { rootDirectory } from "../../../domain/path";
import { repoPathOf } from "../../../domain/repo-path";
import { ok } from "../../../domain/result";
import { defineTool } from "../../tool";
import { limitArgument, offsetArgument } from "../paging";
import { immutableOutput, settled, snapshotIdOutput } from "./answers";
import { fromSnapshotArgument, ignoredRepoRoot, snapshotArgument, wordArgument } from "./arguments";

/** snapshot.md §7.6. */
export const snapshotChanges = defineTool({
  name: "snapshot.changes",
  family: "snapshot",
  title: "List changes",
  description: "List which files differ between two snapshots: added, modified, deleted, and renamed when asked for.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  ignored: ignoredRepoRoot,
  input: z.strictObject({
    snapshot_id: snapshotArgument,
    from_snapshot_id: fromSnapshotArgument,
    rename_detection: wordArgument("rename_detection", ["off", "exact"], "exact pairs files of equal content."),
    limit: limitArgument,
    offset: offsetArgument,
  }),
  output: immutableOutput({
    from_snapshot_id: snapshotIdOutput.nullable(),
    changes: z.array(
      z.strictObject({
        path: z.string(),
        status: z.enum(["added", "modified", "deleted", "renamed"]),
        from: z.string().optional(),
      }),
    ),
    counts: z.strictObject({ added: z.int(), modified: z.int(), deleted: z.int(), renamed: z.int() }),
    total: z.int(),
    truncated: z.boolean(),
  }),
  plan(input) {
    const { limit = listDefaultEntries, offset = 0 } = input;
    return ok({
      needs: [{ verb: "read", path: rootDirectory, anywhere: true }],
      async run(context) {
        const request = {
          snapshotId: input.snapshot_id,
          from: input.from_snapshot_id ?? null,
          pairsRenames: input.rename_detection === "exact",
          limit,
          offset,
          scopes: context.principal.scopes,
        };
        const listed = settled(await context.ask((root, caller) => root.listChanges(caller, request)));
        if (!listed.ok) return listed;
        const { from, changes, counts, total } = listed.value;
        return ok({
          snapshot_id: input.snapshot_id as string,
          from_snapshot_id: from as string | null,
          changes: changes.map((change) => ({
            path: repoPathOf(change.path),
            status: change.status,
            ...(change.from !== undefined && { from: repoPathOf(change.from) }),
          })),
          counts: {
            added: counts.added,
            modified: counts.modified,
            deleted: counts.deleted,
            renamed: counts.renamed,
          },
          total,
          truncated: offset + limit < total,
          cache_hint: "immutable" as const,
        });
      },
    });
  },
});
