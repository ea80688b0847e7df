import { z } from "zod";
import { repoPathOf } from "../../../domain/repo-path";
import { err, ok } from "../../../domain/result";
import { invalidArgument } from "../../../domain/text-errors";
import { defineTool } from "../../tool";
import { hybridAnswer, hybridOutput, settled, snapshotIdOutput } from "./answers";
import {
  chooseView,
  fromSnapshotArgument,
  ignoredRepoRoot,
  optionalPathArgument,
  parsePath,
  viewArguments,
} from "./arguments";

/** snapshot.md §7.5. */
export const snapshotDiff = defineTool({
  name: "snapshot.diff",
  family: "snapshot",
  title: "Diff files",
  description:
    "Diff a snapshot, or the live files, against another snapshot, in the format that git apply and workspace.apply_patch take.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  ignored: ignoredRepoRoot,
  input: z.strictObject({
    ...viewArguments,
    path: optionalPathArgument,
    from_snapshot_id: fromSnapshotArgument,
  }),
  output: hybridOutput({
    path: z.string(),
    from_snapshot_id: snapshotIdOutput.nullable(),
    diff: z.string(),
    stats: z.strictObject({ files: z.int(), added: z.int(), removed: z.int() }),
  }),
  plan(input) {
    // In worktree mode a snapshot can only be what the live files are compared with.
    const isSynonym = input.mode === "worktree" && input.snapshot_id !== undefined;
    if (isSynonym && input.from_snapshot_id !== undefined) {
      const given = "it was given beside from_snapshot_id in worktree mode";
      return err(invalidArgument("snapshot_id", given, "give one of them"));
    }
    const choice = chooseView(isSynonym ? { mode: "worktree", lease_id: input.lease_id } : input);
    if (!choice.ok) return choice;
    const path = parsePath(input.path ?? ".");
    if (!path.ok) return path;
    const from = input.from_snapshot_id ?? (isSynonym ? input.snapshot_id : undefined) ?? null;
    return ok({
      needs: [{ verb: "read", path: path.value }],
      async run(context) {
        const view = { ...choice.value, scopes: context.principal.scopes };
        const diffed = settled(await context.ask((root, caller) => root.diffStates(caller, view, path.value, from)));
        if (!diffed.ok) return diffed;
        const { receipt, value } = diffed.value;
        return ok(
          hybridAnswer(receipt, {
            path: repoPathOf(path.value),
            from_snapshot_id: value.from as string | null,
            diff: value.diff,
            stats: { files: value.files, added: value.added, removed: value.removed },
          }),
        );
      },
    });
  },
});
