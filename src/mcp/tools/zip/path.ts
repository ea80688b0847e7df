import { z } from "zod";
import { repoPathOf } from "../../../domain/repo-path";
import { ok } from "../../../domain/result";
import { defineTool } from "../../tool";
import { sessionArgument, sessionOf, settled } from "./arguments";

/** zipfs.md §4. */
export const zipfsPath = defineTool({
  name: "zipfs_path",
  family: "zip",
  title: "Workspace path",
  description: "Tell the directory of your root that holds the files of a zip session, for use with other tools.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  input: z.strictObject({ session: sessionArgument }),
  output: z.strictObject({ path: z.string(), repo_path: z.string() }),
  plan(input) {
    return ok({
      needs: [],
      async run(context) {
        const request = { session: sessionOf(input), scopes: context.principal.scopes };
        const path = settled(await context.ask((root, caller) => root.zipPath(caller, request)));
        return path.ok ? ok({ path: path.value as string, repo_path: repoPathOf(path.value) }) : path;
      },
    });
  },
});
