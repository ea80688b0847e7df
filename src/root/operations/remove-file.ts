import type { Sha256 } from "../../domain/hash";
import { parentOf, type RootPath } from "../../domain/path";
import { err, ok, type Result } from "../../domain/result";
import type { TextError } from "../../domain/text-errors";
import type { RootState } from "../root-state";
import { findFile } from "./find-file";
import { managedPath } from "./managed-path";
import { staleHash } from "./stale-hash";

/** MCP-011: only the version that the caller has seen. Directories stay, even when empty. */
export async function removeFile(root: RootState, path: RootPath, hash: Sha256): Promise<Result<null, TextError>> {
  const refused = managedPath(root, path, true);
  if (refused !== null) return err(refused);
  const removed = root.transaction(() => {
    const file = findFile(root.tree, path, "file.remove removes files only");
    if (!file.ok || file.value.blob !== hash) return file;
    const nowMs = root.now();
    root.tree.removeFile(file.value);
    root.blobs.condemnUnnamed(root.versions.record(path, hash, null, nowMs), nowMs);
    return ok(null);
  });
  if (!removed.ok) return removed;
  if (removed.value !== null) return err(await staleHash(root, removed.value, hash));
  root.changed({ directories: [parentOf(path)], entriesChanged: true });
  return ok(null);
}
