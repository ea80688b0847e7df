import { normalizePath, type RootPath } from "../path";

/** Where caches live (context.md §1). */
export const cacheRoot = "/caches" as RootPath;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const forbidden = /[\\\u0000-\u001f\u007f]/;
const driveLetter = /^[A-Za-z]:/;

/** The directory that a `cache` argument names; null for what can name none, which is answered like a cache that is not there. */
export function parseCacheIdentifier(raw: unknown): RootPath | null {
  if (typeof raw !== "string") return null;
  const segments = relativeSegments(raw);
  if (segments === null || segments.length === 0) return null;
  // Names that no path can have, and paths that are too long, cannot be there either.
  const path = normalizePath(`${cacheRoot}/${segments.join("/")}`);
  return path.ok ? path.value : null;
}

/**
 * The names of a relative path out of foreign hands, without empty ones and `.`; null if it could lead anywhere but down:
 * absolute, `..`, backslashes, control characters, a drive letter.
 */
export function relativeSegments(raw: string): string[] | null {
  if (!raw.isWellFormed() || raw.startsWith("/") || driveLetter.test(raw) || forbidden.test(raw)) return null;
  const segments = raw.split("/").filter((segment) => segment !== "" && segment !== ".");
  return segments.includes("..") ? null : segments;
}
