// Sessions of the 2025 era: who may use one. An id that is unknown, ended, another user's or another client's is answered alike, to the byte.
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { freshUser, type Login, login, refresh } from "../harness/login";
import { type RawAnswer, type RawRequest, sendRaw } from "../harness/raw-http";
import { bearer, openSession, postMcp, rpc, type Session } from "../harness/raw-mcp";

const url = inject("url");
const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const json = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const initialize = rpc("initialize", {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "sessions", version: "1" },
});

const myName = freshUser("me");
let me: Login;
let session: Session;
/** Of another user, and one of mine that was deleted. */
let foreign: Session;
let ended: Session;
/** Another registration, hence another OAuth client of the same user. */
let otherClient: Login;

beforeAll(async () => {
  me = await login(url, { user: myName });
  session = await openSession(url, me.accessToken);
  foreign = await openSession(url, (await login(url, { user: freshUser("other") })).accessToken);
  ended = await openSession(url, me.accessToken);
  expect((await send({ method: "DELETE" }, ended.headers)).status).toBe(204);
  otherClient = await login(url, { user: myName });
});

/** Every kind of request that a session id can come with. */
const kinds: [string, RawRequest][] = [
  ["a request", { method: "POST", headers: json, body: JSON.stringify(rpc("ping")) }],
  ["a call", { method: "POST", headers: json, body: JSON.stringify(rpc("tools/call", { name: "root.info" })) }],
  ["a notification", { method: "POST", headers: json, body: '{"jsonrpc":"2.0","method":"notifications/initialized"}' }],
  ["an answer", { method: "POST", headers: json, body: '{"jsonrpc":"2.0","id":"x","result":{}}' }],
  ["a batch", { method: "POST", headers: json, body: JSON.stringify([rpc("ping")]) }],
  ["an unknown tool", { method: "POST", headers: json, body: JSON.stringify(rpc("tools/call", { name: "none" })) }],
  ["initialize", { method: "POST", headers: json, body: JSON.stringify(initialize) }],
  [
    "subscribe",
    { method: "POST", headers: json, body: JSON.stringify(rpc("resources/subscribe", { uri: "list://" })) },
  ],
  ["GET", { method: "GET", headers: { accept: "text/event-stream" } }],
  ["DELETE", { method: "DELETE" }],
];

function send(request: RawRequest, headers: Record<string, string>): Promise<RawAnswer> {
  return sendRaw(url, { path: "/mcp", ...request, headers: { ...request.headers, ...headers } });
}

/** Everything that a client can see of an answer, apart from the clock. */
function seen({ status, headers, text }: RawAnswer): object {
  const { date: _, ...rest } = headers;
  return { status, headers: rest, text };
}

describe("a session id", () => {
  it("MCP-002 is a UUID v4, and a new one for each initialize", async () => {
    const other = await openSession(url, me.accessToken);
    expect(session.id).toMatch(uuidV4);
    expect(other.id).toMatch(uuidV4);
    expect(other.id).not.toBe(session.id);
  });

  it.each(kinds.filter(([name]) => name !== "initialize"))("is missing: 400 for %s", async (_, request) => {
    const answer = await send(request, bearer(me.accessToken));
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text)).toEqual({
      jsonrpc: "2.0",
      id: null,
      error: {
        code: -32000,
        message: "The mcp-session-id header is missing. Send initialize first and use the id it returns.",
      },
    });
  });

  it.each(kinds)("unknown, ended, another user's or another client's: the same 404 for %s", async (_, request) => {
    const ids = { unknown: randomUUID(), ended: ended.id, foreign: foreign.id, malformed: "1", long: "x".repeat(4000) };
    const answers: Record<string, object> = {};
    for (const [name, id] of Object.entries(ids)) {
      answers[name] = seen(await send(request, { ...bearer(me.accessToken), "mcp-session-id": id }));
    }
    const fromOtherClient = { ...bearer(otherClient.accessToken), "mcp-session-id": session.id };
    answers.otherClient = seen(await send(request, fromOtherClient));
    const expected = answers.unknown;
    expect(expected).toMatchObject({
      status: 404,
      text: '{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found. Start a new one with initialize."}}',
    });
    for (const [name, answer] of Object.entries(answers)) expect(answer, name).toEqual(expected);
    expect((await foreign.request("ping")).status).toBe(200);
    expect((await session.request("ping")).status).toBe(200);
  });

  it("belongs to the OAuth client: another client of the same user gets 404, the same client's next token does not", async () => {
    const user = freshUser("clients");
    const first = await login(url, { user });
    const own = await openSession(url, first.accessToken);
    const renewed = await refresh(url, first);
    const second = await login(url, { user });
    expect((await own.send(rpc("ping"), bearer(renewed.access_token))).status).toBe(200);
    expect((await own.send(rpc("ping"), bearer(second.accessToken))).status).toBe(404);
    const { status } = await send({ method: "DELETE" }, { ...own.headers, ...bearer(second.accessToken) });
    expect(status).toBe(404);
    expect((await own.request("ping")).status).toBe(200);
  });

  it("is not asked for in the 2026 era, and not looked at", async () => {
    const { accessToken } = await login(url, { user: freshUser("modern") });
    const answer = await postMcp(
      `${url}/mcp`,
      rpc("tools/list", {
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      }),
      {
        ...bearer(accessToken),
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/list",
        "mcp-session-id": session.id,
      },
    );
    expect(answer.status).toBe(200);
    expect(answer.headers.has("mcp-session-id")).toBe(false);
  });
});

describe("initialize", () => {
  it("is refused in a session that is open already", async () => {
    const answer = await session.send(initialize);
    expect(answer.status).toBe(400);
    expect(answer.headers.has("mcp-session-id")).toBe(false);
    expect((await session.request("ping")).status).toBe(200);
  });

  it("opens nothing without an id of its own", async () => {
    const { id: _, ...notification } = initialize;
    const answer = await postMcp(`${url}/mcp`, notification, bearer(me.accessToken));
    expect(answer.status).toBe(400);
    expect(answer.body.error?.code).toBe(-32600);
    expect(answer.headers.has("mcp-session-id")).toBe(false);
  });

  it("keeps no more of its params than a client needs", async () => {
    const clientInfo = { name: "n".repeat(300_000), version: "1" };
    const answer = await postMcp(
      `${url}/mcp`,
      rpc("initialize", { ...(initialize.params as object), clientInfo }),
      bearer(me.accessToken),
    );
    expect(answer.status).toBe(400);
    expect(answer.body.error?.code).toBe(-32602);
    expect(answer.headers.has("mcp-session-id")).toBe(false);
  });
});

describe("DELETE", () => {
  it("ends the session at once and for good", async () => {
    const own = await openSession(url, me.accessToken);
    expect((await own.request("ping")).status).toBe(200);
    const answer = await send({ method: "DELETE" }, own.headers);
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 204, text: "" });
    expect((await own.request("ping")).status).toBe(404);
    expect((await send({ method: "DELETE" }, own.headers)).status).toBe(404);
  });
});
