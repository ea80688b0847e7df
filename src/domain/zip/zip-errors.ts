import { quote } from "../quote";
import type { Forbidden } from "../snapshot-errors";

/** The closed set of codes of the zip family (seed 003, zipfs.md §2.5). */
export type ZipErrorCode =
  | "SESSION_NOT_FOUND"
  | "AMBIGUOUS_SESSION"
  | "NO_SESSIONS"
  | "ZIP_NOT_FOUND"
  | "ZIP_INVALID"
  | "ZIP_BOMB_DETECTED"
  | "CONFLICT_DETECTED"
  | "SYNC_FAILED"
  | "PATH_TRAVERSAL"
  | "PATH_NOT_FOUND"
  | "LOCKED"
  | "LIMIT_EXCEEDED"
  | "NAME_COLLISION"
  | "INVALID_PARAMS"
  | "INTERNAL_ERROR";

export interface ZipError {
  readonly code: ZipErrorCode;
  readonly message: string;
  readonly details?: Readonly<Record<string, string | number | boolean>>;
}

export type ZipFailure = ZipError | Forbidden;

/** What is wrong with an archive, before its path is put into the message. */
export type ArchiveFlaw =
  | { readonly kind: "invalid"; readonly reason: string }
  | { readonly kind: "bomb"; readonly reason: string }
  | { readonly kind: "escape"; readonly entry: string }
  | { readonly kind: "limit"; readonly what: string; readonly value: number; readonly limit: number };

export function invalid(reason: string): ArchiveFlaw {
  return { kind: "invalid", reason };
}

export function bomb(reason: string): ArchiveFlaw {
  return { kind: "bomb", reason };
}

/** A flaw in the words of `zipfs_open`. */
export function flawError(flaw: ArchiveFlaw, source: string): ZipError {
  switch (flaw.kind) {
    case "invalid":
      return zipInvalid(source, flaw.reason);
    case "bomb":
      return { code: "ZIP_BOMB_DETECTED", message: `Zip bomb detected: ${flaw.reason}.` };
    case "escape":
      return {
        code: "PATH_TRAVERSAL",
        message: `Entry ${quote(flaw.entry)} of ${quote(source)} attempts to escape the workspace; nothing was extracted.`,
        details: { entry: flaw.entry },
      };
    case "limit":
      return limitExceeded(flaw.what, flaw.value, flaw.limit, "Open a smaller archive");
  }
}

/** The reason of a failed sync, from a flaw of the archive that it made. */
export function flawReason(flaw: ArchiveFlaw): string {
  if (flaw.kind === "limit") return `${flaw.what} (${flaw.value}) exceeds ${flaw.limit}`;
  return flaw.kind === "escape" ? `entry ${quote(flaw.entry)} attempts to escape the workspace` : flaw.reason;
}

export function zipInvalid(source: string, reason: string): ZipError {
  return { code: "ZIP_INVALID", message: `File ${quote(source)} is not a valid zip archive: ${reason}.` };
}

export function zipNotFound(source: string): ZipError {
  return { code: "ZIP_NOT_FOUND", message: `Zip file ${quote(source)} not found in your root.` };
}

export function limitExceeded(what: string, value: number, limit: number, advice: string): ZipError {
  return {
    code: "LIMIT_EXCEEDED",
    message: `Limit exceeded: ${what} (${value}) exceeds ${limit}. ${advice}.`,
    details: { value, limit },
  };
}

export function invalidParams(argument: string, what: string): ZipError {
  return { code: "INVALID_PARAMS", message: `${argument}: ${what}.`, details: { argument } };
}

export function pathEscapes(path: string): ZipError {
  return { code: "PATH_TRAVERSAL", message: `Path ${quote(path)} attempts to escape the workspace.` };
}

export function pathNotFound(path: string): ZipError {
  return { code: "PATH_NOT_FOUND", message: `Path ${quote(path)} not found in the workspace.` };
}

export function nameCollision(name: string, id: string, source: string): ZipError {
  return {
    code: "NAME_COLLISION",
    message: `Session name ${quote(name)} is already in use by session ${id} (${source}). Close it or choose another name.`,
    details: { session_id: id },
  };
}

export function conflictDetected(source: string): ZipError {
  return {
    code: "CONFLICT_DETECTED",
    message: `Source zip ${source} has been modified since it was opened. Use force=true to overwrite.`,
    details: { source_path: source },
  };
}

export function sourceGone(source: string): ZipError {
  return {
    code: "ZIP_NOT_FOUND",
    message: `Source zip ${quote(source)} was deleted since it was opened. Use force=true to write it again.`,
  };
}

export function syncFailed(reason: string): ZipError {
  return { code: "SYNC_FAILED", message: `Sync failed: ${reason}. The source zip is untouched.` };
}

export function locked(session: string, kind: string, since: string): ZipError {
  return {
    code: "LOCKED",
    message: `Session ${quote(session)} is locked by another operation (${kind}, since ${since}). Try again shortly.`,
  };
}
