// The v2 SDK client with its own OAuth, in both eras of the protocol.

import type { StoredOAuthClientInformation, StoredOAuthTokens } from "@modelcontextprotocol/client";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, inject, test } from "vitest";
import { freshUser } from "../harness/login";
import { MemoryOAuth } from "./memory-provider";
import { answerConsent } from "./person";

const target = new URL("/mcp", inject("url"));

test.each([
  { mode: "auto" as const, negotiated: "2026-07-28", hasSession: false },
  { mode: "legacy" as const, negotiated: "2025-11-25", hasSession: true },
])(
  "MCP-001 the v2 client ($mode) signs in by itself, speaks $negotiated and calls root.info",
  async ({ mode, negotiated, hasSession }) => {
    const authProvider = new MemoryOAuth<StoredOAuthClientInformation, StoredOAuthTokens>();
    const createClient = () => new Client({ name: "v2-test", version: "1" }, { versionNegotiation: { mode } });
    const first = new StreamableHTTPClientTransport(target, { authProvider });
    await expect(createClient().connect(first)).rejects.toThrow();
    if (authProvider.page === undefined) throw new Error("the client did not ask for the browser");
    const redirect = await answerConsent(authProvider.page, { user: freshUser("v2") });
    // With `iss`, as RFC 9207 wants it checked.
    await first.finishAuth(redirect.searchParams);

    const client = createClient();
    const transport = new StreamableHTTPClientTransport(target, { authProvider });
    await client.connect(transport);
    expect(client.getNegotiatedProtocolVersion()).toBe(negotiated);
    expect(transport.sessionId !== undefined).toBe(hasSession);
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toContain("root.info");
    const result = await client.callTool({ name: "root.info", arguments: {} });
    expect(result.isError ?? false).toBe(false);
    expect(result.structuredContent).toMatchObject({ scopes: ["read:/", "write:/"] });
    const { contents } = await client.readResource({ uri: "list://" });
    expect(contents[0]).toMatchObject({
      uri: "list://",
      text: '{"path":"/","entries":[],"total":0,"truncated":false}',
    });
    await client.close();
  },
);
