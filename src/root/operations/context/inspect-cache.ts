import { manifestFile } from "../../../domain/context/cache-format";
import { readManifest } from "../../../domain/context/cache-manifest";
import type { ContextError } from "../../../domain/context/errors";
import { type Inspection, inspectionOf } from "../../../domain/context/inspect";
import { contextManifestMaxBytes, directoriesMax, filesMax } from "../../../domain/limits";
import type { RootPath } from "../../../domain/path";
import { err, ok, type Result } from "../../../domain/result";
import type { RootState } from "../../root-state";
import { answered, stored } from "./storage-fault";
import { absentCache, readCacheFile } from "./take-cache";

/** context.md §6: reads the manifest alone, and the sizes beside it. */
export function inspectCache(root: RootState, path: RootPath): Promise<Result<Inspection, ContextError>> {
  return answered("context.inspect_cache", async () => {
    const missing = stored(() => absentCache(root, path));
    if (missing !== null) return err(missing);
    const manifest = stored(() => root.live.fileAt(`${path}/${manifestFile}` as RootPath));
    const { entries } = stored(() => root.live.entriesBelow(path, 1, filesMax + directoriesMax, 0));
    const filesBytes = entries.reduce((sum, entry) => sum + (entry.type === "file" ? entry.size : 0), 0);
    const bytes = await readCacheFile(root, manifest ?? undefined, contextManifestMaxBytes);
    return ok(inspectionOf(readManifest(bytes), filesBytes));
  });
}
