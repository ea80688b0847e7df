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

/** A result whose one text block is the JSON of its structure, so that this JSON need not be made again for the wire. */
export class JsonResult implements CallToolResult {
  [key: string]: unknown;
  readonly content: [{ type: "text"; text: string }];
  /** Of a result that is kept, once it was made. */
  #open: string | null = null;

  constructor(
    text: string,
    readonly structuredContent: Record<string, unknown>,
  ) {
    this.content = [{ type: "text", text }];
  }

  /** Its JSON, without the last brace. */
  encodeOpen(): string {
    if (this.#open !== null) return this.#open;
    const { text } = this.content[0];
    const open = `{"content":[{"type":"text","text":${JSON.stringify(text)}}],"structuredContent":${text}`;
    if (kept.has(this.structuredContent)) this.#open = open;
    return open;
  }
}

/** Results by the values that they were made of. */
const kept = new WeakMap<Record<string, unknown>, JsonResult>();

/** The value, which nobody may change, will be given again: its JSON is made once, and goes with it. */
export function keepResult(value: Record<string, unknown>): void {
  const result = successResult(value);
  if (result.ok && result.value instanceof JsonResult) kept.set(value, result.value);
}

/** The same JSON as structure and as the one text block. The error is the size of an answer that would be too large (RESPONSE_MAX). */
export function successResult(value: Record<string, unknown>): Result<CallToolResult, number> {
  const known = kept.get(value);
  if (known !== undefined) return ok(known);
  const text = JSON.stringify(value);
  const bytes = bytesBeyondLimit(text);
  return bytes === null ? ok(new JsonResult(text, value)) : err(bytes);
}

/** The same of a text whose bytes are fixed. */
export function textResult(text: string, value: Record<string, unknown>): Result<CallToolResult, number> {
  const bytes = bytesBeyondLimit(text);
  return bytes === null ? ok({ content: [{ type: "text", text }], structuredContent: value }) : err(bytes);
}

function bytesBeyondLimit(text: string): number | null {
  if (text.length <= surelySmall) return null;
  const bytes = utf8Length(text) + utf8Length(JSON.stringify(text));
  return bytes > responseMaxBytes - frameBytes ? bytes : null;
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
