// The OAuth flow of a public client, step by step, against a server in local mode: discovery, registration, PKCE,
// login and consent, code, token. Used by `npm run token` and by the tests.
import { createHash, randomBytes } from "node:crypto";

/** Loopback, where nobody listens: the code is taken from the redirect itself (RFC 8252 §7.3 lets the port vary). */
export const defaultRedirectUri = "http://127.0.0.1/callback";
export const defaultScope = "read:/ write:/";

/** An answer that ends the flow: what was asked, the status, and the body. */
export class OAuthFlowError extends Error {
  constructor(step, status, body) {
    const reason = typeof body === "object" && body !== null ? (body.error_description ?? body.error) : body;
    super(`${step} was answered with ${status}${reason ? `: ${String(reason).slice(0, 300).replace(/\.$/, "")}` : ""}`);
    this.name = "OAuthFlowError";
    this.step = step;
    this.status = status;
    this.body = body;
    this.code = typeof body === "object" && body !== null ? body.error : undefined;
  }
}

/** As much of a cookie jar as one origin needs. `Secure` is not looked at: loopback counts as secure. */
export class CookieJar {
  #cookies = new Map();

  take(response) {
    for (const line of response.headers.getSetCookie()) {
      const [pair, ...attributes] = line.split(";").map((part) => part.trim());
      const name = pair.slice(0, pair.indexOf("="));
      const ends = attributes.some((attribute) => /^max-age=0*$/i.test(attribute) || isPast(attribute));
      if (ends) this.#cookies.delete(name);
      else this.#cookies.set(name, pair.slice(name.length + 1));
    }
  }

  header() {
    return this.#cookies.size === 0
      ? {}
      : { cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ") };
  }
}

export async function discover(url) {
  const resource = await json(
    "the resource metadata",
    await fetch(new URL("/.well-known/oauth-protected-resource/mcp", url)),
  );
  const issuer = resource.authorization_servers[0];
  const server = await json(
    "the server metadata",
    await fetch(new URL("/.well-known/oauth-authorization-server", issuer)),
  );
  return { resource: resource.resource, server };
}

export async function register(url, options = {}) {
  const { server } = await discover(url);
  const response = await fetch(server.registration_endpoint, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      client_name: options.clientName ?? "Holdfast command line",
      redirect_uris: options.redirectUris ?? [defaultRedirectUri],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    }),
  });
  return json("the registration", response);
}

export function createPkce() {
  const verifier = randomBytes(32).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
}

/** The URL that a client opens in the browser. `resource: null` and `scope: null` leave the parameter out. */
export async function authorizeUrl(url, options) {
  const { resource, server } = await discover(url);
  const target = new URL(server.authorization_endpoint);
  const parameters = {
    response_type: "code",
    client_id: options.clientId,
    redirect_uri: options.redirectUri ?? defaultRedirectUri,
    state: options.state ?? randomBytes(8).toString("hex"),
    code_challenge: options.challenge,
    code_challenge_method: "S256",
    scope: options.scope === undefined ? defaultScope : options.scope,
    resource: options.resource === undefined ? resource : options.resource,
  };
  for (const [name, value] of Object.entries(parameters)) if (value !== null) target.searchParams.set(name, value);
  return target;
}

/** Login and consent as a person would do them in the browser. */
export async function authorizeCode(url, options) {
  const clientId = options.clientId ?? (await register(url, options)).client_id;
  const { verifier, challenge } = createPkce();
  const redirectUri = options.redirectUri ?? defaultRedirectUri;
  const target = await authorizeUrl(url, { ...options, clientId, challenge, redirectUri });
  const jar = new CookieJar();

  const page = await fetch(target, { redirect: "manual" });
  const html = await page.text();
  jar.take(page);
  const refused = redirectParameters(page);
  if (refused) throw new OAuthFlowError("the authorization request", page.status, Object.fromEntries(refused));
  if (!page.ok) throw new OAuthFlowError("the authorization request", page.status, html);

  const answer = await fetch(new URL("/authorize", target), {
    method: "POST",
    redirect: "manual",
    headers: { ...jar.header(), origin: target.origin },
    body: new URLSearchParams({
      handle: hiddenField(html, "handle"),
      user: options.user,
      access: options.access ?? "asked",
      reach: options.reach ?? (options.folder === undefined ? "asked" : "folder"),
      ...(options.folder === undefined ? {} : { folder: options.folder }),
      decision: options.decision ?? "approve",
    }),
  });
  const parameters = redirectParameters(answer);
  if (!parameters) throw new OAuthFlowError("the consent", answer.status, complaint(await answer.text()));
  const code = parameters.get("code");
  if (!code) throw new OAuthFlowError("the consent", answer.status, Object.fromEntries(parameters));
  return { code, verifier, clientId, redirectUri, parameters };
}

/** Turns a code into tokens; rejects with OAuthFlowError when the server refuses. */
export async function redeem(url, grant) {
  return tokenRequest(url, "the code", {
    grant_type: "authorization_code",
    code: grant.code,
    code_verifier: grant.verifier,
    client_id: grant.clientId,
    redirect_uri: grant.redirectUri ?? defaultRedirectUri,
    ...(grant.resource === undefined ? {} : { resource: grant.resource }),
  });
}

export async function refresh(url, grant) {
  return tokenRequest(url, "the refresh token", {
    grant_type: "refresh_token",
    refresh_token: grant.refreshToken,
    client_id: grant.clientId,
    ...(grant.scope === undefined ? {} : { scope: grant.scope }),
  });
}

export async function revoke(url, grant) {
  const { server } = await discover(url);
  const response = await fetch(server.revocation_endpoint ?? server.token_endpoint, {
    method: "POST",
    body: new URLSearchParams({ token: grant.token, client_id: grant.clientId }),
  });
  const body = await response.text();
  if (!response.ok) throw new OAuthFlowError("the revocation", response.status, body);
}

/** All of it: from nothing to tokens. */
export async function login(url, options) {
  const grant = await authorizeCode(url, options);
  const tokens = await redeem(url, grant);
  return {
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token,
    clientId: grant.clientId,
    scope: tokens.scope,
    expiresInS: tokens.expires_in,
  };
}

async function tokenRequest(url, step, parameters) {
  const { server } = await discover(url);
  const response = await fetch(server.token_endpoint, { method: "POST", body: new URLSearchParams(parameters) });
  return json(step, response);
}

async function json(step, response) {
  const text = await response.text();
  let body;
  try {
    body = JSON.parse(text);
  } catch {
    throw new OAuthFlowError(step, response.status, plainText(text));
  }
  if (!response.ok) throw new OAuthFlowError(step, response.status, body);
  return body;
}

function redirectParameters(response) {
  const location = response.headers.get("location");
  if (response.status < 300 || response.status > 399 || !location) return undefined;
  return new URL(location, response.url).searchParams;
}

function hiddenField(html, name) {
  for (const [tag] of html.matchAll(/<input\b[^>]*>/g)) {
    if (attribute(tag, "name") === name) return attribute(tag, "value") ?? "";
  }
  throw new OAuthFlowError(`the field "${name}" of the consent page`, 200, plainText(html));
}

function attribute(tag, name) {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return value
    ?.replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}

/** What a page complains about, or all that it says. */
function complaint(html) {
  return plainText(/role="alert"[^>]*>([\s\S]*?)<\//.exec(html)?.[1] ?? html);
}

function plainText(html) {
  return html
    .replace(/<(style|script)\b[\s\S]*?<\/\1>/g, " ")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

function isPast(attribute) {
  return /^expires=/i.test(attribute) && Date.parse(attribute.slice("expires=".length)) <= Date.now();
}
