import { createRemoteJWKSet, type JWTVerifyGetKey } from "jose";
import { z } from "zod";
import { err, ok, type Result } from "../domain/result";

/** Signatures we accept anywhere; `none` and HS* are not among them (AUTH-018). */
export const signatureAlgorithms = ["RS256", "ES256"];

const metadataMaxBytes = 256 * 1024;
const metadataTtlMs = 60 * 60 * 1000;
const fetchTimeoutMs = 10_000;
/** A rotated key is picked up after this long at the latest; forged key ids cannot make us ask more often. */
const jwksCooldownMs = 2_000;
const cachedMax = 64;

export interface TrustedIssuer {
  readonly issuer: string;
  readonly jwks_uri?: string | undefined;
  readonly audience?: string | undefined;
}

const trustedIssuersSchema = z.array(
  z.object({ issuer: z.string().min(1), jwks_uri: z.url().optional(), audience: z.string().min(1).optional() }),
);

/** A broken setting trusts nobody, and says so in the log. */
export function parseTrustedIssuers(text: string | undefined): readonly TrustedIssuer[] {
  if (!text?.trim()) return [];
  try {
    return trustedIssuersSchema.parse(JSON.parse(text));
  } catch (error) {
    console.error(JSON.stringify({ event: "setting_invalid", setting: "TRUSTED_ISSUERS", reason: String(error) }));
    return [];
  }
}

const providerMetadataSchema = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url().optional(),
  token_endpoint: z.url().optional(),
  jwks_uri: z.url(),
});
export type ProviderMetadata = z.infer<typeof providerMetadataSchema>;

const metadataByIssuer = new Map<string, { readonly metadata: ProviderMetadata; readonly untilMs: number }>();
const keysByUri = new Map<string, JWTVerifyGetKey>();

/** OpenID Connect discovery. The document must speak for the issuer that was asked. */
export async function discover(issuer: string, nowMs: number): Promise<Result<ProviderMetadata, string>> {
  const known = metadataByIssuer.get(issuer);
  if (known && known.untilMs > nowMs) return ok(known.metadata);
  try {
    const url = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
    const response = await fetch(url, {
      redirect: "manual",
      headers: { Accept: "application/json" },
      signal: AbortSignal.timeout(fetchTimeoutMs),
    });
    if (response.status !== 200) return err(`${url} answered ${response.status}`);
    const text = await response.text();
    if (text.length > metadataMaxBytes) return err(`${url} is too long`);
    const metadata = providerMetadataSchema.parse(JSON.parse(text));
    if (metadata.issuer !== issuer) return err(`${url} speaks for the issuer ${metadata.issuer}`);
    remember(metadataByIssuer, issuer, { metadata, untilMs: nowMs + metadataTtlMs });
    return ok(metadata);
  } catch (error) {
    return err(`discovery of ${issuer} failed: ${String(error)}`);
  }
}

/** The keys of an issuer, fetched when needed and again when a token names an unknown one. */
export function keysAt(jwksUri: string): JWTVerifyGetKey {
  const known = keysByUri.get(jwksUri);
  if (known) return known;
  const keys = createRemoteJWKSet(new URL(jwksUri), {
    cooldownDuration: jwksCooldownMs,
    timeoutDuration: fetchTimeoutMs,
  });
  remember(keysByUri, jwksUri, keys);
  return keys;
}

function remember<T>(map: Map<string, T>, key: string, value: T): void {
  const oldest = map.size >= cachedMax ? map.keys().next().value : undefined;
  if (oldest !== undefined) map.delete(oldest);
  map.set(key, value);
}
