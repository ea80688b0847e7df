import type { Scope } from "./scopes";

declare const userIdBrand: unique symbol;
/** Opaque, derived from issuer and subject; names the user's objects. */
export type UserId = string & { readonly [userIdBrand]: true };

/** Who calls, as proven by a bearer token. Never changes during the life of the token; revocation is asked of the user's object. */
export interface Principal {
  readonly userId: UserId;
  /** The OAuth client that holds the token; sessions are bound to it. */
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  readonly scopeText: string;
  /** Absent for tokens of an external issuer: those are not ours to revoke. */
  readonly grantId?: string;
  readonly tokenId?: string;
  readonly expiresAtMs: number;
}
