import type { CallToolResult } from "@modelcontextprotocol/server";
import { z } from "zod";
import { utf8Length } from "../domain/byte-order";
import { responseMaxBytes } from "../domain/limits";
import { err, ok, type Result } from "../domain/result";
import { logFault } from "./fault";
import type { ToolError } from "./tool";

/** What stands around the two copies of a result: ids, names, brackets. */
const frameBytes = 4096;
/** A text of this length cannot exceed the limit: a character takes 3 bytes at most in each of the two copies. */
const surelySmall = responseMaxBytes / 8;

/** The error branch of every output schema: clients validate `structuredContent` even when `isError` is set. */
export const errorSchema = z.strictObject({
  error: z.strictObject({
    code: z.string(),
    message: z.string(),
    details: z.record(z.string(), z.unknown()).optional(),
  }),
});

/** The same JSON as structure and as the one text block. The error is the size of an answer that would be too large (RESPONSE_MAX). */
export function successResult(value: Record<string, unknown>): Result<CallToolResult, number> {
  return textResult(JSON.stringify(value), value);
}

/** The same of a text whose bytes are fixed. */
export function textResult(text: string, value: Record<string, unknown>): Result<CallToolResult, number> {
  if (text.length > surelySmall) {
    const bytes = utf8Length(text) + utf8Length(JSON.stringify(text));
    if (bytes > responseMaxBytes - frameBytes) return err(bytes);
  }
  return ok({ content: [{ type: "text", text }], structuredContent: value });
}

export function errorResult(error: ToolError): CallToolResult {
  const value = { error };
  return { content: [{ type: "text", text: JSON.stringify(value) }], structuredContent: value, isError: true };
}

/** A fault of ours: the client gets an id, the log gets the id and the cause. */
export function internalError(cause: unknown, tool: string): CallToolResult {
  const id = logFault(cause, { tool });
  // zipfs.md §2.5 has a text of its own.
  if (tool.startsWith("zipfs_"))
    return errorResult({ code: "INTERNAL_ERROR", message: "Internal error.", details: { id } });
  const message = `Internal error ${id}. Nothing was changed. Try again.`;
  return errorResult({ code: "INTERNAL", message, details: { id } });
}
