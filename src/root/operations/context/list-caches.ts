import { manifestFile } from "../../../domain/context/cache-format";
import type { ContextError } from "../../../domain/context/errors";
import { cacheRoot } from "../../../domain/context/identifier";
import { directoriesMax } from "../../../domain/limits";
import type { RootPath } from "../../../domain/path";
import { err, ok, type Result } from "../../../domain/result";
import type { RootState } from "../../root-state";
import { answered, stored } from "./storage-fault";

export interface ListedCache {
  readonly path: string;
  readonly has_manifest: boolean;
}

/** context.md §4: a look around, without a look into anything. */
export function listCaches(root: RootState): Promise<Result<ListedCache[], ContextError>> {
  return answered("context.list_caches", async () =>
    stored((): Result<ListedCache[], ContextError> => {
      if (root.tree.find(cacheRoot)?.kind === "file") return err({ code: "io_error" });
      // Directories come first, in the order of the bytes of their names.
      const entries = root.tree.children(cacheRoot, directoriesMax, 0);
      const caches = entries.filter(({ type }) => type === "directory");
      return ok(caches.map(({ name }) => ({ path: name, has_manifest: hasManifest(root, name) })));
    }),
  );
}

function hasManifest(root: RootState, name: string): boolean {
  return root.tree.find(`${cacheRoot}/${name}/${manifestFile}` as RootPath)?.kind === "file";
}
