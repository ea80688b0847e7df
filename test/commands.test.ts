// The commands as a person calls them: start (port taken, clean end, kill, restart) and token. Not: the first installation, and deploy.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { freshUser, login } from "./harness/login";
import { freePort, type Server, startServer } from "./harness/server";

const projectDir = resolve(import.meta.dirname, "..");
const url = inject("url");

function run(script: string, args: string[] = [], env: Record<string, string> = {}) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((done) => {
    const options = { cwd: projectDir, env: { ...process.env, ...env } };
    execFile(process.execPath, [join("scripts", script), ...args], options, (error, stdout, stderr) => {
      done({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr });
    });
  });
}

async function statusOf(origin: string, token: string): Promise<number> {
  const response = await fetch(`${origin}/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "commands", version: "1" } },
    }),
  });
  await response.text();
  return response.status;
}

describe("npm run token", () => {
  it("AUTH-012 prints one token that works, and nothing else, on stdout", async () => {
    const { code, stdout } = await run("token.mjs", ["--user", freshUser(), "--url", url]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\S+\n$/);
    expect(await statusOf(url, stdout.trim())).toBe(200);
  });

  it("prints nothing but the token when npm runs it", async () => {
    const stdout = await new Promise<string>((done, failed) => {
      const args = ["run", "token", "--", "--user", freshUser(), "--url", url];
      execFile("npm", args, { cwd: projectDir }, (error, output) => (error ? failed(error) : done(output)));
    });
    expect(stdout).toMatch(/^[0-9a-f]{32}:\S+\n$/);
  });

  it("says on stderr that no server runs, and exits with 1", async () => {
    const port = await freePort();
    const { code, stdout, stderr } = await run("token.mjs", ["--user", "alice", "--url", `http://127.0.0.1:${port}`]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("npm start");
  });

  it("repeats what the consent page complains about", async () => {
    const { code, stdout, stderr } = await run("token.mjs", ["--user", "No Name", "--url", url]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("A user name is");
  });

  it("asks for the user when none is named", async () => {
    const { code, stderr } = await run("token.mjs");
    expect(code).toBe(1);
    expect(stderr).toContain("--user is missing");
  });
});

describe("npm start", () => {
  let server: Server;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.stop());

  it("names the port that is taken and how to choose another", async () => {
    const { code, stderr } = await run("start.mjs", [], { PORT: String(server.port), HOLDFAST_STATE: server.state });
    expect(code).toBe(1);
    expect(stderr).toContain(`port ${server.port} is taken`);
    expect(stderr).toContain("PORT=");
  });

  it("refuses a port that is none", async () => {
    const { code, stderr } = await run("start.mjs", [], { PORT: "eighty" });
    expect(code).toBe(1);
    expect(stderr).toContain('PORT must be a number from 1 to 65535, not "eighty"');
  });

  it("keeps tokens over a clean restart and over kill -9", async () => {
    const { accessToken } = await login(server.url, { user: freshUser() });
    await server.restart();
    expect(await statusOf(server.url, accessToken)).toBe(200);
    await server.kill();
    await expect(fetch(`${server.url}/health`)).rejects.toThrow();
    await server.restart();
    expect(await statusOf(server.url, accessToken)).toBe(200);
  });

  it("ends cleanly and leaves nothing that listens", async () => {
    const other = await startServer();
    await other.stop();
    await expect(fetch(`${other.url}/health`)).rejects.toThrow();
    expect(existsSync(other.state)).toBe(false);
  });
});
