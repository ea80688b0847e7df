import { type FileRefusal, invalidRequest } from "../domain/file-refusals";
import { normalizePath, type RootPath, rootDirectory } from "../domain/path";
import { err, type Result } from "../domain/result";

const prefix = "/files/";

/** The path that a URL names: of the raw text, percent-decoded once, then as everywhere (text.md §2.1). */
export function parseRequestPath(rawPath: string): Result<RootPath, FileRefusal> {
  let decoded: string;
  try {
    decoded = decodeURIComponent(rawPath.slice(prefix.length));
  } catch {
    return err(invalidRequest("path: the percent-encoding is malformed; encode the UTF-8 bytes of each name."));
  }
  const path = normalizePath(decoded === "" ? rootDirectory : decoded);
  return path.ok ? path : err(invalidRequest(path.error.message));
}
