import { countByteLines } from "../../domain/byte-lines";
import type { Sha256 } from "../../domain/hash";
import { textFileMaxBytes } from "../../domain/limits";
import { parentOf, type RootPath } from "../../domain/path";
import { err, ok, type Result } from "../../domain/result";
import { directoryExists, fileExists, parentIsFile, type TextError, tooLarge } from "../../domain/text-errors";
import { isText } from "../../domain/text-kind";
import type { RootState } from "../root-state";
import type { Tree } from "../store/tree";
import { managedPath } from "./managed-path";
import { overQuota } from "./quota";

/** MCP-010: a new file and the directories it lacks. Never overwrites, so it needs no hash. */
export async function createFile(
  root: RootState,
  path: RootPath,
  bytes: Uint8Array,
): Promise<Result<Sha256, TextError>> {
  const refused = managedPath(root, path) ?? obstacle(root.tree, path);
  if (refused !== null) return err(refused);
  // After what stands in the way (text.md §4.2): whoever cannot have the path need not shorten the content.
  if (bytes.length > textFileMaxBytes) return err(tooLarge(path, bytes.length, "file.create", textFileMaxBytes));
  const lines = isText(bytes) ? countByteLines(bytes) : null;
  const staged = await root.blobs.stage(bytes, lines, root.now());
  const added = root.transaction((): Result<RootPath[], TextError> => {
    const nowMs = root.now();
    const error =
      managedPath(root, path) ??
      obstacle(root.tree, path) ??
      overQuota(root.tree, path, { files: 1, bytes: staged.size });
    if (error !== null) return err(error);
    root.blobs.adopt(staged, nowMs);
    const directories = root.tree.addFile(path, staged, nowMs);
    root.blobs.condemnUnnamed(root.versions.settle(path, staged.blob), nowMs);
    return ok(directories);
  });
  if (!added.ok) return added;
  const [topmost] = added.value;
  root.changed({
    directories: [...(topmost === undefined ? [] : [parentOf(topmost), ...added.value.slice(0, -1)]), parentOf(path)],
    entriesChanged: true,
  });
  return ok(staged.blob);
}

/** What stands in the way of a new file. */
function obstacle(tree: Tree, path: RootPath): TextError | null {
  const blocker = tree.existingAncestors(path).find((node) => node.kind === "file");
  if (blocker !== undefined) return parentIsFile(path, blocker.path);
  const present = tree.find(path);
  if (present === null) return null;
  return present.kind === "file" ? fileExists(path) : directoryExists(path);
}
