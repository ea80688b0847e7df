import type { RootPath } from "../../domain/path";
import type { TextError } from "../../domain/text-errors";
import { isProtected, zipfsAreaMessage } from "../../domain/zipfs-area";
import type { RootState } from "../root-state";

/** text.md §2.4: what the text family may not write. `removes`: a single file would go, which backups may. */
export function managedPath(root: RootState, path: RootPath, removes = false): TextError | null {
  const isLive = (directory: string) => root.zip.sessions.ofDirectory(directory) !== null;
  if (!isProtected(path, isLive, removes && root.tree.find(path)?.kind === "file")) return null;
  return { code: "INVALID_ARGUMENT", message: `${zipfsAreaMessage}.`, details: { argument: "path", path } };
}
