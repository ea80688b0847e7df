import { z } from "zod";
import { ok } from "../../../domain/result";
import { utcSeconds } from "../../../domain/zip/entry-times";
import { contentsPath, workspacesDirectory } from "../../../domain/zip/workspace-path";
import { defineTool } from "../../tool";

/** zipfs.md §7. */
export const zipfsSessions = defineTool({
  name: "zipfs_sessions",
  family: "zip",
  title: "List zip sessions",
  description: "List all open zip sessions.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  input: z.strictObject({}),
  output: z.strictObject({
    sessions: z.array(
      z.strictObject({
        id: z.string(),
        name: z.string(),
        source_path: z.string(),
        state: z.enum(["open", "syncing"]),
        created_at: z.string(),
        last_accessed_at: z.string(),
        file_count: z.int(),
        extracted_size_bytes: z.int(),
        workspace_path: z.string(),
        last_synced_at: z.string().nullable(),
        current_file_count: z.int(),
        current_size_bytes: z.int(),
      }),
    ),
  }),
  plan() {
    return ok({
      needs: [{ verb: "read", path: workspacesDirectory, whole: true }],
      async run(context) {
        const sessions = await context.ask((root, caller) => root.listZipSessions(caller));
        return ok({
          sessions: sessions.map((session) => ({
            id: session.id,
            name: session.name,
            source_path: session.sourcePath as string,
            state: session.state,
            created_at: utcSeconds(session.createdAtMs),
            last_accessed_at: utcSeconds(session.accessedAtMs),
            file_count: session.fileCount,
            extracted_size_bytes: session.extractedBytes,
            workspace_path: contentsPath(session) as string,
            last_synced_at: session.syncedAtMs === null ? null : utcSeconds(session.syncedAtMs),
            current_file_count: session.currentFiles,
            current_size_bytes: session.currentBytes,
          })),
        });
      },
    });
  },
});
