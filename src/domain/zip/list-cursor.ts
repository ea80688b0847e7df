import { decodeBase64, encodeBase64 } from "../base64";

/** Which listing a cursor goes on with, and after which path of the workspace. */
export interface ListCursor {
  readonly sessionId: string;
  readonly path: string;
  readonly recursive: boolean;
  readonly after: string;
}

export function encodeCursor({ sessionId, path, recursive, after }: ListCursor): string {
  return encodeBase64(new TextEncoder().encode(JSON.stringify([sessionId, path, recursive, after])));
}

/** The path after which to go on; null if the cursor is none of this listing. */
export function decodeCursor(text: string, listing: Omit<ListCursor, "after">): string | null {
  const bytes = decodeBase64(text);
  if (!bytes.ok) return null;
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes.value));
    if (!Array.isArray(value) || value.length !== 4 || typeof value[3] !== "string") return null;
    const [sessionId, path, recursive, after] = value as [unknown, unknown, unknown, string];
    const fits = sessionId === listing.sessionId && path === listing.path && recursive === listing.recursive;
    return fits && isListed(after, listing) ? after : null;
  } catch {
    return null;
  }
}

/** Could the listing have given this path? */
function isListed(after: string, { path, recursive }: Omit<ListCursor, "after">): boolean {
  const directory = path === "" ? "" : `${path}/`;
  if (!after.startsWith(directory) || !after.isWellFormed()) return false;
  const names = after.slice(directory.length).split("/");
  return (recursive || names.length === 1) && !names.some((name) => name === "" || name === "." || name === "..");
}
