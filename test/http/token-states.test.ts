// Tokens that were good once, or are good elsewhere: revoked ones, and those of another audience, get 401 on every method of /mcp,
// whatever else is wrong with the request. Tokens that never were any: test/auth/tokens.test.ts; expired ones: test/sessions/restart.test.ts.
import { beforeAll, describe, expect, inject, it } from "vitest";
import { EventStream } from "../harness/event-stream";
import { freshUser, login, refresh, revoke } from "../harness/login";
import { type RawRequest, sendRaw } from "../harness/raw-http";
import { bearer, modernMessage, modernRequest, openSession, type Session } from "../harness/raw-mcp";

const url = inject("url");
const localhost = url.replace("127.0.0.1", "localhost");
const mib = 1024 * 1024;
const json = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

/** Requests of every kind; `session` is one that the token opened while it was good. */
function requests(session: Session): [string, RawRequest][] {
  const inSession = { "mcp-session-id": session.id };
  const list = modernMessage("", "tools/list");
  const { authorization: _, ...modern } = list.headers;
  const initialize =
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}';
  return [
    ["initialize", { method: "POST", headers: json, body: initialize }],
    ["a call in the session", { method: "POST", headers: { ...json, ...inSession }, body: ping }],
    ["a call without a session", { method: "POST", headers: json, body: ping }],
    ["a call of the 2026 era", { method: "POST", headers: { ...json, ...modern }, body: JSON.stringify(list.message) }],
    ["a batch", { method: "POST", headers: { ...json, ...inSession }, body: `[${ping}]` }],
    ["broken JSON", { method: "POST", headers: { ...json, ...inSession }, body: "{" }],
    ["another media type", { method: "POST", headers: { "content-type": "text/plain" }, body: ping }],
    ["a body that is too large", { method: "POST", headers: json, body: ping + " ".repeat(16 * mib) }],
    ["an unknown query", { method: "POST", path: "/mcp?names=camel", headers: json, body: ping }],
    [
      "a version that is not supported",
      { method: "POST", headers: { ...json, "mcp-protocol-version": "1" }, body: ping },
    ],
    ["GET in the session", { method: "GET", headers: { accept: "text/event-stream", ...inSession } }],
    ["GET without a session", { method: "GET", headers: { accept: "text/event-stream" } }],
    ["GET of JSON", { method: "GET", headers: { accept: "application/json", ...inSession } }],
    ["DELETE of the session", { method: "DELETE", headers: inSession }],
    ["DELETE without a session", { method: "DELETE" }],
    ["PUT", { method: "PUT" }],
    ["PATCH", { method: "PATCH" }],
    ["OPTIONS", { method: "OPTIONS" }],
    ["HEAD", { method: "HEAD" }],
  ];
}

/** The status and the challenge of every request with this token. */
async function outcomes(token: string, session: Session, target = url): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const [name, request] of requests(session)) {
    const { status, headers } = await sendRaw(target, {
      path: "/mcp",
      ...request,
      headers: { ...request.headers, ...bearer(token) },
    });
    found.set(name, `${status} ${headers["www-authenticate"] ?? ""}`);
  }
  return found;
}

function all401(session: Session, description: string): Map<string, string> {
  const challenge = `401 Bearer error="invalid_token", error_description="${description}", scope="read:/ write:/", resource_metadata="${url}/.well-known/oauth-protected-resource/mcp"`;
  return new Map(requests(session).map(([name]) => [name, challenge]));
}

const unknown = "The access token is unknown, expired, revoked or meant for another server";

describe("a revoked token", () => {
  it("AUTH-001 gets 401 on every method, also where its facts are remembered", async () => {
    const { accessToken, clientId } = await login(url, { user: freshUser("revoked") });
    const session = await openSession(url, accessToken);
    await revoke(url, { token: accessToken, clientId });
    expect(await outcomes(accessToken, session)).toEqual(all401(session, "The access token was revoked"));
  });

  it("gets 401 on every method where its facts were never seen", async () => {
    const used = await login(url, { user: freshUser("revoked") });
    const session = await openSession(url, used.accessToken);
    const unused = await login(url, { user: freshUser("revoked") });
    await revoke(url, { token: unused.refreshToken, clientId: unused.clientId });
    expect(await outcomes(unused.accessToken, session)).toEqual(all401(session, unknown));
  });

  it("takes its open streams with it, in both eras; those of the user's other grants stay", async () => {
    const user = freshUser("revoked");
    const { accessToken, clientId } = await login(url, { user });
    const other = await login(url, { user });
    const streams = [
      await EventStream.get(url, (await openSession(url, accessToken)).headers),
      await EventStream.listen(url, accessToken, { resourceSubscriptions: ["list://"] }),
    ];
    const staying = [
      await EventStream.get(url, (await openSession(url, other.accessToken)).headers),
      await EventStream.listen(url, other.accessToken, { resourceSubscriptions: ["list://"] }),
    ];
    expect([...streams, ...staying].map(({ response }) => response.status)).toEqual([200, 200, 200, 200]);
    await revoke(url, { token: accessToken, clientId });
    await Promise.all(streams.map(({ ended }) => ended));
    await modernRequest(url, other.accessToken, "tools/call", {
      name: "file.create",
      arguments: { path: "/a.md", content: "" },
    });
    await Promise.all(staying.map((stream) => stream.until(/resources\/(updated|list_changed)/)));
    expect(staying.map(({ isEnded }) => isEnded)).toEqual([false, false]);
    for (const stream of staying) stream.close();
  });

  it("leaves the session to the next token of the same client", async () => {
    const { accessToken, refreshToken, clientId } = await login(url, { user: freshUser("revoked") });
    const session = await openSession(url, accessToken);
    const renewed = await refresh(url, { refreshToken, clientId });
    await revoke(url, { token: accessToken, clientId });
    const answer = await session.send({ jsonrpc: "2.0", id: 1, method: "ping" }, bearer(renewed.access_token));
    expect(answer.status).toBe(200);
  });
});

describe("a token of another audience", () => {
  let foreign: string;
  beforeAll(async () => {
    // The same server and the same storage, under its other name: to OAuth that is another resource.
    foreign = (await login(localhost, { user: freshUser("audience") })).accessToken;
  });

  it("works where it was issued", async () => {
    expect((await modernRequest(localhost, foreign, "tools/list")).status).toBe(200);
  });

  it("AUTH-001 gets 401 on every method elsewhere", async () => {
    const { accessToken } = await login(url, { user: freshUser("audience") });
    const session = await openSession(url, accessToken);
    expect(await outcomes(foreign, session)).toEqual(all401(session, unknown));
  });

  it("gets 401 also after it was used where it was issued, and the other way round", async () => {
    const { accessToken } = await login(url, { user: freshUser("audience") });
    expect((await modernRequest(url, accessToken, "tools/list")).status).toBe(200);
    expect((await modernRequest(localhost, accessToken, "tools/list")).status).toBe(401);
    expect((await modernRequest(localhost, foreign, "tools/list")).status).toBe(200);
    expect((await modernRequest(url, foreign, "tools/list")).status).toBe(401);
  });
});
