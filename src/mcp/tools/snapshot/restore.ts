import { z } from "zod";
import { cutPaths } from "../../../domain/cut-paths";
import { ok } from "../../../domain/result";
import { defineTool } from "../../tool";
import { repoPaths, settled, worktreeOutput, worktreePart } from "./answers";
import { flagArgument, ignoredRepoRoot, leaseArgument, parsePaths, pathsArgument, snapshotArgument } from "./arguments";

/** snapshot.md §7.12. */
export const workspaceRestore = defineTool({
  name: "workspace.restore",
  family: "snapshot",
  title: "Restore files",
  description: "Restore files of the live tree to what a snapshot captured, all or nothing, under a lease.",
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  ignored: ignoredRepoRoot,
  input: z.strictObject({
    snapshot_id: snapshotArgument,
    lease_id: leaseArgument,
    paths: pathsArgument(["."]),
    delete_extra: flagArgument("delete_extra", false, "Also remove live files that the snapshot does not hold."),
    dry_run: flagArgument("dry_run", false, "Judge only, change nothing."),
  }),
  output: worktreeOutput({
    restored: z.array(z.string()),
    deleted: z.array(z.string()),
    unchanged: z.int(),
    dry_run: z.boolean(),
    truncated: z.literal(true).optional(),
  }),
  plan(input) {
    const paths = parsePaths(input.paths ?? ["."], true);
    if (!paths.ok) return paths;
    const { delete_extra: deletesExtra = false, dry_run: dryRun = false } = input;
    return ok({
      // Write includes read (AUTH-039), so that one refusal names all that is missing.
      needs: paths.value.map((path) => ({ verb: "write" as const, path })),
      async run(context) {
        const request = {
          snapshotId: input.snapshot_id,
          leaseId: input.lease_id,
          paths: paths.value,
          deletesExtra,
          dryRun,
          scopes: context.principal.scopes,
        };
        const done = settled(await context.ask((root, caller) => root.restoreFiles(caller, request)));
        if (!done.ok) return done;
        const { receipt, restored, deleted, unchanged } = done.value;
        const [shownRestored, shownDeleted] = [cutPaths(restored), cutPaths(deleted)];
        const isCut = shownRestored.length < restored.length || shownDeleted.length < deleted.length;
        return ok({
          restored: repoPaths(shownRestored),
          deleted: repoPaths(shownDeleted),
          unchanged,
          dry_run: dryRun,
          ...(isCut && { truncated: true as const }),
          ...worktreePart(receipt),
        });
      },
    });
  },
});
