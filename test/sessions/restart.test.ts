// What outlives the server: sessions with all they hold, and tokens, over a clean restart and over kill -9. And what does not: an expired token.
// That idle sessions end is tested in test/workers, where the clock can be moved.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { OAuthClientInformationMixed, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MemoryOAuth } from "../clients/memory-provider";
import { answerConsent } from "../clients/person";
import { EventStream } from "../harness/event-stream";
import { freshUser, type Login, login, refresh } from "../harness/login";
import { bearer, openSession, rpc, type Session } from "../harness/raw-mcp";
import { type Server, startServer } from "../harness/server";
import { expireTokens } from "./aged-state";

let server: Server;
/** A client of the SDK that stays connected, with what it knew before. */
let connected: Awaited<ReturnType<typeof connectClient>>;
/** A bare session that watches a directory, and one that was deleted. */
let watching: Session;
let ended: Session;
/** A session whose token is made to expire between kill -9 and the next start. */
let expiring: Login & { readonly session: Session };

beforeAll(async () => {
  server = await startServer();
  connected = await connectClient();
  const { accessToken } = await login(server.url, { user: freshUser("kept") });
  watching = await openSession(server.url, accessToken, {
    clientName: "cursor-vscode",
    protocolVersion: "2025-03-26",
  });
  expect((await watching.request("resources/subscribe", { uri: "list://watched" })).body.result).toEqual({});
  ended = await openSession(server.url, accessToken);
  await fetch(`${server.url}/mcp`, { method: "DELETE", headers: ended.headers });
  const granted = await login(server.url, { user: freshUser("expired") });
  expiring = { ...granted, session: await openSession(server.url, granted.accessToken) };
});

afterAll(async () => {
  await connected?.client.close();
  await server?.stop();
});

async function connectClient() {
  const target = new URL("/mcp", server.url);
  const authProvider = new MemoryOAuth<OAuthClientInformationMixed, OAuthTokens>();
  const first = new StreamableHTTPClientTransport(target, { authProvider });
  await expect(new Client({ name: "restart", version: "1" }).connect(first)).rejects.toThrow(/unauthorized/i);
  const redirect = await answerConsent(authProvider.page ?? "", { user: freshUser("restart") });
  await first.finishAuth(redirect.searchParams.get("code") ?? "");
  await first.close();
  authProvider.page = undefined;
  const transport = new StreamableHTTPClientTransport(target, { authProvider });
  const client = new Client({ name: "restart", version: "1" });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  const info = (await client.callTool({ name: "root.info", arguments: {} })).structuredContent;
  return { client, transport, authProvider, info, sessionId: transport.sessionId, tokens: authProvider.tokens() };
}

async function restartCleanly(): Promise<void> {
  await server.restart();
}

async function killAndStart(): Promise<void> {
  await server.kill();
  const [userId = ""] = expiring.accessToken.split(":");
  expect(expireTokens(server.state, userId, Date.now())).toBe(1);
  await server.restart();
}

describe.each([
  ["a clean restart", restartCleanly],
  ["kill -9", killAndStart],
])("over %s", (name, restart) => {
  beforeAll(restart);

  it("MCP-002 a connected v1 SDK client goes on in its session, without a new login", async () => {
    const { client, transport, authProvider, info, sessionId, tokens } = connected;
    expect((await client.callTool({ name: "root.info", arguments: {} })).structuredContent).toEqual(info);
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
    expect(transport.sessionId).toBe(sessionId);
    expect(authProvider.tokens()).toEqual(tokens);
    expect(authProvider.page).toBeUndefined();
  });

  it("a session keeps its client's name and its protocol version", async () => {
    const { tools } = (await watching.request("tools/list")).body.result;
    expect(tools.map((tool: { name: string }) => tool.name)).toContain("root_info");
    expect((await watching.send([rpc("ping")])).status).toBe(200);
  });

  it("a session keeps its subscriptions", async () => {
    const stream = await EventStream.get(server.url, watching.headers);
    const path = `/watched/${encodeURIComponent(name)}`;
    await watching.request("tools/call", { name: "file.create", arguments: { path, content: "" } });
    await stream.until(/"notifications\/resources\/updated","params":\{"uri":"list:\/\/watched"\}/);
    stream.close();
  });

  it("a deleted session stays deleted", async () => {
    expect((await ended.request("ping")).status).toBe(404);
  });
});

describe("an access token that has expired since", () => {
  it.each(["POST", "GET", "DELETE", "PUT", "PATCH", "OPTIONS"])("AUTH-016 gets 401 on %s", async (method) => {
    const response = await fetch(`${server.url}/mcp`, { method, headers: expiring.session.headers });
    await response.body?.cancel();
    expect(response.status).toBe(401);
    const challenge = response.headers.get("www-authenticate");
    expect(challenge).toContain('error="invalid_token"');
    expect(challenge).toContain(`resource_metadata="${server.url}/.well-known/oauth-protected-resource/mcp"`);
  });

  it("is followed by a new one, for the same session", async () => {
    const renewed = await refresh(server.url, expiring);
    expect((await expiring.session.send(rpc("ping"), bearer(renewed.access_token))).status).toBe(200);
  });
});
