import { sha256Hex } from "../domain/hash";
import type { Principal } from "../domain/principal";
import { err, ok, type Result } from "../domain/result";
import { parseScopes } from "../domain/scopes";
import type { Env } from "../env";
import { verifyExternalToken } from "./external-token";
import { authEnv } from "./kv";
import { authorizationServer, resourceOf, scopesOffered } from "./provider";
import { parseTrustedIssuers } from "./trusted-issuers";
import { isUserId } from "./user-id";

export type AuthFailure =
  /** No Authorization header at all: the client has yet to learn where to sign in. */
  | { readonly code: "token_missing" }
  /** A header that is not exactly one bearer token. */
  | { readonly code: "header_malformed" }
  /** Unknown, garbled, expired, revoked, or for another audience: the client need not know which. */
  | { readonly code: "token_invalid" }
  /** Said by the user's object. */
  | { readonly code: "token_revoked" };

const messages: Record<AuthFailure["code"], string> = {
  token_missing: "Authorization is required: send a bearer token",
  header_malformed: "The Authorization header must be: Bearer <token>",
  token_invalid: "The access token is unknown, expired, revoked or meant for another server",
  token_revoked: "The access token was revoked",
};

/** RFC 6750: one token of these characters; ":" is in ours. */
const bearerPattern = /^Bearer +([A-Za-z0-9\-._~+/:]+=*) *$/i;
const tokenMaxLength = 16 * 1024;

/** Facts of tokens seen by this isolate, by the header that they came in. They never change; revocation is asked of the user's object in the call that does the work. */
const factsMax = 4_096;
/** Longer headers, as with tokens of other issuers, are remembered by their hash. */
const rememberedLength = 256;
const facts = new Map<string, Principal>();

/** Who calls. Revocation of a token seen before is left to the user's object (design §5). */
export async function authenticate(
  request: Request,
  env: Env,
  origin: string,
): Promise<Result<Principal, AuthFailure>> {
  const header = request.headers.get("Authorization");
  if (header === null || header.trim() === "") return err({ code: "token_missing" });
  const resource = resourceOf(origin);
  // To hash takes longer than all else here. The sign before it keeps a header that looks like a hash from passing for one.
  const key = `${header.length <= rememberedLength ? `=${header}` : `#${sha256Hex(header)}`} ${resource}`;
  const nowMs = Date.now();
  const known = recall(key, nowMs);
  if (known) return ok(known);

  const token = bearerPattern.exec(header)?.[1];
  if (token === undefined || token.length > tokenMaxLength) return err({ code: "header_malformed" });
  const principal =
    token.split(".").length === 3 ? await external(token, env, resource, nowMs) : await own(token, env, origin);
  if (!principal || principal.expiresAtMs <= nowMs) return err({ code: "token_invalid" });
  remember(key, principal);
  return ok(principal);
}

/** 401 with the challenge that tells a client where to sign in (RFC 9728, RFC 6750 §3). */
export function unauthorized(origin: string, failure: AuthFailure): Response {
  const message = messages[failure.code];
  const challenge = [
    // RFC 6750: no error code when the request carried no authentication.
    ...(failure.code === "token_missing" ? [] : ['error="invalid_token"', `error_description="${message}"`]),
    `scope="${scopesOffered.join(" ")}"`,
    `resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`,
  ];
  return Response.json(
    { jsonrpc: "2.0", id: null, error: { code: -32001, message } },
    { status: 401, headers: { "WWW-Authenticate": `Bearer ${challenge.join(", ")}`, "Cache-Control": "no-store" } },
  );
}

async function own(token: string, env: Env, origin: string): Promise<Principal | null> {
  const [userId = "", grantId = "", secret, ...rest] = token.split(":");
  // Only a shape that we issue may touch storage.
  if (!isUserId(userId) || grantId === "" || !secret || rest.length > 0) return null;
  const valid = await authorizationServer(origin).validateToken(resourceOf(origin), token, authEnv(env));
  if (!valid || valid.userId !== userId) return null;
  const scopeText = valid.scope.join(" ");
  return {
    userId,
    clientId: valid.clientId,
    scopes: parseScopes(scopeText),
    scopeText,
    grantId,
    tokenId: sha256Hex(token),
    expiresAtMs: valid.expiresAt * 1000,
  };
}

async function external(token: string, env: Env, resource: string, nowMs: number): Promise<Principal | null> {
  const trusted = parseTrustedIssuers(env.TRUSTED_ISSUERS);
  if (trusted.length === 0) return null;
  const verified = await verifyExternalToken(token, trusted, resource, nowMs);
  if (verified.ok) return verified.value;
  console.warn(JSON.stringify({ event: "external_token_refused", reason: verified.error }));
  return null;
}

function recall(key: string, nowMs: number): Principal | undefined {
  const principal = facts.get(key);
  if (!principal) return undefined;
  facts.delete(key);
  if (principal.expiresAtMs <= nowMs) return undefined;
  // Last used stands last: a Map keeps the order of insertion.
  facts.set(key, principal);
  return principal;
}

function remember(key: string, principal: Principal): void {
  const oldest = facts.size >= factsMax ? facts.keys().next().value : undefined;
  if (oldest !== undefined) facts.delete(oldest);
  facts.set(key, principal);
}
