import { z } from "zod";
import { sha256Hex } from "../../../domain/hash";
import { parsePatch } from "../../../domain/patch/parse-patch";
import type { PatchError } from "../../../domain/patch/patch-errors";
import { affectedPaths } from "../../../domain/patch/patch-paths";
import type { RejectedHunk } from "../../../domain/patch/rejects";
import { repoPathOf } from "../../../domain/repo-path";
import { err, ok } from "../../../domain/result";
import { invalidArgument, shown } from "../../../domain/text-errors";
import { argument, optionalArgument } from "../../argument";
import { defineTool, type ToolError } from "../../tool";
import { parseInteger } from "../paging";
import { hybridAnswer, hybridOutput, settled } from "./answers";
import { chooseView, flagArgument, ignoredRepoRoot, parseString, viewArguments } from "./arguments";

const stripMax = 32;

/** Seed 002 §3.2. */
export const workspaceApplyPatch = defineTool({
  name: "workspace.apply_patch",
  family: "snapshot",
  title: "Apply patch",
  description:
    "Apply a unified diff exactly, all of it or nothing, to the live tree or to a snapshot, which gives a new snapshot. What does not fit is told hunk by hunk.",
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  ignored: ignoredRepoRoot,
  input: z.strictObject({
    ...viewArguments,
    patch: argument({ type: "string", minLength: 1, description: "Unified diff, as git diff prints it." }, (value) =>
      parseString(value, "patch"),
    ),
    strip: optionalArgument(
      {
        type: "integer",
        minimum: 0,
        maximum: stripMax,
        default: 1,
        description: "Leading parts of names to take off, as with patch -p.",
      },
      (value) => parseInteger(value, "strip", 0, stripMax),
    ),
    dry_run: flagArgument("dry_run", false, "Judge only, change nothing."),
    reject_on_conflict: optionalArgument({ type: "boolean", const: true, default: true }, (value) =>
      value === true
        ? ok(true)
        : err(invalidArgument("reject_on_conflict", `${shown(value)} was given`, "give true: patches are never fuzzy")),
    ),
  }),
  output: hybridOutput({
    applied: z.array(z.strictObject({ path: z.string(), status: z.literal("ok") })),
    rejects: z.array(
      z.strictObject({
        path: z.string(),
        hunks: z.array(
          z.strictObject({
            index: z.int(),
            reason: z.string(),
            line: z.int().optional(),
            expected: z.string().optional(),
            found: z.string().nullable().optional(),
            occurs_at: z.array(z.int()).optional(),
          }),
        ),
      }),
    ),
    dry_run: z.boolean(),
  }),
  plan(input) {
    const choice = chooseView(input);
    if (!choice.ok) return choice;
    const patch = parsePatch(input.patch, input.strip ?? 1);
    if (!patch.ok) return err(patchError(patch.error));
    const { written, read } = affectedPaths(patch.value);
    const dryRun = input.dry_run ?? false;
    return ok({
      needs: [
        ...written.map((path) => ({ verb: "write" as const, path })),
        ...read.map((path) => ({ verb: "read" as const, path })),
      ],
      async run(context) {
        const view = { ...choice.value, scopes: context.principal.scopes };
        const request = { patch: patch.value, patchHash: `sha256:${sha256Hex(input.patch)}`, dryRun };
        const done = settled(await context.ask((root, caller) => root.applyPatch(caller, view, request)));
        if (!done.ok) return done;
        const { receipt, value } = done.value;
        return ok(
          hybridAnswer(receipt, {
            applied: value.applied.map((path) => ({ path: repoPathOf(path), status: "ok" as const })),
            rejects: value.rejects.map(({ path, hunks }) => ({
              path: repoPathOf(path),
              hunks: hunks.map(hunkAnswer),
            })),
            dry_run: dryRun,
          }),
        );
      },
    });
  },
});

function patchError(error: PatchError): ToolError {
  const { code, message } = error;
  if (error.code !== "TOO_LARGE") return { code, message, details: { argument: "patch", line: error.line } };
  return { code, message, details: { limit: error.limit, max: error.max, actual: error.actual } };
}

function hunkAnswer({ index, reason, line, expected, found, occursAt }: RejectedHunk) {
  return {
    index,
    reason: reason as string,
    ...(line !== undefined && { line }),
    ...(expected !== undefined && { expected }),
    ...(found !== undefined && { found }),
    ...(occursAt !== undefined && { occurs_at: [...occursAt] }),
  };
}
