import { decodeJwt, jwtVerify } from "jose";
import type { Principal } from "../domain/principal";
import { err, ok, type Result } from "../domain/result";
import { parseScopes } from "../domain/scopes";
import { discover, keysAt, signatureAlgorithms, type TrustedIssuer } from "./trusted-issuers";
import { deriveUserId } from "./user-id";

/** A JWT access token of an issuer that the operator trusts: signature, `iss`, `aud`, `exp`, `sub` and `scope`, all required. */
export async function verifyExternalToken(
  token: string,
  trusted: readonly TrustedIssuer[],
  resource: string,
  nowMs: number,
): Promise<Result<Principal, string>> {
  try {
    const claimedIssuer = decodeJwt(token).iss;
    const issuer = trusted.find((candidate) => candidate.issuer === claimedIssuer);
    if (!issuer) return err("issuer_not_trusted");
    const jwksUri = await jwksUriOf(issuer, nowMs);
    if (!jwksUri.ok) return jwksUri;
    const { payload } = await jwtVerify(token, keysAt(jwksUri.value), {
      algorithms: signatureAlgorithms,
      issuer: issuer.issuer,
      audience: issuer.audience === undefined ? resource : [resource, issuer.audience],
      requiredClaims: ["iss", "aud", "exp", "sub", "scope"],
      currentDate: new Date(nowMs),
    });
    const { sub, exp, scope } = payload;
    if (typeof sub !== "string" || sub === "" || typeof exp !== "number") return err("claim_missing");
    if (typeof scope !== "string" || scope.trim() === "") return err("scope_missing");
    return ok({
      userId: await deriveUserId(issuer.issuer, sub),
      clientId: clientOf(payload) ?? `external:${issuer.issuer}`,
      scopes: parseScopes(scope),
      scopeText: scope,
      expiresAtMs: exp * 1000,
    });
  } catch (error) {
    return err(error instanceof Error ? `${error.name}: ${error.message}` : "unreadable");
  }
}

async function jwksUriOf(issuer: TrustedIssuer, nowMs: number): Promise<Result<string, string>> {
  if (issuer.jwks_uri !== undefined) return ok(issuer.jwks_uri);
  const metadata = await discover(issuer.issuer, nowMs);
  return metadata.ok ? ok(metadata.value.jwks_uri) : metadata;
}

/** RFC 9068 says `client_id`; OpenID Connect servers say `azp`. */
function clientOf(payload: Record<string, unknown>): string | undefined {
  for (const claim of [payload.client_id, payload.azp]) {
    if (typeof claim === "string" && claim !== "") return claim;
  }
  return undefined;
}
