import {
  isInitializeRequest,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  parseJSONRPCMessage,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server";
import { batchMax } from "../../domain/limits";
import { type CallContext, RefusedByRoot } from "../call-context";
import type { Catalog } from "../catalog";
import { gate, type PreparedCalls, scopeRefusalResponse } from "../gate";
import { jsonRpcError } from "../http-errors";
import { buildServer } from "../server";
import { serveEventStream } from "./event-stream";
import { PostExchange } from "./post-exchange";
import { sessionFacts } from "./session-facts";

/** Sessions and their streams came to an end with it. */
const modernVersion = "2026-07-28";

/** How long the server waits for a person or a model on the client's side. */
const clientAnswerMs = 5 * 60 * 1000;
/** What a session keeps of its `initialize`: a name, a version, capabilities, perhaps an icon. */
const initializeMaxBytes = 256 * 1024;

/** The 2025 era: sessions by `mcp-session-id`. Null: the user's object refused the caller, as the context tells. */
export async function serveLegacy(
  request: Request,
  body: unknown,
  catalog: Catalog,
  context: CallContext,
): Promise<Response | null> {
  const version = request.headers.get("mcp-protocol-version");
  if (version === modernVersion && request.method !== "POST") {
    const message = `Protocol version ${modernVersion} uses POST alone; ${request.method} belongs to sessions of older ones.`;
    return jsonRpcError(405, -32000, message, { headers: { Allow: "POST" } });
  }
  if (version !== null && !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) {
    return jsonRpcError(
      400,
      -32000,
      `Unsupported protocol version ${version}; supported are ${SUPPORTED_PROTOCOL_VERSIONS.join(", ")}.`,
    );
  }
  if (request.method === "POST") return servePost(request, body, catalog, context);
  if (context.sessionId === undefined) return sessionIdMissing();
  if (request.method === "GET") {
    if (!accepts(request, "text/event-stream")) {
      return jsonRpcError(406, -32000, "A GET of this URL opens an event stream: accept text/event-stream.");
    }
    return serveEventStream(request, context);
  }
  await context.ask((root, caller) => root.endSession(caller));
  return new Response(null, { status: 204 });
}

async function servePost(
  request: Request,
  body: unknown,
  catalog: Catalog,
  context: CallContext,
): Promise<Response | null> {
  const messages = parseMessages(body);
  if (messages instanceof Response) return messages;
  const initialize = messages.find((message) => "method" in message && message.method === "initialize");
  if (initialize !== undefined) {
    if (messages.length > 1) return jsonRpcError(400, -32600, "initialize cannot be part of a batch.");
    if (context.sessionId !== undefined) {
      return jsonRpcError(400, -32600, "This session is initialized already. Send initialize without mcp-session-id.");
    }
    if (!isJSONRPCRequest(initialize)) return jsonRpcError(400, -32600, "initialize is a request: give it an id.");
    return serveInitialize(initialize, catalog, context);
  }
  if (context.sessionId === undefined) return sessionIdMissing();
  const facts = await sessionFacts(context);
  if (Array.isArray(body) && protocolVersionOf(facts.initialize) !== "2025-03-26") {
    return jsonRpcError(400, -32600, "Batches belong to protocol version 2025-03-26 alone. Send one message per POST.");
  }
  const prepared: PreparedCalls = new Map();
  for (const message of messages) {
    const refused = gate(message, catalog, context, prepared, messages.length > 1);
    if (refused !== null) return scopeRefusalResponse(refused, context.origin);
  }
  for (const message of messages.filter(isJSONRPCResponse)) {
    await context.ask((root, caller) => root.deliverReply(caller, String(message.id), JSON.stringify(message)));
  }
  const incoming = messages.filter((message) => !isJSONRPCResponse(message));
  const exchange = new PostExchange((id) => askClient(context, id), accepts(request, "text/event-stream"));
  await buildServer(catalog, context, prepared, incoming).connect(exchange);
  await exchange.prime(JSON.parse(facts.initialize));
  const response = await exchange.serve(incoming, Array.isArray(body), { request });
  return response ?? new Response(null, { status: 202 });
}

async function serveInitialize(
  message: JSONRPCRequest,
  catalog: Catalog,
  context: CallContext,
): Promise<Response | null> {
  const params = JSON.stringify(message.params ?? {});
  if (new TextEncoder().encode(params).byteLength > initializeMaxBytes) {
    return jsonRpcError(400, -32602, `The params of initialize are larger than ${initializeMaxBytes} bytes.`, {
      id: message.id,
    });
  }
  const exchange = new PostExchange(async () => null, false);
  await buildServer(catalog, context, new Map(), []).connect(exchange);
  const response = await exchange.serve([message], false, {});
  if (!isInitializeRequest(message)) return response;
  const sessionId = await context.ask((root, caller) => root.openSession(caller, params));
  response?.headers.set("mcp-session-id", sessionId);
  return response;
}

function parseMessages(body: unknown): JSONRPCMessage[] | Response {
  const items = Array.isArray(body) ? body : [body];
  if (items.length === 0 || items.length > batchMax) {
    return jsonRpcError(400, -32600, `A batch holds 1 to ${batchMax} messages; this one has ${items.length}.`);
  }
  try {
    const messages = items.map((item) => parseJSONRPCMessage(item));
    const ids = messages.filter(isJSONRPCRequest).map((message) => message.id);
    if (new Set(ids).size < ids.length) return jsonRpcError(400, -32600, "Two requests of a batch have the same id.");
    return messages;
  } catch {
    return jsonRpcError(400, -32600, "The body is not a JSON-RPC 2.0 message.");
  }
}

function protocolVersionOf(initialize: string): unknown {
  return (JSON.parse(initialize) as { protocolVersion?: unknown }).protocolVersion;
}

async function askClient(context: CallContext, requestId: string): Promise<JSONRPCMessage | null> {
  try {
    const text = await context.ask((root, caller) => root.awaitReply(caller, requestId, clientAnswerMs));
    return text === null ? null : parseJSONRPCMessage(JSON.parse(text));
  } catch (error) {
    if (error instanceof RefusedByRoot) return null;
    throw error;
  }
}

function sessionIdMissing(): Response {
  return jsonRpcError(
    400,
    -32000,
    "The mcp-session-id header is missing. Send initialize first and use the id it returns.",
  );
}

function accepts(request: Request, type: string): boolean {
  const accept = request.headers.get("accept") ?? "*/*";
  return accept.includes(type) || accept.includes("*/*");
}
