import type { RequestId } from "@modelcontextprotocol/server";

/** A refusal before or instead of a JSON-RPC answer, in JSON-RPC's shape. */
export function jsonRpcError(
  status: number,
  code: number,
  message: string,
  options: { readonly id?: RequestId; readonly headers?: Record<string, string> } = {},
): Response {
  return Response.json(
    { jsonrpc: "2.0", id: options.id ?? null, error: { code, message } },
    { status, ...(options.headers !== undefined && { headers: options.headers }) },
  );
}

/** One body for an unknown, an ended and another user's session: they must not be told apart. */
export function sessionUnknown(): Response {
  return jsonRpcError(404, -32001, "Session not found. Start a new one with initialize.");
}
