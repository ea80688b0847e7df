// Clients that are programs of their own: mcp-remote (stdio) and the Inspector's command line.
// Both sign in by themselves; the browser that they open is a script that notes the URL, which the test then visits.
import { execFile } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { freshUser } from "../harness/login";
import { freePort } from "../harness/server";
import { answerConsent } from "./person";

const run = promisify(execFile);
const url = inject("url");
const modules = resolve(import.meta.dirname, "../../node_modules");
let folder: string;
let env: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdfast-clients-"));
  for (const name of ["xdg-open", "browser", "open"]) {
    const program = join(folder, name);
    await writeFile(program, `#!/bin/sh\nfor last; do :; done\nprintf '%s' "$last" > "${folder}/visited"\n`);
    await chmod(program, 0o755);
  }
  env = {
    PATH: `${folder}${delimiter}${process.env.PATH ?? ""}`,
    HOME: folder,
    MCP_REMOTE_CONFIG_DIR: join(folder, "mcp-auth"),
    // The opener of mcp-remote asks this one where there is no desktop.
    BROWSER: join(folder, "browser"),
  };
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test("MCP-001 mcp-remote signs in through the browser, lists the tools and calls root.info over stdio", async () => {
  const client = new Client({ name: "stdio-test", version: "1" });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(modules, "mcp-remote/dist/proxy.js"), `${url}/mcp`],
    env,
    stderr: "pipe",
  });
  let log = "";
  transport.stderr?.on("data", (chunk) => {
    log += chunk;
  });
  try {
    const connected = client.connect(transport, { timeout: 40_000 });
    const page = await Promise.race([visited(() => log), connected.then(() => "no page was opened")]);
    const redirect = await answerConsent(page, { user: freshUser("remote") });
    // The browser goes on to the loopback listener of mcp-remote.
    expect((await fetch(redirect)).status).toBe(200);
    await connected;
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toContain("root.info");
    const result = await client.callTool({ name: "root.info", arguments: {} });
    expect(result.structuredContent).toMatchObject({ scopes: ["read:/", "write:/"] });
  } catch (error) {
    throw new Error(`${error}\nmcp-remote said:\n${log}`);
  } finally {
    await client.close();
  }
});

test("MCP-001 the Inspector's command line signs in through the browser, lists the tools and calls root.info", async () => {
  const callback = `http://127.0.0.1:${await freePort()}/oauth/callback`;
  const inspect = (...args: string[]) =>
    run(
      process.execPath,
      [
        join(modules, "@modelcontextprotocol/inspector/clients/launcher/build/index.js"),
        ...["--cli", `${url}/mcp`, "--transport", "http", "--callback-url", callback],
        ...args,
      ],
      // Without a keychain it would forget the token between two calls.
      { env: { ...env, MCP_AUTO_OPEN_ENABLED: "true", MCP_INSPECTOR_SECRET_STORE: "file" }, timeout: 40_000 },
    );
  const listing = inspect("--method", "tools/list");
  const page = await Promise.race([visited(() => ""), listing.then(() => "no page was opened")]);
  const redirect = await answerConsent(page, { user: freshUser("inspector") });
  expect((await fetch(redirect)).status).toBe(200);
  const { tools } = JSON.parse((await listing).stdout);
  expect(tools.map((tool: { name: string }) => tool.name)).toContain("root.info");

  for (const era of ["legacy", "modern"]) {
    const call = ["--method", "tools/call", "--tool-name", "root.info", "--protocol-era", era, "--stored-auth-only"];
    const { structuredContent } = JSON.parse((await inspect(...call)).stdout);
    expect(structuredContent, era).toMatchObject({ scopes: ["read:/", "write:/"] });
  }
});

async function visited(log: () => string): Promise<string> {
  const deadline = Date.now() + 30_000;
  while (Date.now() < deadline) {
    const page = await readFile(join(folder, "visited"), "utf8").catch(() => "");
    if (page !== "") {
      await rm(join(folder, "visited"));
      return page;
    }
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`no page was opened:\n${log()}`);
}
