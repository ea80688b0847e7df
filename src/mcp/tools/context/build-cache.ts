import type { ServerContext } from "@modelcontextprotocol/server";
import { z } from "zod";
import {
  type BuildRequest,
  buildDefaults,
  cacheNamePattern,
  parseBuildRequest,
  parseTarget,
} from "../../../domain/context/build-request";
import { cacheRoot } from "../../../domain/context/identifier";
import { contextGlobsMax } from "../../../domain/limits";
import { normalizePath } from "../../../domain/path";
import { ok } from "../../../domain/result";
import type { ScopeNeed } from "../../../domain/scopes";
import type { BuiltCache } from "../../../root/operations/context/build-cache";
import { reportProgress } from "../../call-context";
import { defineContextTool, type RawArguments } from "./define-context-tool";

const globs = { type: "array", items: { type: "string" }, maxItems: contextGlobsMax } as const;
const onTrouble = { type: "string", enum: ["error", "skip"], default: "error" } as const;
const flag = { type: "boolean", default: false } as const;

/** context.md §7. */
export const contextBuildCache = defineContextTool({
  name: "context.build_cache",
  title: "Build cache",
  description:
    "Build a context cache from the files of a directory, a zip workspace or a snapshot. Replaces an existing cache as a whole and only with force; the same files give the same cache_version.",
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  input: {
    properties: {
      cache: { type: "string", pattern: cacheNamePattern, description: "Name of the cache to build." },
      sources: {
        type: "string",
        default: buildDefaults.sources,
        description: "Directory whose files become documents; a zip workspace path is fine.",
      },
      snapshot_id: {
        type: "string",
        pattern: "^sha256:[0-9a-f]{64}$",
        description: "Take the sources from this snapshot instead of the live files.",
      },
      include: {
        ...globs,
        minItems: 1,
        default: buildDefaults.include,
        description: "Globs on paths relative to sources: * ? [a-z] {a,b} **",
      },
      exclude: { ...globs, default: buildDefaults.exclude, description: "Globs to leave out; wins over include." },
      force: { ...flag, description: "Replace what is there." },
      on_invalid_utf8: { ...onTrouble, description: "What to do about files that are not UTF-8." },
      on_duplicate_content: { ...onTrouble, description: "What to do about files of the same content." },
      dry_run: { ...flag, description: "Everything but writing." },
    },
    required: ["cache"],
    additionalProperties: false,
  },
  output: z.strictObject({
    cache: z.string(),
    path: z.string(),
    cache_version: z.string(),
    document_count: z.int(),
    total_bytes: z.int(),
    content_bytes: z.int(),
    skipped: z.array(z.strictObject({ path: z.string(), reason: z.enum(["invalid_utf8", "duplicate_content"]) })),
    unchanged: z.boolean(),
    dry_run: z.boolean(),
  }),
  hasDetails: true,
  plan(raw) {
    return {
      needs: needsOf(raw),
      async run(context, server) {
        const request = parseBuildRequest(raw);
        if (!request.ok) return request;
        const { value } = request;
        const progress = progressOf(server);
        const built = await context.ask((root, caller) => root.buildCache(caller, value, progress));
        if (!built.ok) return built;
        const { snapshotId } = value;
        const provenance = snapshotId === null ? {} : { meta: { "holdfast/provenance": { snapshot_id: snapshotId } } };
        return ok({ text: answerText(value, built.value), ...provenance });
      },
    };
  },
});

/** Sources that are no path are not read; the target is asked for in any case. */
function needsOf(raw: RawArguments): ScopeNeed[] {
  const sources = normalizePath(raw.sources ?? buildDefaults.sources);
  const read = sources.ok ? [{ verb: "read" as const, path: sources.value, whole: true }] : [];
  return [...read, { verb: "write", path: parseTarget(raw.cache) ?? cacheRoot, whole: true }];
}

function answerText({ cache, target, dryRun }: BuildRequest, built: BuiltCache): string {
  return JSON.stringify({
    cache,
    path: target,
    cache_version: built.cacheVersion,
    document_count: built.documentCount,
    total_bytes: built.totalBytes,
    content_bytes: built.contentBytes,
    skipped: built.skipped.map(({ path, reason }) => ({ path, reason })),
    unchanged: built.unchanged,
    dry_run: dryRun,
  });
}

/** Null: the client did not ask to be told. */
function progressOf(server: ServerContext | null) {
  if (server?.mcpReq._meta?.progressToken === undefined) return null;
  return (done: number, total: number) => reportProgress(server, done, total, `${done} of ${total} documents`);
}
