// JSON-RPC batches: of protocol version 2025-03-26 alone, answered together, and refused whole where one call is refused.
import { beforeAll, describe, expect, inject, it } from "vitest";
import { freshUser, login } from "../harness/login";
import { bearer, modernMessage, openSession, postMcp, type RpcBody, rpc, type Session } from "../harness/raw-mcp";

const url = inject("url");
const create = (path: string) => rpc("tools/call", { name: "file.create", arguments: { path, content: "x" } });
const entriesOf = async (session: Session, path: string) => {
  const { body } = await session.request("tools/call", { name: "file.list", arguments: { path } });
  return body.result.structuredContent.entries as unknown[];
};

let token: string;
let session: Session;

beforeAll(async () => {
  token = (await login(url, { user: freshUser("batch") })).accessToken;
  session = await openSession(url, token, { protocolVersion: "2025-03-26" });
});

describe("in 2025-03-26", () => {
  it("answers every request of a batch, each in its id, and no notification", async () => {
    const messages = [
      rpc("ping"),
      { jsonrpc: "2.0", method: "notifications/initialized" },
      rpc("tools/list"),
      rpc("ping"),
    ];
    const { status, body } = await session.send(messages);
    expect(status).toBe(200);
    const answers = body as unknown as RpcBody[];
    const ids = messages.flatMap((message) => ("id" in message ? [message.id] : []));
    expect(answers.map(({ id }) => id).sort()).toEqual(ids.sort());
    expect(answers.every(({ result }) => result !== undefined)).toBe(true);
  });

  it("answers a batch of one request as a batch", async () => {
    const ping = rpc("ping");
    expect((await session.send([ping])).body).toEqual([{ jsonrpc: "2.0", id: ping.id, result: {} }]);
  });

  it("answers a batch of notifications with 202", async () => {
    const { status, text } = await session.send([{ jsonrpc: "2.0", method: "notifications/initialized" }]);
    expect({ status, text }).toEqual({ status: 202, text: "" });
  });

  it("answers a call also when its cancellation stands beside it", async () => {
    const ping = rpc("ping");
    const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: ping.id } };
    expect((await session.send([ping, cancelled])).body).toEqual([{ jsonrpc: "2.0", id: ping.id, result: {} }]);
  });

  it("MCP-051 refuses the whole batch for one refused call, wherever it stands, and does nothing", async () => {
    const narrow = await login(url, { user: freshUser("batch"), scope: "read:/ write:/mine/" });
    const own = await openSession(url, narrow.accessToken, { protocolVersion: "2025-03-26" });
    const refused = create("/theirs/a");
    for (const batch of [
      [refused, create("/mine/a")],
      [create("/mine/b"), refused],
      [create("/mine/c"), rpc("ping"), refused, create("/mine/d")],
    ]) {
      const { status, headers, body } = await own.send(batch);
      expect(status).toBe(403);
      expect(headers.get("www-authenticate")).toContain('scope="write:/theirs/a"');
      expect(body).toMatchObject({ id: refused.id, error: { data: { scope: "write:/theirs/a" } } });
    }
    expect(await entriesOf(own, "/")).toEqual([]);
    expect((await own.send([create("/mine/a"), create("/mine/b")])).status).toBe(200);
    expect(await entriesOf(own, "/mine")).toHaveLength(2);
  });

  it("MCP-051 refuses the whole batch for one call that only a lookup could refuse, and does nothing", async () => {
    const user = freshUser("batch");
    const wide = await openSession(url, (await login(url, { user })).accessToken, { protocolVersion: "2025-03-26" });
    expect((await wide.send([create("/mine/sub/there")])).status).toBe(200);
    const narrow = await login(url, { user, scope: "read:/mine/* write:/mine/*" });
    const own = await openSession(url, narrow.accessToken, { protocolVersion: "2025-03-26" });
    const search = () => rpc("tools/call", { name: "snapshot.grep", arguments: { query: "x", paths: ["mine"] } });
    // Alone, it is refused by the file that the lookup finds.
    expect((await own.send(search())).headers.get("www-authenticate")).toContain('scope="read:/mine/"');

    for (const refused of [
      search(),
      rpc("tools/call", { name: "snapshot.export", arguments: { paths: ["mine"] } }),
      rpc("tools/call", { name: "snapshot.file", arguments: { path: "mine/a" } }),
    ]) {
      for (const batch of [
        [create("/mine/a"), refused],
        [refused, create("/mine/a")],
      ]) {
        const { status, headers, body } = await own.send(batch);
        expect(status).toBe(403);
        expect(headers.get("www-authenticate")).toContain('scope="read:/"');
        expect(body).toMatchObject({ id: refused.id, error: { data: { scope: "read:/" } } });
      }
    }
    expect(await entriesOf(wide, "/mine")).toEqual([expect.objectContaining({ name: "sub" })]);
    const both = (await wide.send([create("/mine/a"), search()])).body as unknown as RpcBody[];
    expect(both.map(({ result }) => result?.isError ?? false)).toEqual([false, false]);
  });

  it.each([
    ["two requests with one id", () => [rpc("ping"), rpc("ping")].map((ping) => ({ ...ping, id: 1 }))],
    ["something that is no message", () => [rpc("ping"), { hello: 1 }]],
    ["more than 100 messages", () => Array.from({ length: 101 }, () => rpc("ping"))],
    [
      "initialize",
      () => [
        rpc("initialize", { protocolVersion: "2025-03-26", capabilities: {}, clientInfo: { name: "b", version: "1" } }),
      ],
    ],
  ])("refuses a batch with %s", async (_, batch) => {
    const { status, body } = await session.send(batch());
    expect(status).toBe(400);
    expect(body.error?.code).toBe(-32600);
  });
});

describe("in other versions", () => {
  it.each(["2025-11-25", "2025-06-18", "2024-11-05"])("refuses a batch in a session of %s", async (protocolVersion) => {
    const own = await openSession(url, token, { protocolVersion });
    const { status, body } = await own.send([rpc("ping")]);
    expect(status).toBe(400);
    expect(body.error).toEqual({
      code: -32600,
      message: "Batches belong to protocol version 2025-03-26 alone. Send one message per POST.",
    });
    expect((await own.request("ping")).status).toBe(200);
  });

  it("refuses a batch of requests of the 2026 era", async () => {
    const { message, headers } = modernMessage(token, "tools/list");
    const { status, body } = await postMcp(`${url}/mcp`, [message], headers);
    expect(status).toBe(400);
    expect(body.error?.code).toBe(-32600);
  });

  it("refuses a batch without a session", async () => {
    expect((await postMcp(`${url}/mcp`, [rpc("ping")], bearer(token))).status).toBe(400);
  });
});
