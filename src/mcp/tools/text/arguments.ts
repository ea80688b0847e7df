import { normalizePath, type RootPath, rootDirectory } from "../../../domain/path";
import { err, ok, type Result } from "../../../domain/result";
import { parseAnchor, parseHash, parseLineNumber, parseRange, parseText } from "../../../domain/text-arguments";
import { invalidArgument, isDirectory, shown, type TextError } from "../../../domain/text-errors";
import { argument, optionalArgument } from "../../argument";

/** What the tools of the text family take. The messages are those of the spec, so the checks are ours and not the schema library's. */

const range = {
  type: "array",
  items: { type: "integer" },
  minItems: 2,
  maxItems: 2,
  description:
    "[start, end]: 1-based, end exclusive; 0 means open-ended, negative counts from the end. [1, 0] is the whole file.",
};

export const pathArgument = argument(
  { type: "string", description: "Path of the file from your root, such as /notes/a.md." },
  (value) => parseString(value, "path"),
);

export const hashArgument = argument(
  {
    type: "string",
    pattern: "^[0-9a-f]{64}$",
    description: "The hash that text.read or the last edit of this file returned.",
  },
  (value) => parseHash(value),
);

export const rangeArgument = argument(range, (value) => parseRange(value));

export const optionalRangeArgument = optionalArgument(range, (value) => parseRange(value));

export const lineArgument = argument(
  {
    type: "integer",
    not: { const: 0 },
    description: "The line before which the content goes in: 1 is the first, -1 the last.",
  },
  (value) => parseLineNumber(value),
);

export const anchorArgument = argument(
  { type: "string", description: "The full content of that line, as proof that it is the one you mean." },
  (value) => parseAnchor(value),
);

/** Text that becomes part of a text file. */
export function textArgument(name: string, description: string) {
  return argument({ type: "string", description }, (value) => parseText(value, name));
}

/** The path of something that must be a file: everything but the root itself (text.md §2.1). `whenRoot` completes "/ is a directory; …". */
export function parseFilePath(raw: string, whenRoot: string): Result<RootPath, TextError> {
  const path = parsePath(raw);
  if (path.ok && path.value === rootDirectory) return err(isDirectory(path.value, whenRoot));
  return path;
}

export function parsePath(raw: string): Result<RootPath, TextError> {
  const path = normalizePath(raw);
  if (path.ok) return path;
  return err({ code: "INVALID_ARGUMENT", message: path.error.message, details: { argument: "path" } });
}

function parseString(value: unknown, name: string): Result<string, TextError> {
  if (typeof value === "string") return ok(value);
  return err(invalidArgument(name, `${shown(value)} is not a string`, "give a string"));
}
