import { indexFile, manifestFile } from "../../../domain/context/cache-format";
import { readManifest } from "../../../domain/context/cache-manifest";
import { type ContextError, detailedAbsence } from "../../../domain/context/errors";
import { CacheVerifier, type Verification } from "../../../domain/context/verify";
import {
  contextDocumentFileMaxBytes,
  contextManifestMaxBytes,
  directoriesMax,
  filesMax,
  pathDepthMax,
} from "../../../domain/limits";
import { ancestorsOf, type RootPath } from "../../../domain/path";
import { err, ok, type Result } from "../../../domain/result";
import type { RootState } from "../../root-state";
import { answered, stored, storedPieces } from "./storage-fault";
import { readCacheFile, type TakenCache, takeCache, withinCache } from "./take-cache";

const storageFailed = {
  reason: "storage_failed",
  message: "Storage did not answer while the cache was read. Try again.",
} as const;

/** context.md §8. A broken cache is a result, not an error. */
export function verifyCache(root: RootState, path: RootPath): Promise<Result<Verification, ContextError>> {
  return answered(
    "context.verify_cache",
    async () => {
      const taken = takeWhole(root, path);
      return taken.ok ? ok(await verifyTaken(root, taken.value)) : err(detailedAbsence(taken.error));
    },
    storageFailed,
  );
}

/** A cache at one moment, with its directories. */
export interface WholeCache extends TakenCache {
  readonly directories: readonly RootPath[];
}

/** Without an await. */
export function takeWhole(root: RootState, path: RootPath): Result<WholeCache, ContextError> {
  const taken = takeCache(root, path);
  if (!taken.ok) return taken;
  const { entries } = stored(() => root.live.entriesBelow(path, pathDepthMax, filesMax + directoriesMax, 0));
  const directories = entries.filter((entry) => entry.type === "dir").map((entry) => entry.path);
  return ok({ ...taken.value, directories });
}

export async function verifyTaken(root: RootState, cache: WholeCache): Promise<Verification> {
  const within = (path: RootPath) => withinCache(cache.path, path);
  const files = new Map(cache.files.map((file) => [within(file.path), file]));
  const filled = new Set(cache.files.flatMap((file) => ancestorsOf(file.path)));
  const emptyDirectories = cache.directories.filter((path) => !filled.has(path)).map(within);
  const manifest = await readCacheFile(root, files.get(manifestFile), contextManifestMaxBytes);
  const index = await readCacheFile(root, files.get(indexFile), contextManifestMaxBytes);
  const contents = { files: new Set(files.keys()), emptyDirectories };
  const verifier = new CacheVerifier(readManifest(manifest), contents, index);
  const readable = (verifier.manifest?.documents ?? []).flatMap((entry) => {
    const file = files.get(entry.path);
    if (file === undefined) return [];
    if (file.size <= contextDocumentFileMaxBytes) return [{ entry, file }];
    verifier.checkDocument(entry, "too_large");
    return [];
  });
  let next = 0;
  const reading = root.blobs.readAll(
    readable.map(({ file }) => file),
    root.now(),
  );
  for await (const bytes of storedPieces(reading)) {
    const document = readable[next++];
    if (document !== undefined) verifier.checkDocument(document.entry, bytes);
  }
  return verifier.finish();
}
