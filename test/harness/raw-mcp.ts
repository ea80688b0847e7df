// MCP as bare HTTP: for tests that look at statuses, headers and bytes, which client libraries hide.
import { expect } from "vitest";

export interface RpcBody {
  readonly jsonrpc: string;
  readonly id: unknown;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into results of every shape
  readonly result?: any;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The JSON of the answer, or the last message of an event stream. */
  readonly body: RpcBody;
}

export interface Session {
  readonly id: string;
  readonly headers: Record<string, string>;
  send(message: unknown, headers?: Record<string, string>): Promise<Answer>;
  request(method: string, params?: unknown): Promise<Answer>;
}

export interface SessionOptions {
  protocolVersion?: string;
  clientName?: string;
  /** The query of the URL, such as "?names=underscore". */
  query?: string;
}

let lastId = 0;

export function rpc(
  method: string,
  params?: unknown,
): { jsonrpc: "2.0"; id: number; method: string; params?: unknown } {
  lastId += 1;
  return { jsonrpc: "2.0", id: lastId, method, ...(params === undefined ? {} : { params }) };
}

export function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

export async function postMcp(target: string, message: unknown, headers: Record<string, string>): Promise<Answer> {
  const response = await fetch(target, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
    body: typeof message === "string" ? message : JSON.stringify(message),
  });
  return answerOf(response);
}

export async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: bodyOf(response, text) };
}

function bodyOf(response: Response, text: string): RpcBody {
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
  const data = isStream
    ? (text
        .match(/^data: .*$/gm)
        ?.at(-1)
        ?.slice("data: ".length) ?? "")
    : text;
  try {
    return JSON.parse(data) as RpcBody;
  } catch {
    return { jsonrpc: "", id: undefined };
  }
}

/** A 2025-era session: initialize and notifications/initialized. */
export async function openSession(url: string, token: string, options: SessionOptions = {}): Promise<Session> {
  const target = `${url}/mcp${options.query ?? ""}`;
  const protocolVersion = options.protocolVersion ?? "2025-11-25";
  const initialized = await postMcp(
    target,
    rpc("initialize", {
      protocolVersion,
      capabilities: {},
      clientInfo: { name: options.clientName ?? "raw-test", version: "1" },
    }),
    bearer(token),
  );
  expect(initialized.status, initialized.text).toBe(200);
  const id = initialized.headers.get("mcp-session-id") ?? "";
  const headers = { ...bearer(token), "mcp-session-id": id, "mcp-protocol-version": protocolVersion };
  const send = (message: unknown, more?: Record<string, string>) => postMcp(target, message, { ...headers, ...more });
  expect((await send({ jsonrpc: "2.0", method: "notifications/initialized" })).status).toBe(202);
  return { id, headers, send, request: (method, params) => send(rpc(method, params)) };
}

/** One 2026-era request: it carries its own facts, and needs no session. */
export function modernRequest(
  url: string,
  token: string,
  method: string,
  params: object = {},
  options: Omit<SessionOptions, "protocolVersion"> = {},
): Promise<Answer> {
  const { message, headers } = modernMessage(token, method, params, options.clientName);
  return postMcp(`${url}/mcp${options.query ?? ""}`, message, headers);
}

/** The body and the headers of a 2026-era request. */
export function modernMessage(token: string, method: string, params: object = {}, clientName = "raw-test") {
  const message = rpc(method, {
    ...params,
    _meta: {
      ...(params as { _meta?: object })._meta,
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: clientName, version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  });
  const named = params as { name?: unknown; uri?: unknown };
  const name = named.name ?? named.uri;
  const headers: Record<string, string> = {
    ...bearer(token),
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": method,
    ...(typeof name === "string" ? { "mcp-name": headerValue(name) } : {}),
  };
  return { message, headers };
}

/** As clients send what a header cannot hold. */
function headerValue(text: string): string {
  if (/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text)) return text;
  return `=?base64?${Buffer.from(text, "utf8").toString("base64")}?=`;
}
