import { type RequestId, SERVER_INFO_META_KEY, SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { covers } from "../domain/scopes";
import { type CallContext, ForbiddenByLookup } from "./call-context";
import type { Catalog } from "./catalog";
import { JsonResult } from "./envelope";
import { scopeRefusalResponse } from "./gate";
import { isSeenSession } from "./legacy/session-facts";
import { type PlainCall, plainCallOf } from "./plain-call";
import { runCall } from "./run-call";
import type { RegisteredTool } from "./tool";

/** A plain call of a tool that has nothing to say before its result, in an envelope that the SDK has accepted before. */
export interface DirectCall {
  readonly era: "2025" | "2026";
  readonly call: PlainCall;
  readonly tool: RegisteredTool;
}

/**
 * Envelopes of the 2026 era that the SDK has accepted in this isolate: the headers and the `_meta` of a request, without its name and
 * arguments. Clients send the same one with every call, so it needs to be judged once.
 */
const acceptedEnvelopes = new Set<string>();
const acceptedEnvelopesMax = 1000;
const envelopeMaxLength = 2000;

/** Null: the message is for the SDK, which also judges whatever is wrong with it. */
export function directCallOf(
  request: Request,
  body: unknown,
  catalog: Catalog,
  context: Pick<CallContext, "families" | "principal" | "sessionId">,
): DirectCall | null {
  const call = plainCallOf(body);
  if (call === null) return null;
  const tool = catalog.tools.find(call.name, context.families);
  if (tool === undefined || tool.speaksBefore) return null;
  if (call.meta === undefined) {
    const version = request.headers.get("mcp-protocol-version");
    if (version !== null && !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return null;
    return isSeenSession(context) ? { era: "2025", call, tool } : null;
  }
  return acceptedEnvelopes.has(envelopeOf(request, call) ?? "") ? { era: "2026", call, tool } : null;
}

/** The SDK has served this message with a result, so it has nothing against its envelope. */
export function acceptEnvelope(request: Request, body: unknown): void {
  const call = plainCallOf(body);
  const envelope = call === null || call.meta === undefined ? null : envelopeOf(request, call);
  if (envelope === null || envelope.length > envelopeMaxLength) return;
  if (acceptedEnvelopes.size >= acceptedEnvelopesMax) acceptedEnvelopes.clear();
  acceptedEnvelopes.add(envelope);
}

/** What the SDK judges of a request, but for its tool, which the headers must name as the body does. */
function envelopeOf({ headers }: Request, { name, meta }: PlainCall): string | null {
  if (headers.get("mcp-method") !== "tools/call" || headers.get("mcp-name") !== name) return null;
  return JSON.stringify([headers.get("mcp-protocol-version"), headers.get("accept"), meta]);
}

/** The same answer, byte for byte, that a server object of the SDK would give. */
export async function serveDirectly(
  { era, call, tool }: DirectCall,
  catalog: Catalog,
  context: CallContext,
  headers: Headers,
): Promise<Response> {
  const prepared = tool.prepare(call.args);
  const missing = prepared.ok && prepared.value.needs.find((need) => !covers(context.principal.scopes, need));
  if (missing) return scopeRefusalResponse({ id: call.id, need: missing }, context.origin);
  try {
    const result = await runCall(prepared, call, context, null);
    return new Response(encodeResult(result as object, call.id, era === "2026" ? catalog : null), { headers });
  } catch (error) {
    if (error instanceof ForbiddenByLookup)
      return scopeRefusalResponse({ id: call.id, need: error.need }, context.origin);
    throw error;
  }
}

/** `stamp`: whose name the results of the 2026 era carry. */
function encodeResult(result: object, id: RequestId, stamp: Catalog | null): string {
  const end = `"jsonrpc":"2.0","id":${JSON.stringify(id)}}`;
  if (stamp === null) {
    return `{"result":${result instanceof JsonResult ? `${result.encodeOpen()}}` : JSON.stringify(result)},${end}`;
  }
  if (result instanceof JsonResult) {
    return `{"result":${result.encodeOpen()},"resultType":"complete","_meta":${stampJson(stamp)}},${end}`;
  }
  const serverInfo = stampOf(stamp);
  const { _meta, ...rest } = result as { _meta?: object };
  const stamped =
    _meta === undefined
      ? { ...rest, resultType: "complete", _meta: serverInfo }
      : { ...result, resultType: "complete", _meta: { ..._meta, ...serverInfo } };
  return `{"result":${JSON.stringify(stamped)},${end}`;
}

function stampOf({ name, title, version }: Catalog) {
  return { [SERVER_INFO_META_KEY]: { name, title, version } };
}

const stamps = new WeakMap<Catalog, string>();

/** The same in every answer. */
function stampJson(catalog: Catalog): string {
  const known = stamps.get(catalog);
  if (known !== undefined) return known;
  const made = JSON.stringify(stampOf(catalog));
  stamps.set(catalog, made);
  return made;
}
