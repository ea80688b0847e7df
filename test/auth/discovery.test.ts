// What a client learns before it signs in: discovery documents, registration, and the answers to requests that are not as they must be.
import { describe, expect, inject, it } from "vitest";

const url = inject("url");
const callback = "http://127.0.0.1:9/callback";
const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

async function json(path: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}${path}`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toContain("application/json");
  return (await response.json()) as Record<string, unknown>;
}

async function register(): Promise<string> {
  const response = await fetch(`${url}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_name: "Discovery", redirect_uris: [callback], token_endpoint_auth_method: "none" }),
  });
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

  it("to a callback that was not registered goes nowhere either", async () => {
    const proof = { code_challenge: challenge, code_challenge_method: "S256" };
    const redirect_uri = "https://evil.example/callback";
    const response = await authorize({ ...common, ...proof, client_id: await register(), redirect_uri });
    expect(response.status).toBe(400);
    expect(response.headers.get("location")).toBeNull();
  });
});
