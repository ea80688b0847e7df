import type { ContextError } from "../../../domain/context/errors";
import { cacheRoot } from "../../../domain/context/identifier";
import type { FileBytes } from "../../../domain/context/strict-json";
import type { RootPath } from "../../../domain/path";
import { err, ok, type Result } from "../../../domain/result";
import type { RootState } from "../../root-state";
import type { ViewFile } from "../../view/tree-view";
import { stored, storedLater } from "./storage-fault";

/** A cache as it was at one moment: which contents its files had. These are read afterwards, by their hashes. */
export interface TakenCache {
  readonly path: RootPath;
  /** Everything below the cache, in the order of paths. */
  readonly files: readonly ViewFile[];
}

/** Without an await, so that a build that comes in between gives the old cache or the new one, never parts of both (context.md §5.2). */
export function takeCache(root: RootState, path: RootPath): Result<TakenCache, ContextError> {
  return stored(() => {
    const missing = absentCache(root, path);
    return missing === null ? ok({ path, files: root.live.filesBelow(path) }) : err(missing);
  });
}

/** Null: the path is a directory. */
export function absentCache(root: RootState, path: RootPath): ContextError | null {
  if (root.tree.find(path)?.kind === "directory") return null;
  return { code: root.tree.find(cacheRoot)?.kind === "file" ? "io_error" : "cache_missing" };
}

/** The path of a file relative to its cache. */
export function withinCache(cache: RootPath, path: RootPath): string {
  return path.slice(cache.length + 1);
}

/** The bytes of a file of a cache, unless it is larger than any that could be right. */
export async function readCacheFile(root: RootState, file: ViewFile | undefined, maxBytes: number): Promise<FileBytes> {
  if (file === undefined) return null;
  if (file.size > maxBytes) return "too_large";
  return storedLater(() => root.blobs.read(file.blob, root.now()));
}
