// Browser origins and host names at /mcp: a page of another site, and a name that was rebound to this address, get nothing.
import { describe, expect, inject, it } from "vitest";
import { freshUser, login } from "../harness/login";
import { sendRaw } from "../harness/raw-http";
import { bearer, rpc } from "../harness/raw-mcp";
import { freePort, startServer } from "../harness/server";

const url = inject("url");
const { port } = new URL(url);
const initialize = JSON.stringify(
  rpc("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "page", version: "1" } }),
);

async function callFrom(origin: string, target = url, token?: string) {
  const accessToken = token ?? (await login(target, { user: freshUser("origin") })).accessToken;
  return sendRaw(target, {
    method: "POST",
    path: "/mcp",
    headers: {
      ...bearer(accessToken),
      origin,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: initialize,
  });
}

function preflight(origin: string, target = url) {
  return sendRaw(target, {
    method: "OPTIONS",
    path: "/mcp",
    headers: {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization, content-type, mcp-session-id",
    },
  });
}

const foreign = [
  "https://evil.example",
  "null",
  `http://evil.example:${port}`,
  `http://127.0.0.1.evil.example:${port}`,
  `http://localhost.evil.example:${port}`,
  `http://127.0.0.1:${port}.evil.example`,
  "file://",
  "chrome-extension://abcdefghijklmnop",
  "http://evil@localhost",
  "http://localhost:3000/",
];

describe("Origin", () => {
  it.each(foreign)("refuses a page of %s with 403, also with a valid token, and allows it nothing", async (origin) => {
    for (const answer of [await callFrom(origin), await preflight(origin)]) {
      expect(answer.status).toBe(403);
      expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
      expect(answer.headers["mcp-session-id"]).toBeUndefined();
      expect(JSON.parse(answer.text)).toEqual({
        jsonrpc: "2.0",
        id: null,
        error: { code: -32000, message: "Pages of this origin may not call here." },
      });
    }
  });

  it.each([url, "http://localhost:3000", "http://127.0.0.1:6274", "http://[::1]:8080", "https://localhost"])(
    "serves a page of %s and lets it read the session id",
    async (origin) => {
      const answer = await callFrom(origin);
      expect(answer.status).toBe(200);
      expect(answer.headers["access-control-allow-origin"]).toBe(origin);
      expect(answer.headers.vary).toContain("Origin");
      expect(answer.headers["access-control-expose-headers"]).toContain("mcp-session-id");
      expect(answer.headers["access-control-allow-credentials"]).toBeUndefined();
    },
  );

  it("lets an allowed page read a 401 and where to sign in", async () => {
    const answer = await callFrom("http://localhost:3000", url, "garbage");
    expect(answer.status).toBe(401);
    expect(answer.headers["access-control-allow-origin"]).toBe("http://localhost:3000");
    expect(answer.headers["access-control-expose-headers"]).toContain("www-authenticate");
  });

  it("answers the preflight of an allowed page, without a token", async () => {
    const answer = await preflight("http://localhost:3000");
    expect(answer.status).toBe(204);
    expect(answer.headers["access-control-allow-origin"]).toBe("http://localhost:3000");
    expect(answer.headers["access-control-allow-methods"]).toBe("POST, GET, DELETE, OPTIONS");
    expect(answer.headers["access-control-allow-headers"]).toBe("authorization, content-type, mcp-session-id");
  });

  it("allows the origins that are configured, each exactly", async () => {
    const server = await startServer({ vars: { ALLOWED_ORIGINS: "https://app.example https://other.example:8443" } });
    try {
      const { accessToken } = await login(server.url, { user: freshUser("origin") });
      const statuses = new Map<string, number>();
      for (const origin of ["https://app.example", "https://other.example:8443"]) {
        statuses.set(origin, (await callFrom(origin, server.url, accessToken)).status);
      }
      for (const origin of ["http://app.example", "https://app.example:8443", "https://other.example", "app.example"]) {
        statuses.set(origin, (await callFrom(origin, server.url, accessToken)).status);
      }
      expect([...statuses]).toEqual([
        ["https://app.example", 200],
        ["https://other.example:8443", 200],
        ["http://app.example", 403],
        ["https://app.example:8443", 403],
        ["https://other.example", 403],
        ["app.example", 403],
      ]);
    } finally {
      await server.stop();
    }
  });
});

describe("Host", () => {
  it.each([
    `evil.example:${port}`,
    "evil.example",
    `127.0.0.1.evil.example:${port}`,
    `localhost.evil.example:${port}`,
    `0.0.0.0:${port}`,
    `10.0.0.1:${port}`,
  ])("refuses %s with 403 on every path", async (host) => {
    const { accessToken } = await login(url, { user: freshUser("host") });
    for (const path of [
      "/mcp",
      "/",
      "/health",
      "/.well-known/oauth-protected-resource/mcp",
      "/authorize",
      "/nothing",
    ]) {
      const answer = await sendRaw(url, { path, headers: { ...bearer(accessToken), host } });
      expect(answer.status, path).toBe(403);
      expect(JSON.parse(answer.text)).toEqual({
        error: "invalid_host",
        message: "This server does not answer for that host name.",
      });
    }
  });

  it.each(["127.0.0.1", "localhost", "LOCALHOST", "[::1]"])("answers for %s", async (name) => {
    expect((await sendRaw(url, { path: "/health", headers: { host: `${name}:${port}` } })).status).toBe(200);
  });

  it("answers for the host of the public URL alone where one is configured", async () => {
    const own = await freePort();
    const server = await startServer({ port: own, vars: { PUBLIC_URL: `http://127.0.0.1:${own}` } });
    try {
      const ask = (host: string) => sendRaw(server.url, { path: "/health", headers: { host } });
      expect((await ask(`127.0.0.1:${own}`)).status).toBe(200);
      expect((await ask(`localhost:${own}`)).status).toBe(403);
      expect((await ask("127.0.0.1")).status).toBe(403);
    } finally {
      await server.stop();
    }
  });
});
