import { z } from "zod";
import { unknownArgument } from "../../../domain/context/build-request";
import { detailedAbsence } from "../../../domain/context/errors";
import { cacheRoot } from "../../../domain/context/identifier";
import { checkNames } from "../../../domain/context/problems";
import { err, ok } from "../../../domain/result";
import { readCache } from "./cache-argument";
import { defineContextTool } from "./define-context-tool";
import { cacheInput, reading } from "./shapes";

/** context.md §8. */
export const contextVerifyCache = defineContextTool({
  name: "context.verify_cache",
  title: "Verify cache",
  description:
    "Check a context cache in full: manifest, versions, every document by its hash, index, leftovers. Tells each problem with its path.",
  annotations: reading,
  input: { ...cacheInput, additionalProperties: false },
  output: z.strictObject({
    cache: z.string(),
    cache_version: z.string(),
    valid: z.boolean(),
    checks: z.array(z.strictObject({ name: z.enum(checkNames), ok: z.boolean() })),
    problems: z.array(z.strictObject({ check: z.enum(checkNames), path: z.string(), problem: z.string() })),
    problems_truncated: z.boolean(),
  }),
  hasDetails: true,
  plan(raw) {
    const { path, needs } = readCache(raw);
    return {
      needs,
      async run(context) {
        const unknown = unknownArgument(raw, ["cache"]);
        if (unknown !== null) return err(unknown);
        if (path === null) return err(detailedAbsence({ code: "cache_missing" }));
        const verified = await context.ask((root, caller) => root.verifyCache(caller, path));
        if (!verified.ok) return verified;
        return ok({ text: JSON.stringify({ cache: path.slice(cacheRoot.length + 1), ...verified.value }) });
      },
    };
  },
});
