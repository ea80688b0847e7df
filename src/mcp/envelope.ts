import type { CallToolResult } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { ToolError } from "./tool";

/** The error branch of every output schema: clients validate `structuredContent` even when `isError` is set. */
export const errorSchema = z.strictObject({
  error: z.strictObject({
    code: z.string(),
    message: z.string(),
    details: z.record(z.string(), z.unknown()).optional(),
  }),
});

/** The same JSON as structure and as the one text block. */
export function successResult(value: Record<string, unknown>): CallToolResult {
  return { content: [{ type: "text", text: JSON.stringify(value) }], structuredContent: value };
}

export function errorResult(error: ToolError): CallToolResult {
  const value = { error };
  return { content: [{ type: "text", text: JSON.stringify(value) }], structuredContent: value, isError: true };
}

/** A fault of ours: the client gets an id, the log gets the id and the cause. */
export function internalError(cause: unknown, tool: string): CallToolResult {
  const id = crypto.randomUUID();
  console.error(
    JSON.stringify({
      level: "error",
      id,
      tool,
      cause: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause),
    }),
  );
  return errorResult({
    code: tool.startsWith("zipfs_") ? "INTERNAL_ERROR" : "INTERNAL",
    message: `Internal error ${id}. Nothing was changed. Try again.`,
    details: { id },
  });
}
