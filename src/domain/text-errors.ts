import { parentOf, type RootPath } from "./path";
import { cutCodePoints, quote } from "./quote";

/** The closed set of codes of `file.*` and `text.*` (text.md §4.3). */
export type TextErrorCode =
  /** Nothing at the path (MCP-050). */
  | "NOT_FOUND"
  /** `file.create` never overwrites. */
  | "ALREADY_EXISTS"
  /** The cited hash is not the current one (MCP-034). */
  | "HASH_MISMATCH"
  /** The hash was right, the lines are not what the caller believes (MCP-045, MCP-046). */
  | "LINE_MISMATCH"
  /** The bytes are not text. */
  | "NOT_TEXT"
  /** Over a constant of `limits.ts`. */
  | "TOO_LARGE"
  /** The arguments alone are wrong, or name the wrong kind of thing. */
  | "INVALID_ARGUMENT"
  /** A fault of ours. */
  | "INTERNAL";

/** What details hold: plain values, which cross every border unchanged. */
export type ErrorDetail = string | number | boolean | readonly number[];

/** A failure as the caller will see it. MCP-052: the message tells what was asked, what is there, what to do next. */
export interface TextError {
  readonly code: TextErrorCode;
  readonly message: string;
  readonly details?: Readonly<Record<string, ErrorDetail>>;
}

/** `nearest` is the deepest directory above the path that exists. */
export function notFound(path: RootPath, nearest: RootPath = parentOf(path)): TextError {
  const message = `${path} does not exist. Call file.list with path ${quote(nearest)} to see what is there, or create it with file.create.`;
  return { code: "NOT_FOUND", message, details: { path } };
}

export function fileExists(path: RootPath): TextError {
  const message = `${path} already exists and was not changed. Read it with text.read and edit it with text.replace, or choose another path.`;
  return { code: "ALREADY_EXISTS", message, details: { path, type: "file" } };
}

export function directoryExists(path: RootPath): TextError {
  return {
    code: "ALREADY_EXISTS",
    message: `${path} is a directory. Choose a file name inside it.`,
    details: { path, type: "directory" },
  };
}

/** A file stands where a directory is needed. */
export function parentIsFile(path: RootPath, blocker: RootPath): TextError {
  const message = `${blocker} is a file, so ${path} cannot be created below it. Choose another path.`;
  return { code: "ALREADY_EXISTS", message, details: { path, blocker } };
}

export function notText(path: RootPath, why: string, offset: number): TextError {
  const message = `${path} is not text (${why}), so it has no lines. Use GET /files${path} or snapshot.file to read its bytes.`;
  return { code: "NOT_TEXT", message, details: { path, offset } };
}

/** `hint` is a sentence on what to do instead, by default the way for large files. */
export function tooLarge(
  path: RootPath,
  size: number,
  tool: string,
  max: number,
  hint = `Use PUT/GET /files${path} for large files.`,
): TextError {
  const message = `${path} has ${size} bytes; the limit of ${tool} is ${max}. ${hint}`;
  return { code: "TOO_LARGE", message, details: { path, size, max } };
}

/** `given` says what was given, `wanted` what is wanted. */
export function invalidArgument(argument: string, given: string, wanted: string): TextError {
  return { code: "INVALID_ARGUMENT", message: `${argument}: ${given}; ${wanted}.`, details: { argument } };
}

/** `wanted` completes the sentence "/x is a directory; …". */
export function isDirectory(path: RootPath, wanted: string): TextError {
  return {
    code: "INVALID_ARGUMENT",
    message: `${path} is a directory; ${wanted}.`,
    details: { argument: "path", path },
  };
}

export function isFile(path: RootPath): TextError {
  return {
    code: "INVALID_ARGUMENT",
    message: `${path} is a file; read it with text.read.`,
    details: { argument: "path", path },
  };
}

/** What a caller with a known former version may see: the new hash, and the change that led to it (text.md §6.3). */
export interface SeenChange {
  readonly currentHash: string;
  readonly totalLines: number;
  readonly diff: string;
}

/** With `change` the caller learns the current hash together with the diff, without it neither. */
export function hashMismatch(path: RootPath, hash: string, kind: "text" | "binary", change?: SeenChange): TextError {
  const cited = `${hash.slice(0, 12)}…`;
  if (change) {
    const message = `${path} changed since the version you cite (${cited}). The diff below leads from your version to the current one. Check that your edit still holds, then retry with hash ${change.currentHash}.`;
    const details = { path, hash, current_hash: change.currentHash, total_lines: change.totalLines, diff: change.diff };
    return { code: "HASH_MISMATCH", message, details };
  }
  const reader = kind === "text" ? "text.read" : `GET /files${path} (ETag)`;
  const message = `${path} is not at the version you cite (${cited}), it changed or was never read. Read it again with ${reader}, then retry with the hash it returns.`;
  return { code: "HASH_MISMATCH", message, details: { path, hash } };
}

/** No stack, no storage key: the log has those under the same id. */
export function internal(id: string): TextError {
  return { code: "INTERNAL", message: `Internal error ${id}. Nothing was changed. Try again.`, details: { id } };
}

/** A value of the caller inside a message: JSON, cut. */
export function shown(value: unknown): string {
  if (typeof value === "string") return quote(value);
  return cutCodePoints(JSON.stringify(value)?.replaceAll(",", ", ") ?? String(value), 120);
}
