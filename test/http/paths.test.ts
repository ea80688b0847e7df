// Spellings of /mcp that are not /mcp: never served, with or without a token. Sent raw, because fetch would normalize them.
import { beforeAll, describe, expect, inject, it } from "vitest";
import { freshUser, login } from "../harness/login";
import { sendRaw } from "../harness/raw-http";
import { bearer, rpc } from "../harness/raw-mcp";

const url = inject("url");
let token: string;

beforeAll(async () => {
  token = (await login(url, { user: freshUser("paths") })).accessToken;
});

function send(path: string, headers: Record<string, string> = {}) {
  return sendRaw(url, {
    method: "POST",
    path,
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
    body: JSON.stringify(
      rpc("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } }),
    ),
  });
}

const otherPaths = [
  "//mcp",
  "///mcp",
  "/mcp/",
  "/mcp//",
  "/mcp%2F",
  "/mcp%2f",
  "/%6dcp",
  "/%6Dcp",
  "/mc%70",
  "/%2Fmcp",
  "/MCP",
  "/Mcp",
  "/mcp;x",
  "/mcp;x=/..",
  "/;/mcp",
  "/..;/mcp",
  "/mcp%00",
  "/mcp%20",
  "/mcp%3Fx",
  "/mcp%23",
  "/mcp.json",
  "/mcp/.",
  "/mcp/x",
  "/x/mcp",
  "/\\mcp",
  "/mcp\\",
  "//127.0.0.1/mcp",
  "/oauth/..%2Fmcp",
  "/%252e%252e/mcp",
];

describe("another path", () => {
  it.each(otherPaths)("%s is 404 with a valid token, and not served without one", async (path) => {
    const signedIn = await send(path, bearer(token));
    expect(signedIn.status).toBe(404);
    expect(signedIn.headers["mcp-session-id"]).toBeUndefined();
    expect([401, 404]).toContain((await send(path)).status);
  });
});

describe("dot segments", () => {
  // The HTTP front resolves them before the Worker sees the request (RFC 3986 §6.2.2.3), so that these are /mcp itself.
  it.each(["/./mcp", "/x/../mcp", "/../mcp", "/mcp/../mcp", "/%2e/mcp", "/x/%2e%2e/mcp"])(
    "%s asks for the token as /mcp does",
    async (path) => {
      expect([401, 404]).toContain((await send(path)).status);
      expect([401, 404]).toContain((await send(path, bearer("garbage"))).status);
    },
  );
});

it("/mcp with a query is served", async () => {
  expect((await send("/mcp?x=1", bearer(token))).status).toBe(200);
});
