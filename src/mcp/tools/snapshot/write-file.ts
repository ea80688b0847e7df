import { z } from "zod";
import { parseContentString } from "../../../domain/content-string";
import { rootDirectory } from "../../../domain/path";
import { repoPathOf } from "../../../domain/repo-path";
import { err, ok } from "../../../domain/result";
import { rootAsTarget } from "../../../domain/snapshot-errors";
import { invalidArgument } from "../../../domain/text-errors";
import { argument } from "../../argument";
import { defineTool } from "../../tool";
import { settled, worktreeOutput, worktreePart } from "./answers";
import { flagArgument, ignoredRepoRoot, leaseArgument, parsePath, parseString, pathArgument } from "./arguments";

/** snapshot.md §7.10. */
export const workspaceWriteFile = defineTool({
  name: "workspace.write_file",
  family: "snapshot",
  title: "Write file",
  description:
    "Create or overwrite one file of the live tree, under a lease that shows that nothing changed since you looked.",
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  ignored: ignoredRepoRoot,
  input: z.strictObject({
    path: pathArgument,
    content: argument({ type: "string", description: "Text, or base64: followed by base64." }, (value) =>
      parseString(value, "content"),
    ),
    lease_id: leaseArgument,
    create_dirs: flagArgument("create_dirs", false, "Make the directories that are missing."),
    dry_run: flagArgument("dry_run", false, "Judge only, change nothing."),
  }),
  output: worktreeOutput({
    written: z.boolean(),
    path: z.string(),
    created: z.boolean(),
    size: z.int(),
    hash: z.string(),
    dry_run: z.boolean(),
  }),
  plan(input) {
    const content = parseContentString(input.content);
    if (!content.ok) return err(invalidArgument("content", content.error, "give text, or base64: and padded base64"));
    const path = parsePath(input.path, true);
    if (!path.ok) return path;
    if (path.value === rootDirectory) return err(rootAsTarget("workspace.write_file"));
    const { create_dirs: createsDirectories = false, dry_run: dryRun = false } = input;
    return ok({
      needs: [{ verb: "write", path: path.value }],
      async run(context) {
        const request = {
          path: path.value,
          bytes: content.value,
          leaseId: input.lease_id,
          createsDirectories,
          dryRun,
        };
        const written = settled(await context.ask((root, caller) => root.writeFile(caller, request)));
        if (!written.ok) return written;
        const { receipt, created, hash } = written.value;
        return ok({
          written: !dryRun,
          path: repoPathOf(path.value),
          created,
          size: content.value.length,
          hash: hash as string,
          dry_run: dryRun,
          ...worktreePart(receipt),
        });
      },
    });
  },
});
