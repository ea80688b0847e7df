// A person's browser and an app, in the isolate of the product: every request goes to its handler, so that the clock can be moved.
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { Env } from "../../src/env";
import worker from "../../src/index";

export const origin = "http://127.0.0.1:8787";
export const callback = "http://127.0.0.1/callback";
// RFC 7636, appendix B.
const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
}

export async function send(request: Request, settings: Partial<Env> = {}): Promise<Response> {
  const context = createExecutionContext();
  const response = await worker.fetch(request, { ...(env as unknown as Env), ...settings }, context);
  await waitOnExecutionContext(context);
  return response;
}

export async function register(): Promise<string> {
  const body = JSON.stringify({ redirect_uris: [callback], token_endpoint_auth_method: "none" });
  const response = await send(new Request(`${origin}/oauth/register`, { method: "POST", body }));
  return ((await response.json()) as { client_id: string }).client_id;
}

export interface ConsentPage {
  readonly status: number;
  readonly html: string;
  /** The person clicks; gives the answer to the form. */
  decide(fields?: Record<string, string>): Promise<Response>;
}

/** The page that the app opens in the browser. */
export async function openConsent(clientId: string, settings: Partial<Env> = {}, at = origin): Promise<ConsentPage> {
  const url = new URL("/authorize", at);
  url.search = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: callback,
    state: "s",
    code_challenge: challenge,
    code_challenge_method: "S256",
  }).toString();
  const page = await send(new Request(url), settings);
  const html = await page.text();
  const cookie = page.headers.getSetCookie().map((line) => line.split(";")[0]);
  const handle = /name="handle" value="([^"]*)"/.exec(html)?.[1] ?? "";
  return {
    status: page.status,
    html,
    decide(fields = {}) {
      const body = new URLSearchParams({ handle, user: "alice", decision: "approve", ...fields });
      const headers = { cookie: cookie.join("; "), origin: at };
      return send(new Request(new URL("/authorize", at), { method: "POST", headers, body }), settings);
    },
  };
}

export function codeOf(decided: Response): string {
  return new URL(decided.headers.get("location") ?? "about:blank").searchParams.get("code") ?? "";
}

export function askForTokens(parameters: Record<string, string>): Promise<Response> {
  return send(new Request(`${origin}/oauth/token`, { method: "POST", body: new URLSearchParams(parameters) }));
}

export function redeem(clientId: string, code: string): Promise<Response> {
  return askForTokens({
    grant_type: "authorization_code",
    code,
    code_verifier: verifier,
    client_id: clientId,
    redirect_uri: callback,
  });
}

export function refresh(clientId: string, refreshToken: string): Promise<Response> {
  return askForTokens({ grant_type: "refresh_token", refresh_token: refreshToken, client_id: clientId });
}

export async function signIn(clientId: string): Promise<Tokens & { readonly code: string }> {
  const code = codeOf(await (await openConsent(clientId)).decide());
  return { ...((await (await redeem(clientId, code)).json()) as Tokens), code };
}

/** The status of a call with this token. */
export async function call(token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "visitor", version: "1" } },
  });
  return (await send(new Request(`${origin}/mcp`, { method: "POST", headers, body }))).status;
}
