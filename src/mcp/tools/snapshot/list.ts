import { z } from "zod";
import { listDefaultEntries, pathDepthMax } from "../../../domain/limits";
import { repoPathOf } from "../../../domain/repo-path";
import { ok } from "../../../domain/result";
import { optionalArgument } from "../../argument";
import { defineTool } from "../../tool";
import { limitArgument, offsetArgument, parseInteger } from "../paging";
import { hybridAnswer, hybridOutput, settled } from "./answers";
import { chooseView, ignoredRepoRoot, optionalPathArgument, parsePath, viewArguments, wordArgument } from "./arguments";

/** snapshot.md §7.2. */
export const snapshotList = defineTool({
  name: "snapshot.list",
  family: "snapshot",
  title: "List files",
  description:
    "List files and directories of the live tree or of a snapshot, as deep as wanted, with sizes and git ids. A live list comes with a lease.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  ignored: ignoredRepoRoot,
  input: z.strictObject({
    ...viewArguments,
    path: optionalPathArgument,
    depth: optionalArgument({ type: "integer", minimum: 1, maximum: pathDepthMax, default: 1 }, (value) =>
      parseInteger(value, "depth", 1, pathDepthMax),
    ),
    ignore_rules: wordArgument("ignore_rules", ["none", "git"], "git leaves out what .gitignore files exclude."),
    limit: limitArgument,
    offset: offsetArgument,
  }),
  output: hybridOutput({
    path: z.string(),
    entries: z.array(
      z.strictObject({
        path: z.string(),
        type: z.enum(["file", "dir"]),
        size: z.int().optional(),
        sha: z.string().optional(),
      }),
    ),
    total: z.int(),
    truncated: z.boolean(),
  }),
  plan(input) {
    const choice = chooseView(input);
    if (!choice.ok) return choice;
    const path = parsePath(input.path ?? ".");
    if (!path.ok) return path;
    const { limit = listDefaultEntries, offset = 0, depth = 1 } = input;
    return ok({
      needs: [{ verb: "read", path: path.value, ...(depth === 1 && { listing: true }) }],
      async run(context) {
        const view = { ...choice.value, scopes: context.principal.scopes };
        const request = { path: path.value, depth, honoursGitignore: input.ignore_rules === "git", limit, offset };
        const listed = settled(await context.ask((root, caller) => root.listEntries(caller, view, request)));
        if (!listed.ok) return listed;
        const { receipt, value } = listed.value;
        const entries = value.entries.map((entry) =>
          entry.type === "dir"
            ? { path: repoPathOf(entry.path), type: entry.type }
            : { path: repoPathOf(entry.path), type: entry.type, size: entry.size, sha: entry.gitOid as string },
        );
        return ok(
          hybridAnswer(receipt, {
            path: repoPathOf(path.value),
            entries,
            total: value.total,
            truncated: offset + limit < value.total,
          }),
        );
      },
    });
  },
});
