import { OAuthAuthorizationServer } from "@cloudflare/workers-oauth-provider";
import type { AuthEnv } from "./kv";

/** What the metadata offers, and what a client gets offered that asks for nothing. */
export const scopesOffered: readonly string[] = ["read:/", "write:/"];

export const accessTokenTtlSeconds = 24 * 60 * 60;
export const refreshTokenTtlSeconds = 30 * 24 * 60 * 60;

/** Origins one isolate serves; one in production, a few on loopback (127.0.0.1, localhost, [::1]). */
const serversMax = 16;
const servers = new Map<string, OAuthAuthorizationServer<AuthEnv>>();

export function resourceOf(origin: string): string {
  return `${origin}/mcp`;
}

/** The OAuth server of one origin. Its checks are exact: localhost is not 127.0.0.1. */
export function authorizationServer(origin: string): OAuthAuthorizationServer<AuthEnv> {
  const known = servers.get(origin);
  if (known) return known;
  const server = new OAuthAuthorizationServer<AuthEnv>({
    issuer: origin,
    resources: [resourceOf(origin)],
    scopesSupported: [...scopesOffered],
    authorizeEndpoint: "/authorize",
    tokenEndpoint: "/oauth/token",
    clientRegistrationEndpoint: "/oauth/register",
    clientIdMetadataDocumentEnabled: true,
    // Cursor comes back to cursor://…. Another program may claim that scheme, but without the proof key the code is worth nothing.
    allowPrivateUseRedirectUris: true,
    accessTokenTTL: accessTokenTtlSeconds,
    refreshTokenTTL: refreshTokenTtlSeconds,
    refreshTokenIdleTTL: refreshTokenTtlSeconds,
    cookiePrefix: "__Host-holdfast-",
    onError({ code, status, internal }) {
      // The wire says little, the log says which check failed.
      console.warn(
        JSON.stringify({ event: "oauth_error", code, status, category: internal.category, reason: internal.reason }),
      );
    },
  });
  if (servers.size >= serversMax) {
    const oldest = servers.keys().next().value;
    if (oldest !== undefined) servers.delete(oldest);
  }
  servers.set(origin, server);
  return server;
}
