// The page at `/`: what it says and that its policy fits it. How it looks and that the button copies is tested in a browser.
import { describe, expect, it } from "vitest";
import { homePage, homePolicy } from "./home";

const page = async (origin = "https://holdfast.example") => String(await homePage(origin, "n0nce", "1.2.3"));

describe("the page for people", () => {
  it.each(["Claude Code", "Claude (web", "Cursor", "VS Code", "Codex", "ChatGPT", "mcp-remote"])(
    "tells how to add the server to %s",
    async (client) => {
      expect(await page()).toContain(client);
    },
  );

  it("shows the MCP URL of the origin that was asked", async () => {
    expect(await page("http://127.0.0.1:8787")).toContain('<code id="url">http://127.0.0.1:8787/mcp</code>');
  });

  it("tells of tokens by command, and of clients that cannot come, on a local server alone", async () => {
    const local = await page("http://127.0.0.1:8787");
    expect(local).toContain("npm run token -- --user alice<");
    expect(local).toContain("ChatGPT calls from the internet");
    const distant = await page();
    expect(distant).not.toContain("npm run token");
    expect(distant).not.toContain("calls from the internet");
  });

  it("escapes an origin that carries markup", async () => {
    expect(await page('https://x"><script>alert(1)</script>')).not.toContain("<script>alert");
  });

  it("runs only what carries the nonce of its policy", async () => {
    const text = await page();
    expect(text).toMatch(/^<!doctype html>/);
    expect(text.match(/<(script|style)\b[^>]*>/g)).toEqual(['<style nonce="n0nce">', '<script nonce="n0nce">']);
    expect(text).not.toMatch(/\son\w+=|\sstyle=/);
    expect(homePolicy("n0nce")).toContain("script-src 'nonce-n0nce'");
    expect(homePolicy("n0nce")).toContain("frame-ancestors 'none'");
  });
});
