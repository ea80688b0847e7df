import { judgeName } from "./entry-name";
import type { SyncItem } from "./plan-sync";

/**
 * The first new entry under whose name the archive could not be opened again, and why. The other families can make such files: the root
 * allows longer paths, and its drive letters are those at the beginning of a path alone.
 */
export function unusableName(items: readonly SyncItem[]): { readonly path: string; readonly why: string } | null {
  for (const item of items) {
    if (item.kind !== "new file" && item.kind !== "new directory") continue;
    const name = judgeName(item.path);
    if (name.outcome === "accepted") continue;
    const why = name.outcome === "invalid" ? name.why : "it begins with a drive letter";
    return { path: item.path, why: name.outcome === "skipped" ? name.reason : why };
  }
  return null;
}
