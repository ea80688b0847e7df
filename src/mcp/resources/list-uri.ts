import { normalizePath, type RootPath, rootDirectory } from "../../domain/path";
import { quote } from "../../domain/quote";
import { err, ok, type Result } from "../../domain/result";

const scheme = "list://";

export type ListUriError = { readonly kind: "other_scheme" } | { readonly kind: "invalid"; readonly message: string };

/** The path of a `list://` URI, from the raw string: `new URL` would rewrite names and drop parts of them (text.md §5). */
export function parseListUri(uri: string): Result<RootPath, ListUriError> {
  if (!uri.startsWith(scheme)) return err({ kind: "other_scheme" });
  const raw = uri.slice(scheme.length);
  if (raw === "") return ok(rootDirectory);
  let decoded: string;
  try {
    decoded = decodeURIComponent(raw);
  } catch {
    return err({ kind: "invalid", message: `uri: ${quote(uri)} has a malformed percent escape.` });
  }
  const path = normalizePath(decoded);
  return path.ok ? path : err({ kind: "invalid", message: path.error.message });
}
