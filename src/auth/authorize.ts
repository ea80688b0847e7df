import { type AuthRequest, authorizationErrorRedirect, type OAuthHelpers } from "@cloudflare/workers-oauth-provider";
import type { Env } from "../env";
import { readConsentForm } from "./consent-form";
import { type ConsentView, consentPage } from "./consent-page";
import { authEnv } from "./kv";
import { errorPage } from "./layout";
import { ensureDocumentIsThere } from "./metadata-document";
import { readAsk } from "./narrow-scopes";
import { authorizationServer, scopesOffered } from "./provider";
import {
  authorizationUrl,
  newUpstreamData,
  signedInUser,
  type Upstream,
  type UpstreamData,
  upstreamOf,
} from "./upstream-oidc";
import { deriveUserId, localIssuer } from "./user-id";

type SignIn = { readonly kind: "local" } | { readonly kind: "upstream"; readonly upstream: Upstream };

/** GET /authorize: the consent page. Consent comes before any sign-in elsewhere (confused deputy). */
export async function showConsent(request: Request, env: Env, origin: string): Promise<Response> {
  const oauth = oauthApi(env, origin);
  await ensureDocumentIsThere(new URL(request.url).searchParams.get("client_id") ?? "");
  const authRequest = await oauth.parseAuthRequest(request);
  if (!authRequest.codeChallenge) {
    return found(
      authorizationErrorRedirect(authRequest, "invalid_request", "PKCE with S256 is required: send code_challenge"),
    );
  }
  const ask = readAsk(authRequest.scope, scopesOffered);
  if (!ask)
    return found(
      authorizationErrorRedirect(authRequest, "invalid_scope", "None of the requested scopes can be understood"),
    );
  const signIn = await signInOf(env, origin);
  if (signIn instanceof Response) return signIn;
  const details = await oauth.describeConsent(authRequest);
  const { handle, headers } = await oauth.beginConsent(authRequest);
  return consentPage({ details, ask, host: new URL(origin).host, handle, headers, login: loginView(signIn) });
}

/** POST /authorize: the person's decision. The request comes from storage; the form can only narrow it. */
export async function decideConsent(request: Request, env: Env, origin: string, form: FormData): Promise<Response> {
  // The cookie already binds the form to the browser; this also stops a page of another site in that browser.
  if (isFromElsewhere(request, origin)) {
    return errorPage(
      400,
      "This decision came from another page",
      "A page of another site tried to decide for you, so nothing was allowed.",
    );
  }
  const oauth = oauthApi(env, origin);
  const handle = textOf(form, "handle");
  if (textOf(form, "decision") !== "approve") {
    const denied = await oauth.denyConsent(request, handle);
    return found(denied.redirectTo, denied.headers);
  }
  const signIn = await signInOf(env, origin);
  if (signIn instanceof Response) return signIn;
  const approved = await oauth.approveConsent(request, handle);
  const ask = readAsk(approved.request.scope, scopesOffered);
  if (!ask) return found(authorizationErrorRedirect(approved.request, "invalid_scope"), approved.headers);

  const decision = readConsentForm(form, ask, signIn.kind === "local");
  if (!decision.ok) {
    // The form was used up; the person gets a fresh one with what was typed.
    const details = await oauth.describeConsent(approved.request);
    const fresh = await oauth.beginConsent(approved.request);
    for (const cookie of approved.headers.getSetCookie()) fresh.headers.append("Set-Cookie", cookie);
    return consentPage({
      details,
      ask,
      host: new URL(origin).host,
      handle: fresh.handle,
      headers: fresh.headers,
      login: loginView(signIn),
      refused: decision.error,
    });
  }
  const { scope, user } = decision.value;
  if (signIn.kind === "local")
    return complete(oauth, approved.request, await deriveUserId(localIssuer, user), scope, approved.headers);

  const data = newUpstreamData(scope);
  const { state, headers } = await oauth.beginUpstream(approved.request, { data, headers: approved.headers });
  return found(await authorizationUrl(signIn.upstream, origin, state, data), headers);
}

/** GET /callback: the sign-in provider sends the browser back. */
export async function finishSignIn(request: Request, env: Env, origin: string): Promise<Response> {
  const oauth = oauthApi(env, origin);
  const { request: authRequest, data, headers } = await oauth.finishUpstream<UpstreamData>(request);
  const parameters = new URL(request.url).searchParams;
  const code = parameters.get("code");
  if (parameters.has("error") || !code)
    return found(authorizationErrorRedirect(authRequest, "access_denied", "The sign-in was not completed"), headers);
  const nowMs = Date.now();
  const upstream = await upstreamOf(env, nowMs);
  if (!upstream.ok) return refuseSignIn(upstream.error);
  // RFC 9207: an answer that names another issuer was meant for someone else.
  const iss = parameters.get("iss");
  if (iss !== null && iss !== upstream.value.issuer) return refuseSignIn("the callback names another issuer");
  const user = await signedInUser(upstream.value, origin, code, data, nowMs);
  if (!user.ok) return refuseSignIn(user.error);
  return complete(oauth, authRequest, user.value, data.scope, headers);
}

async function complete(
  oauth: OAuthHelpers,
  request: AuthRequest,
  userId: string,
  scope: string[],
  headers: Headers,
): Promise<Response> {
  // One client id may stand for an app on many machines: signing in on one must not sign out the others.
  const { redirectTo } = await oauth.completeAuthorization({
    request,
    userId,
    metadata: {},
    scope,
    props: {},
    revokeExistingGrants: false,
  });
  return found(redirectTo, headers);
}

async function signInOf(env: Env, origin: string): Promise<SignIn | Response> {
  if (env.AUTH_MODE === "local") {
    if (isLoopback(origin)) return { kind: "local" };
    return errorPage(
      500,
      "This server is set up for local use",
      `AUTH_MODE=local lets anyone sign in as anyone, so it works on loopback addresses only, not on ${origin}.`,
    );
  }
  const upstream = await upstreamOf(env, Date.now());
  if (upstream.ok) return { kind: "upstream", upstream: upstream.value };
  console.error(JSON.stringify({ event: "sign_in_unavailable", reason: upstream.error }));
  return errorPage(
    503,
    "Sign-in is not available",
    "The sign-in provider of this server is not set up, or cannot be reached right now. Whoever runs this server finds the reason in its log.",
  );
}

function refuseSignIn(reason: string): Response {
  console.warn(JSON.stringify({ event: "sign_in_refused", reason }));
  return errorPage(
    400,
    "The sign-in failed",
    "The answer of the sign-in provider could not be verified, so nothing was allowed.",
  );
}

function loginView(signIn: SignIn): ConsentView["login"] {
  if (signIn.kind === "local") return { kind: "local" };
  return { kind: "upstream", host: new URL(signIn.upstream.authorizationEndpoint).host };
}

/** Browsers name the page that a form stands on, older ones by Origin alone. What is no browser names none. */
function isFromElsewhere(request: Request, origin: string): boolean {
  const site = request.headers.get("Sec-Fetch-Site") ?? "none";
  const sender = request.headers.get("Origin") ?? origin;
  return (site !== "same-origin" && site !== "none") || sender !== origin;
}

function isLoopback(origin: string): boolean {
  const { hostname } = new URL(origin);
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}

function oauthApi(env: Env, origin: string): OAuthHelpers {
  return authorizationServer(origin).getOAuthApi(authEnv(env));
}

function found(location: string, headers = new Headers()): Response {
  headers.set("Location", location);
  headers.set("Cache-Control", "no-store");
  return new Response(null, { status: 302, headers });
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
