import type { ServerContext } from "@modelcontextprotocol/server";
import { parseSha256 } from "../../../domain/hash";
import { err, ok, type Result } from "../../../domain/result";
import { shown } from "../../../domain/text-errors";
import { parseWorkspacePath, type WorkspacePath } from "../../../domain/zip/workspace-path";
import { invalidParams, type ZipError, type ZipFailure } from "../../../domain/zip/zip-errors";
import { argument, optionalArgument } from "../../argument";
import { ForbiddenByLookup, reportProgress } from "../../call-context";
import type { ToolError } from "../../tool";

/** What the tools of the zip family take. */

export const sessionArgument = optionalArgument(
  {
    type: ["string", "null"],
    description:
      "Name, id or beginning of the id (4 characters or more) of a session. May be left out while only one is open.",
  },
  (value): Result<string | null, ZipError> => (value === null ? ok(null) : parseString(value, "session")),
);

export const filePathArgument = argument(
  { type: "string", description: "Path relative to the workspace, such as data/a.csv." },
  (value) => parseString(value, "path"),
);

export const placeArgument = optionalArgument(
  { type: "string", default: "/", description: "Path relative to the workspace; / is all of it." },
  (value) => parseString(value, "path"),
);

export function stringArgument(name: string, description: string) {
  return argument({ type: "string", description }, (value) => parseString(value, name));
}

export function optionalStringArgument(name: string, description: string) {
  return optionalArgument({ type: "string", description }, (value) => parseString(value, name));
}

export function flagArgument(name: string, fallback: boolean, description: string) {
  return optionalArgument({ type: "boolean", default: fallback, description }, (value) =>
    typeof value === "boolean" ? ok(value) : refuse(name, `${shown(value)} is not a boolean; give true or false`),
  );
}

export function integerArgument(name: string, min: number, max: number, description: string, fallback?: number) {
  const bounds = max === Number.MAX_SAFE_INTEGER ? { minimum: min } : { minimum: min, maximum: max };
  const schema = { type: "integer", ...bounds, ...(fallback !== undefined && { default: fallback }), description };
  return optionalArgument(schema, (value) => {
    if (Number.isInteger(value) && (value as number) >= min) {
      if ((value as number) <= max) return ok(value as number);
      // Without a bound, what is too large to count means as many as there can be.
      if (max === Number.MAX_SAFE_INTEGER) return ok(max);
    }
    const wanted = max === Number.MAX_SAFE_INTEGER ? `an integer from ${min}` : `an integer from ${min} to ${max}`;
    return refuse(name, `${shown(value)} is not allowed; give ${wanted}`);
  });
}

export function encodingArgument(description: string, fallback?: "utf-8") {
  const schema = { type: "string", enum: ["utf-8", "base64"], ...(fallback && { default: fallback }), description };
  return optionalArgument(
    schema,
    (value): Result<"utf-8" | "base64", ZipError> =>
      value === "utf-8" || value === "base64"
        ? ok(value)
        : refuse("encoding", `${shown(value)} is not an encoding; give "utf-8" or "base64"`),
  );
}

export const hashArgument = optionalArgument(
  { type: "string", pattern: "^[0-9a-f]{64}$", description: "Hash of the version to replace, as zipfs_read gave it." },
  (value) => {
    const hash = parseSha256(value);
    return hash === null ? refuse("hash", `${shown(value)} is not a hash; give 64 lower-case hex digits`) : ok(hash);
  },
);

/** Null is as good as leaving it out. */
export function sessionOf(input: { readonly session?: string | null | undefined }): string | null {
  return input.session ?? null;
}

export function parsePath(raw: string | undefined, writes = false): Result<WorkspacePath, ZipError> {
  return parseWorkspacePath(raw ?? "/", writes);
}

/** What an operation answered; a reach beyond the token's scopes leaves the tool altogether. */
export function settled<T>(outcome: Result<T, ZipFailure>): Result<T, ToolError> {
  if (outcome.ok) return ok(outcome.value);
  const { error } = outcome;
  if (error.code === "FORBIDDEN") throw new ForbiddenByLookup(error.need);
  return err(error);
}

/** Tells the client how far the user's object has come, if the client wants to know. */
export function progressTo(server: ServerContext | null): ((done: number, total: number) => Promise<void>) | null {
  if (server?.mcpReq._meta?.progressToken === undefined) return null;
  return (done, total) => reportProgress(server, done, total);
}

export function parseString(value: unknown, name: string): Result<string, ZipError> {
  if (typeof value !== "string") return refuse(name, `${shown(value)} is not a string; give a string`);
  return value.isWellFormed() ? ok(value) : refuse(name, "the text has a lone surrogate; give well-formed Unicode");
}

function refuse(name: string, what: string): Result<never, ZipError> {
  return err(invalidParams(name, what));
}
