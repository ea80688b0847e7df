import { uploadMaxBytes } from "./limits";
import type { RootPath } from "./path";
import type { GuardFailure } from "./put-guard";
import {
  directoryExists,
  isDirectory,
  notFound,
  parentIsFile,
  type TextError,
  type TextErrorCode,
} from "./text-errors";

/** Why raw bytes were not taken or not given. The codes and words are those of the file family; the edge makes a status of the reason. */
export type FileRefusalReason =
  | "absent"
  | "not_a_file"
  /** The request, or what arrived of its body, is not what it should be. */
  | "invalid"
  /** The caller has not said which version it has seen. */
  | "unseen"
  /** What the caller says of the current version is not so. */
  | "not_as_seen"
  | "too_large"
  /** The bytes took longer than an upload may. */
  | "too_late";

export interface FileRefusal {
  readonly reason: FileRefusalReason;
  readonly code: TextErrorCode;
  readonly message: string;
}

export function nothingThere(path: RootPath, nearest: RootPath): FileRefusal {
  return because("absent", notFound(path, nearest));
}

export function directoryThere(path: RootPath): FileRefusal {
  return because("not_a_file", isDirectory(path, "see what is in it with file.list"));
}

/** A directory stands where the file should be. */
export function placeTaken(path: RootPath): FileRefusal {
  return because("not_a_file", directoryExists(path));
}

/** A file stands where a directory is needed. */
export function belowFile(path: RootPath, blocker: RootPath): FileRefusal {
  return because("not_a_file", parentIsFile(path, blocker));
}

export function guardRefusal(path: RootPath, failure: GuardFailure): FileRefusal {
  switch (failure) {
    case "unseen": {
      const message = `${path} already exists and was not changed. Read it with GET /files${path}, then send the ETag that came with it as If-Match to replace that version.`;
      return { reason: "unseen", code: "ALREADY_EXISTS", message };
    }
    case "changed": {
      const message = `${path} is not at the version that this upload is to replace, it changed or was never read. Nothing was stored. Read it again with GET /files${path}, then retry with the ETag that comes with it.`;
      return { reason: "not_as_seen", code: "HASH_MISMATCH", message };
    }
    case "gone": {
      const message = `${path} does not exist, so the version that this upload is to replace is gone. Nothing was stored. Upload it without If-Match to create it.`;
      return { reason: "not_as_seen", code: "NOT_FOUND", message };
    }
    case "present": {
      const message = `${path} already exists and was not changed: this upload was only to create it. Choose another path, or read it and replace the version that you have seen.`;
      return { reason: "not_as_seen", code: "ALREADY_EXISTS", message };
    }
  }
}

export function bodyTooLarge(path: RootPath): FileRefusal {
  const message = `${path} was not stored: the body has more than ${uploadMaxBytes} bytes, the limit of one file. Split it into several files.`;
  return { reason: "too_large", code: "TOO_LARGE", message };
}

export function overQuotaRefusal(error: TextError): FileRefusal {
  return because("too_large", error);
}

/** `why` is a whole sentence. */
export function notStored(path: RootPath, why: string): FileRefusal {
  return { reason: "invalid", code: "INVALID_ARGUMENT", message: `${path} was not stored: ${why}` };
}

export function invalidRequest(message: string): FileRefusal {
  return { reason: "invalid", code: "INVALID_ARGUMENT", message };
}

export function uploadTooLate(path: RootPath): FileRefusal {
  const message = `${path} was not stored: the upload took more than an hour. Try again over a faster connection.`;
  return { reason: "too_late", code: "INVALID_ARGUMENT", message };
}

function because(reason: FileRefusalReason, { code, message }: TextError): FileRefusal {
  return { reason, code, message };
}
