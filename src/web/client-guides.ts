export interface Guide {
  readonly client: string;
  /** Unfolded from the start. */
  readonly open?: boolean;
  readonly steps: readonly { readonly say: string; readonly code?: string }[];
}

/** How each client is told about a remote MCP server that signs in by OAuth. */
export function clientGuides(mcpUrl: string): readonly Guide[] {
  return [
    {
      client: "Claude Code",
      open: true,
      steps: [
        { say: "In a terminal:", code: `claude mcp add --transport http holdfast ${mcpUrl}` },
        { say: "Then type /mcp in a conversation and choose holdfast to sign in." },
      ],
    },
    {
      client: "Claude (web, desktop, phone)",
      steps: [
        { say: "Settings → Connectors → Add custom connector. Name it Holdfast and give this URL:", code: mcpUrl },
        { say: "Claude calls from the internet: the address of a server on your own machine does not reach it." },
      ],
    },
    {
      client: "Cursor",
      steps: [
        { say: "In ~/.cursor/mcp.json, or .cursor/mcp.json of a project:", code: mcpServersJson({ url: mcpUrl }) },
        { say: "Then Settings → MCP → holdfast → Connect." },
      ],
    },
    {
      client: "VS Code",
      steps: [
        {
          say: "In a terminal:",
          code: `code --add-mcp '${JSON.stringify({ name: "holdfast", type: "http", url: mcpUrl })}'`,
        },
        {
          say: "Or in .vscode/mcp.json:",
          code: JSON.stringify({ servers: { holdfast: { type: "http", url: mcpUrl } } }, null, 2),
        },
      ],
    },
    {
      client: "Codex",
      steps: [
        { say: "In a terminal:", code: `codex mcp add holdfast --url ${mcpUrl}\ncodex mcp login holdfast` },
        { say: "Or in ~/.codex/config.toml:", code: `[mcp_servers.holdfast]\nurl = "${mcpUrl}"` },
      ],
    },
    {
      client: "ChatGPT",
      steps: [
        { say: "Settings → Apps & Connectors → Advanced settings: turn on developer mode." },
        { say: "Then Create, choose OAuth, and give this URL:", code: mcpUrl },
        { say: "ChatGPT calls from the internet: the address of a server on your own machine does not reach it." },
      ],
    },
    {
      client: "Any client that only starts programs (mcp-remote)",
      steps: [
        {
          say: "In its configuration of MCP servers:",
          code: mcpServersJson({ command: "npx", args: ["-y", "mcp-remote", mcpUrl] }),
        },
      ],
    },
  ];
}

function mcpServersJson(holdfast: Record<string, unknown>): string {
  return JSON.stringify({ mcpServers: { holdfast } }, null, 2);
}
