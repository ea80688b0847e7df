// The v1 SDK client with its own OAuth: discovery, registration, PKCE, code, then 2025-era sessions.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { OAuthClientInformationMixed, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";
import { expect, inject, test } from "vitest";
import { freshUser } from "../harness/login";
import { MemoryOAuth } from "./memory-provider";
import { answerConsent } from "./person";

const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const target = new URL("/mcp", inject("url"));

async function signedIn(): Promise<MemoryOAuth<OAuthClientInformationMixed, OAuthTokens>> {
  const authProvider = new MemoryOAuth<OAuthClientInformationMixed, OAuthTokens>();
  const transport = new StreamableHTTPClientTransport(target, { authProvider });
  await expect(new Client({ name: "v1-test", version: "1" }).connect(transport)).rejects.toThrow(/unauthorized/i);
  if (authProvider.page === undefined) throw new Error("the client did not ask for the browser");
  const redirect = await answerConsent(authProvider.page, { user: freshUser("v1") });
  expect(redirect.searchParams.get("state")).toBe("state-of-the-test");
  expect(redirect.searchParams.get("iss")).toBe(target.origin);
  await transport.finishAuth(redirect.searchParams.get("code") ?? "");
  await transport.close();
  return authProvider;
}

test("MCP-001 MCP-002 AUTH-001 AUTH-011 the v1 SDK client signs in by itself, lists the tools and calls root.info in a UUID v4 session", async () => {
  const authProvider = await signedIn();
  const transport = new StreamableHTTPClientTransport(target, { authProvider });
  const client = new Client({ name: "v1-test", version: "1" });
  await client.connect(transport as Parameters<typeof client.connect>[0]);

  expect(transport.sessionId).toMatch(uuidV4);
  expect(transport.protocolVersion).toBe("2025-11-25");
  expect(client.getServerVersion()?.name).toBe("holdfast");
  const { tools } = await client.listTools();
  expect(tools.map((tool) => tool.name)).toContain("root.info");
  expect(tools.find((tool) => tool.name === "root.info")?.annotations?.readOnlyHint).toBe(true);

  const result = await client.callTool({ name: "root.info", arguments: {} });
  expect(result.isError ?? false).toBe(false);
  expect(result.structuredContent).toMatchObject({ scopes: ["read:/", "write:/"] });
  expect(result.content).toEqual([{ type: "text", text: JSON.stringify(result.structuredContent) }]);
  await client.ping();

  await transport.terminateSession();
  expect(transport.sessionId).toBeUndefined();
  await client.close();
});

test("the v1 SDK client renews an access token that the server no longer takes, with its refresh token", async () => {
  const authProvider = await signedIn();
  const tokens = authProvider.tokens();
  if (tokens === undefined) throw new Error("no tokens");
  authProvider.saveTokens({ ...tokens, access_token: "gone" });
  const client = new Client({ name: "v1-test", version: "1" });
  const transport = new StreamableHTTPClientTransport(target, { authProvider });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  expect((await client.callTool({ name: "root.info", arguments: {} })).isError ?? false).toBe(false);
  expect(authProvider.tokens()?.access_token).not.toBe("gone");
  expect(authProvider.tokens()?.refresh_token).not.toBe(tokens.refresh_token);
  await client.close();
});
