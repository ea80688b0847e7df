// Methods, media types and bodies of /mcp that are refused before any message is looked at. What a message says is tested in protocol.test.ts.
import { beforeAll, describe, expect, inject, it } from "vitest";
import { freshUser, login } from "../harness/login";
import { type RawAnswer, sendRaw } from "../harness/raw-http";
import { bearer, openSession, postMcp, rpc, type Session } from "../harness/raw-mcp";

const url = inject("url");
const mib = 1024 * 1024;
let token: string;
let session: Session;

beforeAll(async () => {
  token = (await login(url, { user: freshUser("bodies") })).accessToken;
  session = await openSession(url, token);
});

function post(body: string | Iterable<Uint8Array>, headers: Record<string, string> = {}): Promise<RawAnswer> {
  return sendRaw(url, {
    method: "POST",
    path: "/mcp",
    headers: {
      ...session.headers,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body,
  });
}

function* blanks(bytes: number): Iterable<Uint8Array> {
  const piece = Buffer.alloc(64 * 1024, " ");
  for (let sent = 0; sent < bytes; sent += piece.length) yield piece;
}

/** A ping of exactly this many bytes. */
function pingOf(bytes: number): string {
  const ping = JSON.stringify(rpc("ping"));
  return ping + " ".repeat(bytes - ping.length);
}

const tooLarge = { jsonrpc: "2.0", id: null, error: { code: -32000, message: "The body is larger than 16 MiB." } };

describe("size", () => {
  it("takes a body of exactly 16 MiB", async () => {
    expect((await post(pingOf(16 * mib))).status).toBe(200);
  });

  it("refuses one byte more with 413 by its length, although it would parse", async () => {
    const answer = await post(pingOf(16 * mib + 1));
    expect(answer.status).toBe(413);
    expect(JSON.parse(answer.text)).toEqual(tooLarge);
  });

  it("refuses a chunked body without a length with 413, not as broken JSON", async () => {
    const answer = await post(blanks(20 * mib));
    expect(answer.status).toBe(413);
    expect(JSON.parse(answer.text)).toEqual(tooLarge);
  });

  it("takes a chunked body within the limit", async () => {
    expect((await post([Buffer.from(pingOf(15 * mib))])).status).toBe(200);
  });

  it("goes on serving afterwards", async () => {
    expect((await session.request("ping")).body.result).toEqual({});
  });

  it("asks for the token before the body counts", async () => {
    expect((await post(pingOf(16 * mib + 1), { authorization: "Bearer garbage" })).status).toBe(401);
  });
});

describe("method", () => {
  it.each(["PUT", "PATCH", "OPTIONS", "PROPFIND", "HEAD"])(
    "answers %s with 405 and what is allowed",
    async (method) => {
      const answer = await sendRaw(url, { method, path: "/mcp", headers: bearer(token) });
      expect(answer.status).toBe(405);
      expect(answer.headers.allow).toBe("POST, GET, DELETE");
      if (method !== "HEAD") expect(JSON.parse(answer.text).error.message).toBe(`${method} is not allowed here.`);
    },
  );
});

describe("media type", () => {
  it.each(["text/plain", "application/x-www-form-urlencoded", "application/jsonp", "multipart/form-data", ""])(
    'refuses a message sent as "%s" with 415',
    async (type) => {
      const answer = await post(JSON.stringify(rpc("ping")), { "content-type": type });
      expect(answer.status).toBe(415);
      expect(JSON.parse(answer.text).error).toEqual({ code: -32000, message: "Send the message as application/json." });
    },
  );

  it.each(["application/json; charset=utf-8", "Application/JSON"])("takes %s", async (type) => {
    expect((await post(JSON.stringify(rpc("ping")), { "content-type": type })).status).toBe(200);
  });

  it("refuses a GET that does not accept an event stream with 406", async () => {
    const response = await fetch(`${url}/mcp`, { headers: { ...session.headers, accept: "application/json" } });
    expect(response.status).toBe(406);
  });
});

describe("JSON", () => {
  it.each([
    ["nothing", ""],
    ["half a message", '{"jsonrpc":"2.0","id":1,'],
    ["two messages", '{"jsonrpc":"2.0","id":1,"method":"ping"}{}'],
    ["a byte order mark", '\ufeff{"jsonrpc":"2.0","id":1,"method":"ping"}'],
  ])("answers %s with 400 and -32700", async (_, body) => {
    const answer = await post(body);
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text)).toEqual({
      jsonrpc: "2.0",
      id: null,
      error: { code: -32700, message: "Parse error: the body is not valid JSON." },
    });
  });

  it("answers bytes that are not UTF-8 with 400 and -32700, rather than replace them", async () => {
    const answer = await post([Buffer.from([0x22, 0xff, 0x22])]);
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text).error.code).toBe(-32700);
  });

  it.each([
    ["null", null],
    ["a number", 5],
    ["a text", "ping"],
    ["an object that is no message", { hello: 1 }],
    ["another version of JSON-RPC", { jsonrpc: "1.0", id: 1, method: "ping" }],
    ["an id of null", { jsonrpc: "2.0", id: null, method: "ping" }],
    ["a method that is no text", { jsonrpc: "2.0", id: 1, method: 7 }],
    ["an empty batch", []],
  ])("answers %s with 400 and -32600", async (_, message) => {
    const answer = await post(JSON.stringify(message));
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text).error.code).toBe(-32600);
  });

  it("answers an unsupported protocol version in the header with 400 and the supported ones", async () => {
    const answer = await post(JSON.stringify(rpc("ping")), { "mcp-protocol-version": "1999-01-01" });
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text).error.message).toContain("2025-11-25");
  });

  it("answers a query that it does not know with 400 and what may stand there", async () => {
    for (const query of ["?names=camel", "?tools=texts", "?tools=", "?tools=text,", "?names="]) {
      const answer = await postMcp(`${url}/mcp${query}`, rpc("ping"), session.headers);
      expect(answer.status, query).toBe(400);
      expect(answer.body.error?.message).toBe(
        "Give ?tools= a list of text, snapshot, zip, context, and ?names= dotted or underscore.",
      );
    }
  });
});
