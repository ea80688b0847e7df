/** The closed set of codes of the context family, with their canonical messages (context.md §2). They never change. */
export const contextMessages = {
  /** The identifier is refused, or names nothing, or no directory. */
  cache_missing: "Cache does not exist",
  /** Manifest or documents are not what §5.2 asks for. Retrying does not help. */
  cache_invalid: "Cache exists but is invalid",
  invalid_query: "Query is invalid",
  invalid_budget: "Budget is invalid",
  /** Storage failed, or the cache root is no directory. Retrying may help. */
  io_error: "I/O error occurred",
  /** A fault of ours. */
  internal_error: "Internal error",
} as const;

export type ContextErrorCode = keyof typeof contextMessages;

/** Why `build_cache` or `verify_cache` refused (context.md §7, §8). The last ones are for what no argument can mend. */
export type ContextReason =
  | "invalid_argument"
  | "source_missing"
  | "source_not_directory"
  | "cache_exists"
  | "cache_changed"
  | "invalid_utf8"
  | "duplicate_id"
  | "duplicate_content"
  | "too_large"
  | "cache_missing"
  | "cache_root_not_directory"
  | "storage_failed"
  | "internal";

/** `message` says what was asked, what is there and what to do next. */
export interface ContextDetails {
  readonly reason: ContextReason;
  readonly message: string;
  readonly [key: string]: string | number | readonly string[];
}

export interface ContextError {
  readonly code: ContextErrorCode;
  /** Only of build and verify: the other tools say nothing but code and message. */
  readonly details?: ContextDetails;
  /** For people and models, beside the body. */
  readonly hint?: string;
}

/** The body of an error, as every tool of the family answers it. */
export function errorBody({ code, details }: ContextError) {
  return { error: { code, message: contextMessages[code], ...(details !== undefined && { details }) } };
}

export function invalidArgument(argument: string, given: string, wanted: string): ContextError {
  const message = `${argument}: ${given}; ${wanted}.`;
  return { code: "invalid_query", details: { reason: "invalid_argument", message, argument } };
}

/** `limit` and `value` are what is allowed and what there would be. */
export function tooLarge(message: string, limit: number, value: number, path?: string): ContextError {
  const at = path === undefined ? {} : { path };
  return { code: "cache_invalid", details: { reason: "too_large", message, limit, value, ...at } };
}

/** In more words than the three tools of the seed may use. Says no more of an identifier than that nothing is there. */
export function detailedAbsence({ code }: ContextError): ContextError {
  if (code === "cache_missing") {
    const message = "There is no cache of that name. Call context.list_caches to see which there are.";
    return { code, details: { reason: "cache_missing", message } };
  }
  const message = "/caches is a file, where a directory must be. Remove it or move it elsewhere, then build a cache.";
  return { code, details: { reason: "cache_root_not_directory", message } };
}
