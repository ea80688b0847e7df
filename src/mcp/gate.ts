import type { CallToolResult, JSONRPCMessage, RequestId } from "@modelcontextprotocol/server";
import { rootDirectory } from "../domain/path";
import type { Result } from "../domain/result";
import { covers, neededScopeText, refusalMessage, type ScopeNeed } from "../domain/scopes";
import type { CallContext } from "./call-context";
import type { Catalog } from "./catalog";
import type { PreparedCall } from "./tool";

/** Calls whose arguments were checked, by the id of their request. A tool that does not exist has no entry. */
export type PreparedCalls = Map<RequestId, Result<PreparedCall, CallToolResult>>;

export interface ScopeRefusal {
  readonly id: RequestId;
  readonly need: ScopeNeed;
}

/** Checks arguments and scopes of one message before anything is looked up; returns the first scope that is missing. */
export function gate(
  message: JSONRPCMessage,
  catalog: Catalog,
  context: CallContext,
  prepared: PreparedCalls,
  inBatch = false,
): ScopeRefusal | null {
  if (!("method" in message) || !("id" in message)) return null;
  const { id } = message;
  const needs = needsOf(message, catalog, context, prepared);
  const all = inBatch ? [...needs, ...lookupNeeds(message, catalog, context)] : needs;
  const missing = all.find((need) => !covers(context.principal.scopes, need));
  return missing === undefined ? null : { id, need: missing };
}

/**
 * A batch is refused whole or not at all, so none of its calls may be refused by what a lookup shows, when others have been carried
 * out already. Tools that look further than their arguments say need all of the root there.
 */
function lookupNeeds(
  { method, params }: { readonly method: string; readonly params?: Record<string, unknown> | undefined },
  catalog: Catalog,
  context: CallContext,
): readonly ScopeNeed[] {
  if (method !== "tools/call" || typeof params?.name !== "string") return [];
  const tool = catalog.tools.find(params.name, context.families);
  if (tool === undefined || tool.family === null || tool.family === "text") return [];
  const verb = tool.listing.annotations?.readOnlyHint ? "read" : "write";
  return [{ verb, path: rootDirectory, whole: true }];
}

function needsOf(
  message: { readonly id: RequestId; readonly method: string; readonly params?: Record<string, unknown> | undefined },
  catalog: Catalog,
  context: CallContext,
  prepared: PreparedCalls,
): readonly ScopeNeed[] {
  const params = message.params ?? {};
  switch (message.method) {
    case "tools/call": {
      const tool = typeof params.name === "string" ? catalog.tools.find(params.name, context.families) : undefined;
      if (tool === undefined) return [];
      const call = tool.prepare(params.arguments);
      prepared.set(message.id, call);
      return call.ok ? call.value.needs : [];
    }
    case "resources/read":
    case "resources/subscribe":
      return typeof params.uri === "string" ? catalog.resources.needs(params.uri) : [];
    case "subscriptions/listen":
      return watchedUris(params).flatMap((uri) => catalog.resources.needs(uri));
    default:
      return [];
  }
}

/** The URIs of a `subscriptions/listen` request. */
export function watchedUris(params: Record<string, unknown>): string[] {
  const { notifications } = params as { notifications?: { resourceSubscriptions?: unknown } };
  const uris = notifications?.resourceSubscriptions;
  return Array.isArray(uris) ? uris.filter((uri) => typeof uri === "string") : [];
}

/** text.md §3.4: HTTP 403, never a tool result. */
export function scopeRefusalResponse({ id, need }: ScopeRefusal, origin: string): Response {
  const scope = neededScopeText(need);
  return Response.json(
    {
      jsonrpc: "2.0",
      id,
      error: { code: -32000, message: refusalMessage(need), data: { error: "insufficient_scope", scope } },
    },
    {
      status: 403,
      headers: {
        "WWW-Authenticate": `Bearer error="insufficient_scope", scope="${scope}", resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`,
      },
    },
  );
}
