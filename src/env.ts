import type { AuthStore } from "./auth/auth-store";
import type { RootObject } from "./root/root-object";

/** Bindings and settings of the Worker, as in wrangler.toml and the environment. */
export interface Env {
  ROOT: DurableObjectNamespace<RootObject>;
  AUTH: DurableObjectNamespace<AuthStore>;
  BLOBS: R2Bucket;
  MANIFESTS: D1Database;
  USER_RATE?: RateLimit;
  ADDRESS_RATE?: RateLimit;

  /** "local" offers a login page that asks only for a user name; works on loopback addresses alone. */
  AUTH_MODE?: string;
  /** The one origin that this server answers for, e.g. https://holdfast.example; without it, the origin of each request. */
  PUBLIC_URL?: string;
  /** Further browser origins that may call /mcp, separated by blanks. */
  ALLOWED_ORIGINS?: string;
  OIDC_ISSUER?: string;
  OIDC_CLIENT_ID?: string;
  OIDC_CLIENT_SECRET?: string;
  /** JSON array of {issuer, jwks_uri?, audience?}: issuers whose JWT access tokens are accepted. */
  TRUSTED_ISSUERS?: string;
  /** JSON object with limits of the zip family other than the defaults, such as {"entries":50000}; never above their ceilings. */
  ZIP_LIMITS?: string;
}
