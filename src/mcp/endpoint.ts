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
import type { Family } from "./tool";

const methods = ["POST", "GET", "DELETE"];

/** What a request says, as far as both eras say it alike. */
interface Inbound {
  readonly families: ReadonlySet<Family>;
  readonly nameForm: NameForm | undefined;
  /** The message of a POST. */
  readonly body: unknown;
}

/** `/mcp`, both eras on one URL, for a caller whose token was verified. `onRevoked` makes the 401 of a revoked token. */
export async function serveMcp(
  request: Request,
  env: Env,
  principal: Principal,
  catalog: Catalog,
  onRevoked: () => Response,
): Promise<Response> {
  const url = new URL(request.url);
  const inbound = await parseInbound(request, url, catalog);
  if (inbound instanceof Response) {
    const context = new CallContext(env, principal, url.origin, catalog.tools.families, undefined);
    return (await context.ensureAdmitted()) ? inbound : onRevoked();
  }
  const { families, nameForm, body } = inbound;
  const sessionId = request.headers.get("mcp-session-id") ?? undefined;
  const legacy = await isLegacyRequest(request, body);
  const context = new CallContext(env, principal, url.origin, families, legacy ? sessionId : undefined);
  context.nameForm = nameForm;
  try {
    const serve = legacy ? serveLegacy : serveModern;
    const response = await serve(request, body, catalog, context);
    // Also a refusal leaves only with the admission: a revoked token gets 401 and an unknown session 404, whatever else is wrong.
    if (response !== null && (await context.ensureAdmitted())) {
      return context.forbidden === undefined ? response : scopeRefusalResponse(context.forbidden, context.origin);
    }
  } catch (error) {
    if (!(error instanceof RefusedByRoot)) throw error;
  }
  return context.refusal === "session_unknown" ? sessionUnknown() : onRevoked();
}

/** A response where method, query or body cannot be understood. */
async function parseInbound(request: Request, { searchParams }: URL, catalog: Catalog): Promise<Inbound | Response> {
  if (!methods.includes(request.method)) {
    return jsonRpcError(405, -32000, `${request.method} is not allowed here.`, {
      headers: { Allow: methods.join(", ") },
    });
  }
  const families = parseFamilies(searchParams.get("tools"), catalog.tools.families);
  const names = searchParams.get("names");
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
