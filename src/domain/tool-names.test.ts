import { describe, expect, it } from "vitest";
import { prefersUnderscore, underscoreName } from "./tool-names";

describe("tool names", () => {
  it("MCP-003: the second form of a name has underscores for dots", () => {
    expect(["text.read", "file.upload_url", "root.info"].map(underscoreName)).toEqual([
      "text_read",
      "file_upload_url",
      "root_info",
    ]);
  });

  it.each([
    "claude-ai",
    "Anthropic/ClaudeAI",
    "Claude",
    "claude-desktop",
    "cursor-vscode",
    "Cursor",
    "cursor",
    "codex-mcp-client",
    "Codex",
    "windsurf-client",
    "Windsurf",
    "openai-mcp",
    "openai-mcp (ChatGPT)",
    "ChatGPT",
    "github-copilot-developer",
    "GitHub Copilot",
    "copilot-cli",
  ])("shows underscores to %s", (name) => expect(prefersUnderscore(name)).toBe(true));

  it.each([
    undefined,
    "",
    "claude-code",
    "Claude Code",
    "Visual Studio Code",
    "mcp-inspector",
    "cursory",
    "codexample",
    "goose",
    "my-cursor",
  ])("shows dots to %s", (name) => expect(prefersUnderscore(name)).toBe(false));
});
