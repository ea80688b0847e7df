import { type Candidate, chooseCandidates, planDocuments, type Skipped } from "../../../domain/context/build-plan";
import type { BuildRequest } from "../../../domain/context/build-request";
import { cacheVersion } from "../../../domain/context/cache-format";
import type { ContextError } from "../../../domain/context/errors";
import type { Sha256 } from "../../../domain/hash";
import { err, ok, type Result } from "../../../domain/result";
import type { RootState } from "../../root-state";
import { checkTarget } from "./check-target";
import { answered, stored, storedPieces } from "./storage-fault";
import { swapCache, swapRefused } from "./swap-cache";
import { takeSources } from "./take-sources";
import { type Progress, writeDocuments } from "./write-documents";

export interface BuiltCache {
  readonly cacheVersion: string;
  readonly documentCount: number;
  /** As inspect will say. */
  readonly totalBytes: number;
  readonly contentBytes: number;
  readonly skipped: readonly Skipped[];
  readonly unchanged: boolean;
}

const storageFailed = {
  reason: "storage_failed",
  message: "Storage did not answer while the cache was built. What was there before is still there. Try again.",
} as const;

/** context.md §7: sources at one moment, contents before anything names them, one transaction that swaps the whole directory. */
export function buildCache(
  root: RootState,
  request: BuildRequest,
  progress: Progress | null,
): Promise<Result<BuiltCache, ContextError>> {
  return answered("context.build_cache", () => build(root, request, progress), storageFailed);
}

async function build(
  root: RootState,
  request: BuildRequest,
  progress: Progress | null,
): Promise<Result<BuiltCache, ContextError>> {
  const sources = await takeSources(root, request);
  if (!sources.ok) return sources;
  const candidates = chooseCandidates(sources.value, request);
  if (!candidates.ok) return candidates;
  const utf8 = await utf8Among(root, candidates.value);
  const plan = planDocuments(candidates.value, ({ blob }) => utf8.has(blob), request);
  if (!plan.ok) return plan;
  const { documents, skipped } = plan.value;
  const version = cacheVersion(documents);
  const target = await checkTarget(root, request, version);
  if (!target.ok) return target;
  const built = (totalBytes: number, unchanged: boolean): BuiltCache => ({
    cacheVersion: version,
    documentCount: documents.length,
    totalBytes,
    contentBytes: documents.reduce((sum, { size }) => sum + size, 0),
    skipped,
    unchanged,
  });
  if (target.value.kind === "unchanged") return ok(built(target.value.filesBytes, true));
  const written = await writeDocuments(root, request, documents, progress);
  if (!written.ok) return written;
  const { files, ownBytes } = written.value;
  const { state } = target.value;
  const refused = request.dryRun
    ? stored(() => swapRefused(root, request, files))
    : swapCache(root, request, state, files);
  return refused === null ? ok(built(ownBytes, false)) : err(refused);
}

/** Of the candidates that are not text, those that are UTF-8 all the same: a NUL does no harm here. */
async function utf8Among(root: RootState, candidates: readonly Candidate[]): Promise<ReadonlySet<Sha256>> {
  const doubtful = candidates.filter(({ lines }) => lines === null);
  const found = new Set<Sha256>();
  let next = 0;
  for await (const bytes of storedPieces(root.blobs.readAll(doubtful, root.now()))) {
    const candidate = doubtful[next++];
    if (candidate !== undefined && isUtf8(bytes)) found.add(candidate.blob);
  }
  return found;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
