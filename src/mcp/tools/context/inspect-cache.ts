import { z } from "zod";
import { err, ok } from "../../../domain/result";
import { readCache } from "./cache-argument";
import { defineContextTool } from "./define-context-tool";
import { cacheInput, reading } from "./shapes";

/** Seed 004; context.md §6. */
export const contextInspectCache = defineContextTool({
  name: "context.inspect_cache",
  title: "Inspect cache",
  description:
    "Show version, number of documents and size of a context cache, and whether its manifest can be read. Documents are not looked at: that is context.verify_cache.",
  annotations: reading,
  input: cacheInput,
  output: z.strictObject({
    cache_version: z.string(),
    document_count: z.int(),
    total_bytes: z.int(),
    valid: z.boolean(),
  }),
  plan(raw) {
    const { path, needs } = readCache(raw);
    return {
      needs,
      async run(context) {
        if (path === null) return err({ code: "cache_missing" });
        const inspection = await context.ask((root, caller) => root.inspectCache(caller, path));
        return inspection.ok ? ok({ text: JSON.stringify(inspection.value) }) : inspection;
      },
    };
  },
});
