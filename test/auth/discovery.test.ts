// What a client learns before it signs in: discovery documents, registration, and the answers to requests that are not as they must be.
import { describe, expect, inject, it } from "vitest";
import { authorizeCode, freshUser, redeem } from "../harness/login";

const url = inject("url");
const callback = "http://127.0.0.1:9/callback";
const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

async function json(path: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}${path}`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toContain("application/json");
  return (await response.json()) as Record<string, unknown>;
}

function sendRegistration(metadata: object): Promise<Response> {
  return fetch(`${url}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_name: "Discovery", token_endpoint_auth_method: "none", ...metadata }),
  });
}

async function register(...redirect_uris: string[]): Promise<string> {
  const response = await sendRegistration({ redirect_uris: redirect_uris.length > 0 ? redirect_uris : [callback] });
  expect(response.status).toBe(201);
  return ((await response.json()) as { client_id: string }).client_id;
}

function authorize(parameters: Record<string, string>): Promise<Response> {
  return fetch(`${url}/authorize?${new URLSearchParams(parameters)}`, { redirect: "manual" });
}

describe("discovery", () => {
  it.each(["", "/mcp"])(
    "AUTH-001: names the resource and its authorization server, also with %j appended",
    async (suffix) => {
      expect(await json(`/.well-known/oauth-protected-resource${suffix}`)).toMatchObject({
        resource: `${url}/mcp`,
        authorization_servers: [url],
        scopes_supported: ["read:/", "write:/"],
        bearer_methods_supported: ["header"],
      });
    },
  );

  it("AUTH-011: offers codes with S256 alone, refresh, registration, metadata documents, revocation and iss", async () => {
    expect(await json("/.well-known/oauth-authorization-server")).toMatchObject({
      issuer: url,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/oauth/token`,
      registration_endpoint: `${url}/oauth/register`,
      revocation_endpoint: expect.stringContaining(url),
      response_types_supported: ["code"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      scopes_supported: ["read:/", "write:/"],
    });
  });
});

describe("registration", () => {
  it.each([
    "javascript:alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "http://app.example/cb",
    "https://a.example/#x",
    "/cb",
  ])("refuses the callback %s", async (uri) => {
    const response = await sendRegistration({ redirect_uris: [uri] });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: "invalid_client_metadata" });
  });

  it("takes no more than an app needs to describe itself", async () => {
    const response = await sendRegistration({ redirect_uris: [callback], client_name: "n".repeat(64 * 1024) });
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ error: "invalid_request" });
  });
});

describe("an authorization request", () => {
  const common = { response_type: "code", redirect_uri: callback, state: "s" };

  it.each([
    ["the plain method", { code_challenge: "x".repeat(43), code_challenge_method: "plain" }, "invalid_request"],
    ["no proof key", {}, "invalid_request"],
    [
      "another resource",
      { code_challenge: challenge, code_challenge_method: "S256", resource: "https://other.example/mcp" },
      "invalid_target",
    ],
  ])("with %s goes back to the client with the reason, state and iss", async (_name, more, error) => {
    const response = await authorize({ ...common, client_id: await register(), ...more });
    expect(response.status).toBe(302);
    const target = new URL(response.headers.get("location") ?? "");
    expect(target.origin + target.pathname).toBe(callback);
    expect(Object.fromEntries(target.searchParams)).toMatchObject({ error, state: "s", iss: url });
  });

  it.each([
    ["an unknown client", { client_id: "nobody" }],
    ["a metadata document that cannot be read", { client_id: "https://client.invalid/metadata.json" }],
  ])("of %s goes nowhere: a page says so", async (_name, client) => {
    const proof = { code_challenge: challenge, code_challenge_method: "S256" };
    const response = await authorize({ ...common, ...client, ...proof });
    expect(response.status).toBe(400);
    expect(response.headers.get("content-type")).toContain("text/html");
    expect(response.headers.get("location")).toBeNull();
  });

  const proof = { code_challenge: challenge, code_challenge_method: "S256" };

  it.each([
    "https://evil.example/callback",
    "http://localhost:9/callback",
    `${callback}/..`,
    `${callback}?x=1`,
    "evil://cb",
  ])("to %s, which was not registered, goes nowhere either", async (redirect_uri) => {
    const response = await authorize({ ...common, ...proof, client_id: await register(), redirect_uri });
    expect(response.status).toBe(400);
    expect(response.headers.get("location")).toBeNull();
  });

  it("of an app on this computer may come from another port than it registered (RFC 8252)", async () => {
    const redirect_uri = callback.replace(":9/", ":10/");
    const response = await authorize({ ...common, ...proof, client_id: await register(), redirect_uri });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain("127.0.0.1:10");
  });

  it("to an app with a URL scheme of its own, as Cursor registers it, is shown as such and led back there", async () => {
    const redirectUri = "cursor://anysphere.cursor-mcp/oauth/callback";
    const clientId = await register(
      redirectUri,
      "https://www.cursor.com/agents/mcp/oauth/callback",
      "http://localhost:8787/callback",
    );
    const page = await authorize({ ...common, ...proof, client_id: clientId, redirect_uri: redirectUri });
    expect(page.status).toBe(200);
    expect(await page.text()).toContain("the app that opens cursor:// links");
    const grant = await authorizeCode(url, { user: freshUser("cursor"), clientId, redirectUri });
    expect(await redeem(url, grant)).toMatchObject({ scope: "read:/ write:/", expires_in: 24 * 60 * 60 });
  });
});
