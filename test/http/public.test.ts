// What anyone gets without a token: /health, 404 for what is not there, and the security headers that stand on every kind of answer.
// The headers of single pages are tested with the pages.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, inject, it } from "vitest";
import { EventStream } from "../harness/event-stream";
import { freshUser, login } from "../harness/login";
import { bearer, openSession, postMcp, rpc } from "../harness/raw-mcp";

const url = inject("url");
const { version } = JSON.parse(readFileSync(resolve(import.meta.dirname, "../../package.json"), "utf8"));

describe("/health", () => {
  it("answers with status and version, without a token", async () => {
    const response = await fetch(`${url}/health`);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.text()).toBe(JSON.stringify({ status: "ok", version }));
  });

  it("takes no other method", async () => {
    expect((await fetch(`${url}/health`, { method: "POST" })).status).toBe(404);
  });
});

describe("anything else", () => {
  it.each([
    ["GET", "/nothing"],
    ["POST", "/nothing"],
    ["DELETE", "/"],
    ["GET", "/healthz"],
    ["GET", "/mcp/sub"],
    ["GET", "/.well-known/nothing"],
    ["POST", "/oauth/nothing"],
    ["GET", "/favicon.ico"],
    ["GET", "/.env"],
    // What the development server would serve of its own: the storage of every user, to whoever asks.
    ["GET", "/cdn-cgi/explorer"],
    ["GET", "/cdn-cgi/local/explorer/api/workers/durable_objects/namespaces"],
    ["GET", "/cdn-cgi/local/explorer/api/r2/buckets"],
    ["POST", "/cdn-cgi/local/explorer/api/local/observability/query"],
  ])("answers %s %s with 404 as JSON", async (method, path) => {
    const response = await fetch(`${url}${path}`, { method });
    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toEqual({
      error: "not_found",
      message: "Nothing is here. The MCP endpoint is /mcp.",
    });
  });
});

describe("security headers", () => {
  async function signedIn(): Promise<string> {
    return (await login(url, { user: freshUser("headers") })).accessToken;
  }
  const answers: [string, number, () => Promise<Response>][] = [
    ["a page", 200, () => fetch(`${url}/`)],
    ["JSON", 200, () => fetch(`${url}/health`)],
    ["metadata", 200, () => fetch(`${url}/.well-known/oauth-authorization-server`)],
    ["401", 401, () => fetch(`${url}/mcp`, { method: "POST" })],
    ["404", 404, () => fetch(`${url}/nothing`)],
    ["a refused origin", 403, () => fetch(`${url}/mcp`, { headers: { origin: "https://evil.example" } })],
    [
      "a preflight",
      204,
      () =>
        fetch(`${url}/mcp`, {
          method: "OPTIONS",
          headers: { origin: "http://localhost:3000", "access-control-request-method": "POST" },
        }),
    ],
    ["405", 405, async () => fetch(`${url}/mcp`, { method: "PATCH", headers: bearer(await signedIn()) })],
    [
      "an event stream",
      200,
      async () => {
        const { headers } = await openSession(url, await signedIn());
        const stream = await EventStream.get(url, headers);
        stream.close();
        return stream.response;
      },
    ],
  ];

  it.each(answers)("stand on %s", async (_, status, ask) => {
    const { headers, status: answered } = await ask();
    expect(answered).toBe(status);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(headers.get("permissions-policy")).toContain("camera=()");
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers.has("server")).toBe(false);
    expect(headers.has("x-powered-by")).toBe(false);
  });

  it("stand on an answer of MCP", async () => {
    const { status, headers } = await postMcp(
      `${url}/mcp`,
      rpc("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } }),
      bearer(await signedIn()),
    );
    expect(status).toBe(200);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  });
});
