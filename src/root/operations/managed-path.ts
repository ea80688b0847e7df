import type { RootPath } from "../../domain/path";
import type { TextError } from "../../domain/text-errors";
import { isManagedByZipfs, zipfsAreaMessage } from "../../domain/zipfs-area";

/** text.md §2.4: what the text family may not write. */
export function managedPath(path: RootPath): TextError | null {
  if (!isManagedByZipfs(path)) return null;
  return { code: "INVALID_ARGUMENT", message: `${zipfsAreaMessage}.`, details: { argument: "path", path } };
}
