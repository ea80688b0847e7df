import type { RequestId } from "@modelcontextprotocol/server";

/** A `tools/call` that asks for nothing but its result: no progress, no task, no state of an earlier request. */
export interface PlainCall {
  readonly id: RequestId;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>> | undefined;
  /** Of the 2026 era: the envelope of the request. */
  readonly meta: Readonly<Record<string, unknown>> | undefined;
}

/** Null for every other message, also for one that is almost a plain call: those are for the SDK to judge. */
export function plainCallOf(body: unknown): PlainCall | null {
  if (!isRecord(body) || body.method !== "tools/call" || body.jsonrpc !== "2.0" || !hasOnly(body, messageKeys)) {
    return null;
  }
  const { id, params } = body;
  if (typeof id !== "string" && !Number.isSafeInteger(id)) return null;
  if (!isRecord(params) || typeof params.name !== "string" || !hasOnly(params, paramsKeys)) return null;
  const { name, arguments: args, _meta: meta } = params;
  if (args !== undefined && !isRecord(args)) return null;
  if (meta !== undefined && (!isRecord(meta) || meta.progressToken !== undefined)) return null;
  return { id: id as RequestId, name, args, meta };
}

const messageKeys = new Set(["jsonrpc", "id", "method", "params"]);
const paramsKeys = new Set(["name", "arguments", "_meta"]);

function hasOnly(value: object, known: ReadonlySet<string>): boolean {
  for (const key in value) if (!known.has(key)) return false;
  return true;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
