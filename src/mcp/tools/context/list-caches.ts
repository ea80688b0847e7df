import { z } from "zod";
import { cacheRoot } from "../../../domain/context/identifier";
import { ok } from "../../../domain/result";
import { defineContextTool } from "./define-context-tool";
import { reading } from "./shapes";

/** Seed 004; context.md §4. */
export const contextListCaches = defineContextTool({
  name: "context.list_caches",
  title: "List caches",
  description: "List the context caches in /caches, and whether each has a manifest. Nothing is parsed.",
  annotations: reading,
  input: { properties: {} },
  output: z.strictObject({ caches: z.array(z.strictObject({ path: z.string(), has_manifest: z.boolean() })) }),
  tooLarge: "io_error",
  plan() {
    return {
      needs: [{ verb: "read", path: cacheRoot, listing: true }],
      async run(context) {
        const caches = await context.ask((root, caller) => root.listCaches(caller));
        return caches.ok ? ok({ text: JSON.stringify({ caches: caches.value }) }) : caches;
      },
    };
  },
});
