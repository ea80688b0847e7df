import { jwtVerify } from "jose";
import { z } from "zod";
import type { UserId } from "../domain/principal";
import { err, ok, type Result } from "../domain/result";
import type { Env } from "../env";
import { discover, keysAt, signatureAlgorithms } from "./trusted-issuers";
import { deriveUserId } from "./user-id";

const tokenAnswerMaxBytes = 256 * 1024;
const fetchTimeoutMs = 10_000;

export interface Upstream {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly jwksUri: string;
}

/** Kept between the redirect and the callback, sealed by the OAuth provider; never sent upstream. */
export interface UpstreamData {
  readonly nonce: string;
  readonly verifier: string;
  /** What the person granted on the consent page. */
  readonly scope: string[];
}

/** The configured sign-in provider with its endpoints; the error is for the log. */
export async function upstreamOf(env: Env, nowMs: number): Promise<Result<Upstream, string>> {
  if (!env.OIDC_ISSUER || !env.OIDC_CLIENT_ID) return err("OIDC_ISSUER and OIDC_CLIENT_ID are not set");
  const found = await discover(env.OIDC_ISSUER, nowMs);
  if (!found.ok) return found;
  const { authorization_endpoint, token_endpoint, jwks_uri } = found.value;
  if (!authorization_endpoint || !token_endpoint)
    return err(`${env.OIDC_ISSUER} names no authorization or token endpoint`);
  return ok({
    issuer: env.OIDC_ISSUER,
    clientId: env.OIDC_CLIENT_ID,
    clientSecret: env.OIDC_CLIENT_SECRET,
    authorizationEndpoint: authorization_endpoint,
    tokenEndpoint: token_endpoint,
    jwksUri: jwks_uri,
  });
}

export function newUpstreamData(scope: string[]): UpstreamData {
  return { nonce: randomText(), verifier: randomText(), scope };
}

export async function authorizationUrl(
  upstream: Upstream,
  origin: string,
  state: string,
  data: UpstreamData,
): Promise<string> {
  const url = new URL(upstream.authorizationEndpoint);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(data.verifier));
  const parameters = {
    response_type: "code",
    client_id: upstream.clientId,
    redirect_uri: callbackOf(origin),
    scope: "openid",
    state,
    nonce: data.nonce,
    code_challenge: base64url(new Uint8Array(digest)),
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** The person behind the callback: redeems the code and checks the id token. The error is for the log. */
export async function signedInUser(
  upstream: Upstream,
  origin: string,
  code: string,
  data: UpstreamData,
  nowMs: number,
): Promise<Result<UserId, string>> {
  const idToken = await redeem(upstream, origin, code, data.verifier);
  if (!idToken.ok) return idToken;
  try {
    const { payload } = await jwtVerify(idToken.value, keysAt(upstream.jwksUri), {
      algorithms: signatureAlgorithms,
      issuer: upstream.issuer,
      audience: upstream.clientId,
      requiredClaims: ["iss", "aud", "exp", "sub", "nonce"],
      currentDate: new Date(nowMs),
    });
    if (payload.nonce !== data.nonce) return err("the nonce of the id token is not ours");
    // OpenID Connect Core §3.1.3.7: with several audiences the token must say that it was issued to us.
    if (
      (Array.isArray(payload.aud) && payload.aud.length > 1 && payload.azp === undefined) ||
      (payload.azp !== undefined && payload.azp !== upstream.clientId)
    ) {
      return err("the id token was issued to another client");
    }
    if (!payload.sub) return err("the id token names nobody");
    return ok(await deriveUserId(upstream.issuer, payload.sub));
  } catch (error) {
    return err(error instanceof Error ? `${error.name}: ${error.message}` : "the id token is unreadable");
  }
}

const tokenAnswerSchema = z.object({ id_token: z.string().min(1) });

async function redeem(
  upstream: Upstream,
  origin: string,
  code: string,
  verifier: string,
): Promise<Result<string, string>> {
  const body = new URLSearchParams({
    grant_type: "authorization_code",
    code,
    redirect_uri: callbackOf(origin),
    code_verifier: verifier,
  });
  const headers: Record<string, string> = { Accept: "application/json" };
  if (upstream.clientSecret) {
    // RFC 6749 §2.3.1: both parts are form-encoded before they are joined.
    headers.Authorization = `Basic ${btoa(`${formEncode(upstream.clientId)}:${formEncode(upstream.clientSecret)}`)}`;
  } else {
    body.set("client_id", upstream.clientId);
  }
  try {
    const response = await fetch(upstream.tokenEndpoint, {
      method: "POST",
      body,
      headers,
      redirect: "manual",
      signal: AbortSignal.timeout(fetchTimeoutMs),
    });
    const text = await response.text();
    if (response.status !== 200) return err(`the token endpoint answered ${response.status}`);
    if (text.length > tokenAnswerMaxBytes) return err("the answer of the token endpoint is too long");
    return ok(tokenAnswerSchema.parse(JSON.parse(text)).id_token);
  } catch (error) {
    return err(`the token endpoint failed: ${String(error)}`);
  }
}

function callbackOf(origin: string): string {
  return `${origin}/callback`;
}

function formEncode(text: string): string {
  return new URLSearchParams({ v: text }).toString().slice(2);
}

function randomText(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
