import { z } from "zod";
import { rootDirectory } from "../../../domain/path";
import { repoPathOf } from "../../../domain/repo-path";
import { err, ok } from "../../../domain/result";
import { rootAsTarget } from "../../../domain/snapshot-errors";
import { defineTool } from "../../tool";
import { settled, worktreeOutput, worktreePart } from "./answers";
import { flagArgument, ignoredRepoRoot, leaseArgument, parsePath, pathArgument } from "./arguments";

/** snapshot.md §7.11. */
export const workspaceDelete = defineTool({
  name: "workspace.delete",
  family: "snapshot",
  title: "Delete",
  description: "Delete a file, or a directory with all below it, of the live tree, under a lease.",
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  ignored: ignoredRepoRoot,
  input: z.strictObject({
    path: pathArgument,
    lease_id: leaseArgument,
    recursive: flagArgument("recursive", false, "Needed for a directory that is not empty."),
    dry_run: flagArgument("dry_run", false, "Judge only, change nothing."),
  }),
  output: worktreeOutput({ deleted: z.boolean(), path: z.string(), files: z.int(), dry_run: z.boolean() }),
  plan(input) {
    const path = parsePath(input.path, true);
    if (!path.ok) return path;
    if (path.value === rootDirectory) return err(rootAsTarget("workspace.delete"));
    const { recursive = false, dry_run: dryRun = false } = input;
    return ok({
      needs: [{ verb: "write", path: path.value }],
      async run(context) {
        const { scopes } = context.principal;
        const request = { path: path.value, leaseId: input.lease_id, recursive, dryRun, scopes };
        const deleted = settled(await context.ask((root, caller) => root.deletePath(caller, request)));
        if (!deleted.ok) return deleted;
        const { receipt, files } = deleted.value;
        return ok({
          deleted: !dryRun,
          path: repoPathOf(path.value),
          files,
          dry_run: dryRun,
          ...worktreePart(receipt),
        });
      },
    });
  },
});
