export const defaultRedirectUri: string;
export const defaultScope: string;

export class OAuthFlowError extends Error {
  readonly step: string;
  readonly status: number;
  readonly body: unknown;
  /** The OAuth error code, e.g. "invalid_grant". */
  readonly code: string | undefined;
}

export class CookieJar {
  take(response: Response): void;
  header(): Record<string, string>;
}

export interface Discovery {
  readonly resource: string;
  readonly server: {
    readonly issuer: string;
    readonly authorization_endpoint: string;
    readonly token_endpoint: string;
    readonly registration_endpoint: string;
    readonly revocation_endpoint?: string;
  } & Record<string, unknown>;
}

export interface RegisterOptions {
  clientName?: string | undefined;
  redirectUris?: string[] | undefined;
}

export interface AuthorizeOptions {
  user: string;
  /** Registered anew when absent. */
  clientId?: string | undefined;
  clientName?: string | undefined;
  redirectUri?: string | undefined;
  /** `null`: the client asks for nothing. */
  scope?: string | null | undefined;
  /** `null`: the parameter is left out. */
  resource?: string | null | undefined;
  state?: string | undefined;
  /** What the person chooses on the consent page; "asked" leaves the request as it is. */
  access?: string | undefined;
  reach?: string | undefined;
  folder?: string | undefined;
  decision?: string | undefined;
}

export interface CodeGrant {
  readonly code: string;
  readonly verifier: string;
  readonly clientId: string;
  readonly redirectUri: string;
  /** The whole query of the redirect: code, state, iss. */
  readonly parameters: URLSearchParams;
}

export interface TokenAnswer {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly token_type: string;
  readonly expires_in: number;
  readonly scope: string;
}

export interface Login {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly clientId: string;
  readonly scope: string;
  readonly expiresInS: number;
}

export function discover(url: string): Promise<Discovery>;
export function register(
  url: string,
  options?: RegisterOptions,
): Promise<{ client_id: string } & Record<string, unknown>>;
export function createPkce(): { verifier: string; challenge: string };
export function authorizeUrl(
  url: string,
  options: Omit<AuthorizeOptions, "user" | "clientId"> & { clientId: string; challenge: string },
): Promise<URL>;
export function authorizeCode(url: string, options: AuthorizeOptions): Promise<CodeGrant>;
export function redeem(
  url: string,
  grant: { code: string; verifier: string; clientId: string; redirectUri?: string; resource?: string },
): Promise<TokenAnswer>;
export function refresh(
  url: string,
  grant: { refreshToken: string; clientId: string; scope?: string },
): Promise<TokenAnswer>;
export function revoke(url: string, grant: { token: string; clientId: string }): Promise<void>;
export function login(url: string, options: AuthorizeOptions): Promise<Login>;
