import { z } from "zod";
import { normalizePath, type RootPath } from "../../../domain/path";
import { repoPathOf } from "../../../domain/repo-path";
import { err, ok, type Result } from "../../../domain/result";
import type { ScopeNeed } from "../../../domain/scopes";
import { isSessionName } from "../../../domain/zip/sessions";
import { contentsPath, workspacesDirectory } from "../../../domain/zip/workspace-path";
import { invalidParams, pathEscapes, type ZipError } from "../../../domain/zip/zip-errors";
import { defineTool } from "../../tool";
import { optionalStringArgument, progressTo, settled, stringArgument } from "./arguments";

/** zipfs.md §3. */
export const zipfsOpen = defineTool({
  name: "zipfs_open",
  family: "zip",
  title: "Open zip",
  description:
    "Open a zip archive of your root: its files become ordinary files of a workspace, to be read, edited and searched with any tool. zipfs_sync writes changes back into the archive.",
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  input: z.strictObject({
    path: stringArgument("path", "Path of the zip file in your root, such as /reports/q4.zip."),
    name: optionalStringArgument("name", "Name of the session: 1 to 64 of A-Z, a-z, 0-9, _ and -."),
  }),
  output: z.strictObject({
    session_id: z.string(),
    name: z.string(),
    workspace_path: z.string(),
    file_count: z.int(),
    extracted_size_bytes: z.int(),
    repo_path: z.string(),
    source_path: z.string(),
    zip_hash: z.string(),
    warnings: z.array(z.strictObject({ entry: z.string(), reason: z.string() })),
  }),
  plan(input) {
    const path = parseSource(input.path);
    if (!path.ok) return path;
    const name = input.name ?? null;
    return ok({
      needs: [{ verb: "read", path: path.value }, needOf(name)],
      async run(context, server) {
        const progress = progressTo(server);
        const request = { path: path.value, name };
        const opened = settled(await context.ask((root, caller) => root.openZip(caller, request, progress)));
        if (!opened.ok) return opened;
        const { session, warnings } = opened.value;
        const workspace = contentsPath(session);
        return ok({
          session_id: session.id,
          name: session.name,
          workspace_path: workspace as string,
          file_count: session.fileCount,
          extracted_size_bytes: session.extractedBytes,
          repo_path: repoPathOf(workspace),
          source_path: session.sourcePath as string,
          zip_hash: session.zipHash as string,
          warnings: warnings.map(({ entry, reason }) => ({ entry, reason })),
        });
      },
    });
  },
});

/** Every way of pointing out of the root is told as one; what is no path at all is not. */
function parseSource(raw: string): Result<RootPath, ZipError> {
  if (raw === "") return err(invalidParams("path", "an empty string was given; give a path such as /reports/q4.zip"));
  if (raw.includes("\\") || /^[A-Za-z]:/.test(raw.replace(/^[/.]*\//, ""))) return err(pathEscapes(raw));
  const path = normalizePath(raw);
  if (path.ok) return path;
  const { message } = path.error;
  if (message.includes('leaves the root through ".."') || message.includes("drive letter"))
    return err(pathEscapes(raw));
  return err({ code: "INVALID_PARAMS", message, details: { argument: "path" } });
}

/** The new workspace; without a name of its own it may come to lie anywhere among them. */
function needOf(name: string | null): ScopeNeed {
  if (name === null || !isSessionName(name)) return { verb: "write", path: workspacesDirectory, whole: true };
  return { verb: "write", path: contentsPath({ id: "", name }), whole: true };
}
