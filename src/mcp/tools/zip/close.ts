import { z } from "zod";
import { ok } from "../../../domain/result";
import { defineTool } from "../../tool";
import { flagArgument, progressTo, sessionArgument, sessionOf, settled } from "./arguments";

/** zipfs.md §7. */
export const zipfsClose = defineTool({
  name: "zipfs_close",
  family: "zip",
  title: "Close zip",
  description:
    "Close a zip session and remove its workspace. Changes that were not synced are discarded, unless sync is true.",
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  input: z.strictObject({
    session: sessionArgument,
    sync: flagArgument("sync", false, "Write changes back into the archive first; if that fails, the session stays."),
  }),
  output: z.strictObject({
    closed: z.literal(true),
    synced: z.boolean(),
    discarded: z.strictObject({ modified: z.int(), added: z.int(), deleted: z.int() }),
  }),
  plan(input) {
    const { sync: syncs = false } = input;
    return ok({
      needs: [],
      async run(context, server) {
        const progress = progressTo(server);
        const request = { session: sessionOf(input), scopes: context.principal.scopes, syncs };
        const closed = settled(await context.ask((root, caller) => root.closeZip(caller, request, progress)));
        if (!closed.ok) return closed;
        const { synced, modified, added, deleted } = closed.value;
        return ok({ closed: true as const, synced, discarded: { modified, added, deleted } });
      },
    });
  },
});
