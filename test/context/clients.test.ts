// Real clients of both eras build, resolve and are refused: the v1 SDK client, and the v2 client in either mode. They check answers against the output schemas themselves.
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { describe, expect, inject, it } from "vitest";
import { freshUser, login } from "../harness/login";
import { bearer } from "../harness/raw-mcp";

const target = new URL("/mcp", inject("url"));

interface ToolResult {
  readonly content: readonly { readonly text: string }[];
  readonly isError?: boolean;
}

interface Connected {
  call(name: string, args: Record<string, unknown>): Promise<ToolResult>;
  close(): Promise<void>;
}

const clients: readonly (readonly [name: string, connect: (token: string) => Promise<Connected>])[] = [
  [
    "the v1 SDK client",
    async (token) => {
      const client = new ClientV1({ name: "context-v1", version: "1" });
      const transport = new TransportV1(target, { requestInit: { headers: bearer(token) } });
      await client.connect(transport as Parameters<typeof client.connect>[0]);
      // From the list it learns the output schemas, by which it validates what it gets.
      await client.listTools();
      return {
        call: async (name, args) => (await client.callTool({ name, arguments: args })) as unknown as ToolResult,
        close: () => client.close(),
      };
    },
  ],
  ...(["auto", "legacy"] as const).map(
    (mode) =>
      [
        `the v2 client (${mode})`,
        async (token: string): Promise<Connected> => {
          const client = new ClientV2({ name: "context-v2", version: "1" }, { versionNegotiation: { mode } });
          await client.connect(new TransportV2(target, { requestInit: { headers: bearer(token) } }));
          await client.listTools();
          return {
            call: async (name, args) => (await client.callTool({ name, arguments: args })) as unknown as ToolResult,
            close: () => client.close(),
          };
        },
      ] as const,
  ),
];

describe.each(clients)("%s", (_name, connect) => {
  it("seed 004 builds, lists, inspects, plans, resolves, verifies, and takes errors for results", async () => {
    const { accessToken } = await login(target.origin, { user: freshUser("client") });
    const client = await connect(accessToken);
    const text = async (name: string, args: Record<string, unknown>) => {
      const { content, isError = false } = await client.call(name, args);
      return { text: content[0]?.text ?? "", isError };
    };
    await text("file.create", { path: "/docs/a.md", content: "reset the pump" });
    const built = JSON.parse((await text("context.build_cache", { cache: "manual", sources: "/docs" })).text);
    expect(built.document_count).toBe(1);
    expect((await text("context.list_caches", {})).text).toBe('{"caches":[{"path":"manual","has_manifest":true}]}');
    const inspected = JSON.parse((await text("context.inspect_cache", { cache: "manual" })).text);
    expect(inspected).toMatchObject({ cache_version: built.cache_version, valid: true });
    const ask = { cache: "manual", query: "pump", budget: 100 };
    expect((await text("context.plan", ask)).text).toContain('"score":0.33333334');
    expect((await text("context.resolve", ask)).text).toMatch(/^\{"documents":\[\{"id":"a\.md".*\}\n$/);
    expect(JSON.parse((await text("context.verify_cache", { cache: "manual" })).text).valid).toBe(true);
    expect(await text("context.resolve", { ...ask, budget: -1 })).toEqual({
      text: '{"error":{"code":"invalid_budget","message":"Budget is invalid"}}\n',
      isError: true,
    });
    const refused = await text("context.build_cache", { cache: "a/b" });
    expect(JSON.parse(refused.text).error.details.reason).toBe("invalid_argument");
    await client.close();
  });
});
