export interface Guide {
  readonly client: string;
  /** Unfolded from the start. */
  readonly open?: boolean;
  readonly steps: readonly { readonly say: string; readonly code?: string }[];
}

/** How each client is told about a remote MCP server that signs in by OAuth. */
export function clientGuides(mcpUrl: string): readonly Guide[] {
  const isLocal = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/]/.test(mcpUrl);
  const callsFromAfar = (client: string) =>
    isLocal ? [{ say: `${client} calls from the internet, so it cannot reach this server on your own computer.` }] : [];
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
        ...callsFromAfar("Claude"),
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
        ...callsFromAfar("ChatGPT"),
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
    ...(isLocal ? [tokenGuide(mcpUrl)] : []),
  ];
}

/** Only a local server gives tokens to a command. */
function tokenGuide(mcpUrl: string): Guide {
  const { origin, port } = new URL(mcpUrl);
  return {
    client: "A script, or any client that takes a token",
    steps: [
      {
        say: "In the folder of this server, for a token of the user alice:",
        code: `npm run token -- --user alice${port === "8787" ? "" : ` --url ${origin}`}`,
      },
      { say: "Send it with every request, as the header:", code: "Authorization: Bearer <token>" },
    ],
  };
}

function mcpServersJson(holdfast: Record<string, unknown>): string {
  return JSON.stringify({ mcpServers: { holdfast } }, null, 2);
}
