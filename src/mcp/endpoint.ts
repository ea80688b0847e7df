import { isJsonContentType, isLegacyRequest } from "@modelcontextprotocol/server";
import type { Principal } from "../domain/principal";
import type { Env } from "../env";
import { CallContext, RefusedByRoot } from "./call-context";
import type { Catalog } from "./catalog";
import { acceptEnvelope, directCallOf, serveDirectly } from "./direct-lane";
import { scopeRefusalResponse } from "./gate";
import { jsonRpcError, sessionUnknown } from "./http-errors";
import { serveLegacy } from "./legacy/lane";
import { serveModern } from "./modern-lane";
import { readJsonBody } from "./read-body";
import { type NameForm, parseFamilies } from "./registry";
import type { Family } from "./tool";

const methods = ["POST", "GET", "DELETE"];

/** What a request says, as far as both eras say it alike. */
interface Inbound {
  readonly families: ReadonlySet<Family>;
  readonly nameForm: NameForm | undefined;
  /** The message of a POST. */
  readonly body: unknown;
}

/** What of the URL counts here. */
interface EndpointUrl {
  readonly origin: string;
  readonly query: ReadonlyMap<string, string>;
}

/** How answers look that are not this folder's to shape. */
export interface AnswerStyle {
  /** Of an answer in JSON. */
  readonly headers: Headers;
  /** The 401 of a revoked token. */
  readonly onRevoked: () => Response;
}

/** `/mcp`, both eras on one URL, for a caller whose token was verified. */
export async function serveMcp(
  request: Request,
  url: EndpointUrl,
  env: Env,
  principal: Principal,
  catalog: Catalog,
  { headers, onRevoked }: AnswerStyle,
): Promise<Response> {
  const inbound = await parseInbound(request, url, catalog);
  if (inbound instanceof Response) {
    const context = new CallContext(env, principal, url.origin, catalog.tools.families, undefined);
    return (await context.ensureAdmitted()) ? inbound : onRevoked();
  }
  const { families, nameForm, body } = inbound;
  const sessionId = request.headers.get("mcp-session-id") ?? undefined;
  const direct = directCallOf(request, body, catalog, { families, principal, sessionId });
  const isLegacy = direct === null ? await isLegacyRequest(request, body) : direct.era === "2025";
  const context = new CallContext(env, principal, url.origin, families, isLegacy ? sessionId : undefined);
  context.nameForm = nameForm;
  try {
    const serve = isLegacy ? serveLegacy : serveModern;
    const response =
      direct === null
        ? await serve(request, body, catalog, context)
        : await serveDirectly(direct, catalog, context, headers);
    // Also a refusal leaves only with the admission: a revoked token gets 401 and an unknown session 404, whatever else is wrong.
    if (response !== null && (await context.ensureAdmitted())) {
      if (context.forbidden !== undefined) return scopeRefusalResponse(context.forbidden, context.origin);
      if (direct === null && !isLegacy && response.status === 200) acceptEnvelope(request, body);
      return response;
    }
  } catch (error) {
    if (!(error instanceof RefusedByRoot)) throw error;
  }
  return context.refusal === "session_unknown" ? sessionUnknown() : onRevoked();
}

/** A response where method, query or body cannot be understood. */
async function parseInbound(request: Request, { query }: EndpointUrl, catalog: Catalog): Promise<Inbound | Response> {
  if (!methods.includes(request.method)) {
    return jsonRpcError(405, -32000, `${request.method} is not allowed here.`, {
      headers: { Allow: methods.join(", ") },
    });
  }
  const families = parseFamilies(query.get("tools") ?? null, catalog.tools.families);
  const names = query.get("names") ?? null;
  if (families === null || (names !== null && names !== "dotted" && names !== "underscore")) {
    return jsonRpcError(
      400,
      -32600,
      "Give ?tools= a list of text, snapshot, zip, context, and ?names= dotted or underscore.",
    );
  }
  const nameForm = names ?? undefined;
  if (request.method !== "POST") return { families, nameForm, body: undefined };
  if (!isJsonContentType(request.headers.get("content-type"))) {
    return jsonRpcError(415, -32000, "Send the message as application/json.");
  }
  const read = await readJsonBody(request);
  if (read.kind === "too_large") return jsonRpcError(413, -32000, "The body is larger than 16 MiB.");
  if (read.kind === "not_json") return jsonRpcError(400, -32700, `Parse error: the body is ${read.why}.`);
  return { families, nameForm, body: read.value };
}
