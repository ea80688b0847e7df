// Real clients of both eras work a file from create to remove: the v1 SDK client, and the v2 client in either mode. They check answers against the output schemas themselves.
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { describe, expect, inject, it } from "vitest";
import { freshUser, login } from "../harness/login";
import { bearer } from "../harness/raw-mcp";

const target = new URL("/mcp", inject("url"));

interface ToolResult {
  readonly isError?: boolean | undefined;
  readonly structuredContent?: Record<string, unknown> | undefined;
}

/** What the clients have in common. */
interface Connected {
  call(name: string, args: Record<string, unknown>): Promise<ToolResult>;
  list(uri: string): Promise<unknown>;
  toolNames(): Promise<string[]>;
  close(): Promise<void>;
}

const clients: readonly (readonly [name: string, connect: (token: string) => Promise<Connected>])[] = [
  [
    "the v1 SDK client",
    async (token) => {
      const client = new ClientV1({ name: "text-v1", version: "1" });
      const transport = new TransportV1(target, { requestInit: { headers: bearer(token) } });
      await client.connect(transport as Parameters<typeof client.connect>[0]);
      return {
        call: async (name, args) => (await client.callTool({ name, arguments: args })) as ToolResult,
        list: async (uri) => (await client.readResource({ uri })).contents[0],
        toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
        close: () => client.close(),
      };
    },
  ],
  ...(["auto", "legacy"] as const).map(
    (mode) =>
      [
        `the v2 client (${mode})`,
        async (token: string): Promise<Connected> => {
          const client = new ClientV2({ name: "text-v2", version: "1" }, { versionNegotiation: { mode } });
          await client.connect(new TransportV2(target, { requestInit: { headers: bearer(token) } }));
          expect(client.getNegotiatedProtocolVersion()).toBe(mode === "auto" ? "2026-07-28" : "2025-11-25");
          return {
            call: async (name, args) => (await client.callTool({ name, arguments: args })) as ToolResult,
            list: async (uri) => (await client.readResource({ uri })).contents[0],
            toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
            close: () => client.close(),
          };
        },
      ] as const,
  ),
];

describe.each(clients)("%s", (_name, connect) => {
  it("MCP-001 MCP-010 MCP-011 MCP-012 MCP-013 MCP-014 MCP-015 MCP-020 creates, reads, edits, lists and removes", async () => {
    const { accessToken } = await login(target.origin, { user: freshUser("client") });
    const client = await connect(accessToken);
    const done = async (name: string, args: Record<string, unknown>) => {
      const { isError, structuredContent } = await client.call(name, args);
      expect(isError ?? false, JSON.stringify(structuredContent)).toBe(false);
      return structuredContent as { hash: string; total_lines: number; content: string };
    };
    // The client learns the output schemas from the list, and from then on validates what it gets.
    expect(await client.toolNames()).toContain("text.append");
    const path = "/docs/plan ～ 😀.md";
    let { hash } = await done("file.create", { path, content: "# Plan\n" });
    hash = (await done("text.append", { path, hash, content: "one\nthree\n" })).hash;
    hash = (await done("text.insert", { path, hash, line: 3, anchor: "three", content: "two" })).hash;
    hash = (await done("text.replace", { path, hash, lines: [1, 2], old: "# Plan", new: "# The plan" })).hash;
    expect(await done("text.read", { path })).toEqual({
      content: "# The plan\none\ntwo\nthree\n",
      hash,
      total_lines: 4,
    });
    const listed = { path: "/docs", entries: [{ name: "plan ～ 😀.md", type: "file" }], total: 1, truncated: false };
    expect(await done("file.list", { path: "/docs" })).toEqual(listed);
    expect(await client.list("list://docs")).toMatchObject({ uri: "list://docs", text: JSON.stringify(listed) });

    // Errors are results that the client's own check of the output schema lets through.
    const stale = await client.call("text.append", { path, hash: "0".repeat(64), content: "x" });
    expect(stale).toMatchObject({ isError: true, structuredContent: { error: { code: "HASH_MISMATCH" } } });
    expect(await done("file.remove", { path, hash })).toEqual({});
    const gone = await client.call("text.read", { path });
    expect(gone).toMatchObject({
      isError: true,
      structuredContent: { error: { code: "NOT_FOUND", details: { path } } },
    });
    await expect(client.list("list://absent")).rejects.toMatchObject({ code: -32602, data: { uri: "list://absent" } });
    await client.close();
  });
});
