import { isJsonContentType, isLegacyRequest } from "@modelcontextprotocol/server";
import type { Principal } from "../domain/principal";
import type { Env } from "../env";
import { CallContext, RefusedByRoot } from "./call-context";
import type { Catalog } from "./catalog";
import { scopeRefusalResponse } from "./gate";
import { jsonRpcError, sessionUnknown } from "./http-errors";
import { serveLegacy } from "./legacy/lane";
import { serveModern } from "./modern-lane";
import { readJsonBody } from "./read-body";
import { type NameForm, parseFamilies } from "./registry";

const methods = ["POST", "GET", "DELETE"];

/** `/mcp`, both eras on one URL, for a caller whose token was verified. `onRevoked` makes the 401 of a revoked token. */
export async function serveMcp(
  request: Request,
  env: Env,
  principal: Principal,
  catalog: Catalog,
  onRevoked: () => Response,
): Promise<Response> {
  const url = new URL(request.url);
  if (!methods.includes(request.method)) {
    return jsonRpcError(405, -32000, `${request.method} is not allowed here.`, {
      headers: { Allow: methods.join(", ") },
    });
  }
  const families = parseFamilies(url.searchParams.get("tools"), catalog.tools.families);
  const names = url.searchParams.get("names");
  if (families === null || (names !== null && names !== "dotted" && names !== "underscore")) {
    return jsonRpcError(
      400,
      -32600,
      "Give ?tools= a list of text, snapshot, zip, context, and ?names= dotted or underscore.",
    );
  }
  let body: unknown;
  if (request.method === "POST") {
    if (!isJsonContentType(request.headers.get("content-type"))) {
      return jsonRpcError(415, -32000, "Send the message as application/json.");
    }
    const read = await readJsonBody(request);
    if (read.kind === "too_large") return jsonRpcError(413, -32000, "The body is larger than 16 MiB.");
    if (read.kind === "not_json") return jsonRpcError(400, -32700, `Parse error: the body is ${read.why}.`);
    body = read.value;
  }
  const sessionId = request.headers.get("mcp-session-id") ?? undefined;
  const legacy = await isLegacyRequest(request, body);
  const context = new CallContext(env, principal, url.origin, families, legacy ? sessionId : undefined);
  context.nameForm = (names as NameForm | null) ?? undefined;
  try {
    const serve = legacy ? serveLegacy : serveModern;
    const response = await serve(request, body, catalog, context);
    if (context.forbidden !== undefined && context.refusal === undefined) {
      return scopeRefusalResponse(context.forbidden, context.origin);
    }
    if (response !== null && context.refusal === undefined) return response;
  } catch (error) {
    if (!(error instanceof RefusedByRoot)) throw error;
  }
  return context.refusal === "session_unknown" ? sessionUnknown() : onRevoked();
}
