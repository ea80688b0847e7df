/** `text.read` → `text_read`: the form for clients that hand tool names to a model API which allows only letters, digits, `_` and `-`. */
export function underscoreName(name: string): string {
  return name.replaceAll(".", "_");
}

/**
 * `clientInfo.name` of clients known to refuse or mangle a dot in a tool name. Compared without case; a name matches alone or
 * followed by a separator (`cursor`, `cursor-vscode`, `Cursor 1.2`), so that versions and editions need no entry of their own.
 */
const refuseDots: readonly string[] = [
  // Claude.ai calls from its servers as "Anthropic/ClaudeAI" and from its views as "claude-ai".
  "anthropic/claudeai",
  "claude-ai",
  "claude.ai",
  // Claude Desktop sends "claude-ai" as well; some builds and bridges give the product's name.
  "claude-desktop",
  "claude desktop",
  // Cursor: "cursor-vscode", or "Cursor".
  "cursor",
  // Codex: "codex-mcp-client".
  "codex",
  // Windsurf: "windsurf-client", or "Windsurf".
  "windsurf",
  // ChatGPT's connectors and the Responses API: "openai-mcp".
  "openai-mcp",
  "chatgpt",
  // Copilot, in the cloud and on the command line: "github-copilot-developer". VS Code's client ("Visual Studio Code") is not listed by the contract.
  "github-copilot",
  "github copilot",
  "copilot",
];

/** Bare "Claude" is Claude Desktop; as a prefix it would take in Claude Code ("claude-code"), which gets the canonical names. */
const refuseDotsExactly: ReadonlySet<string> = new Set(["claude"]);

/** Which of the two forms `tools/list` shows to a client that does not choose by `?names=`; dotted unless it is known to refuse dots. */
export function prefersUnderscore(clientName: string | undefined): boolean {
  if (clientName === undefined) return false;
  const name = clientName.trim().toLowerCase();
  if (refuseDotsExactly.has(name)) return true;
  return refuseDots.some(
    (known) => name === known || (name.startsWith(known) && /^[-_ /.(]/.test(name.slice(known.length))),
  );
}
