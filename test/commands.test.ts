// The commands as a person calls them: start (empty state, port taken, clean end, kill, restart), token, and what all of them
// say when they cannot go on. Not: an installation or a deployment that succeeds, which need a registry and an account.
import { execFile, spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { freshUser, login } from "./harness/login";
import { freePort, type Server, startServer } from "./harness/server";
import { TextRoot } from "./text/text-root";

const projectDir = resolve(import.meta.dirname, "..");
const url = inject("url");

interface RunOptions {
  readonly cwd?: string;
  /** For Node itself, before the script. */
  readonly nodeArgs?: string[];
}

function run(
  script: string,
  args: string[] = [],
  env: Record<string, string | undefined> = {},
  { cwd = projectDir, nodeArgs = [] }: RunOptions = {},
) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((done) => {
    const options = { cwd, env: { ...process.env, ...env } };
    execFile(process.execPath, [...nodeArgs, join("scripts", script), ...args], options, (error, stdout, stderr) => {
      done({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr });
    });
  });
}

/** Runs `work` with an empty folder that is gone afterwards. */
async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-commands-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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

  it("says what of the scope was not granted, beside the token", async () => {
    const args = ["--user", freshUser(), "--url", url, "--scope", "read:/notes/ write:../x"];
    const { code, stdout, stderr } = await run("token.mjs", args);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: "holdfast: not granted: write:../x. The token has: read:/notes/\n",
    });
    expect(stdout).toMatch(/^\S+\n$/);
  });

  it.each([
    ["raed:/notes/", "None of the requested scopes can be understood"],
    [" ", "--scope is empty"],
  ])("gives no token for the scope %j", async (scope, complaint) => {
    const { code, stdout, stderr } = await run("token.mjs", ["--user", freshUser(), "--url", url, "--scope", scope]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(complaint);
  });

  it("asks for the user when none is named", async () => {
    const { code, stderr } = await run("token.mjs");
    expect(code).toBe(1);
    expect(stderr).toContain("--user is missing");
  });
});

describe("npm start", () => {
  let server: Server;
  let state: string;
  beforeAll(async () => {
    state = await mkdtemp(join(tmpdir(), "holdfast-empty-"));
    server = await startServer({ state });
  });
  afterAll(async () => {
    await server.stop();
    await rm(state, { recursive: true, force: true });
  });

  it("makes everything that it needs in an empty state, the database too", async () => {
    const root = await TextRoot.signIn({ url: server.url });
    await root.create("/a.md", "kept");
    const { body } = await root.call("snapshot.create", { paths: ["a.md"] });
    expect(body.result.structuredContent.snapshot_id).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

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

  it("ends when npm is told to, though npm tells only the shell between them", async () => {
    const port = await freePort();
    await inFolder(async (state) => {
      const env = { ...process.env, PORT: String(port), HOLDFAST_STATE: state };
      const npm = spawn("npm", ["start"], { cwd: projectDir, env, stdio: ["ignore", "pipe", "ignore"] });
      await new Promise<void>((done, failed) => {
        npm.stdout.on("data", (text) => String(text).includes("Ctrl-C ends the server") && done());
        npm.once("close", (code) => failed(new Error(`npm start ended with ${code}`)));
      });
      npm.kill("SIGTERM");
      const answers = () =>
        fetch(`http://127.0.0.1:${port}/health`).then(
          () => true,
          () => false,
        );
      await expect.poll(answers, { timeout: 20_000 }).toBe(false);
      await expect.poll(() => existsSync(join(state, "holdfast.lock")), { timeout: 20_000 }).toBe(false);
    });
  });

  it("ends cleanly and leaves nothing that listens", async () => {
    const other = await startServer();
    await other.stop();
    await expect(fetch(`${other.url}/health`)).rejects.toThrow();
    expect(existsSync(other.state)).toBe(false);
  });
});

describe("a command that cannot go on", () => {
  it.each(["start.mjs", "test.mjs", "deploy.mjs"])(
    "%s names the Node that it needs and the one that it has",
    async (script) => {
      const older =
        "for (const [name, value] of [['versions', { node: '18.20.8' }], ['version', 'v18.20.8']]) Object.defineProperty(process, name, { value });";
      const nodeArgs = ["--import", `data:text/javascript,${encodeURIComponent(older)}`];
      const { code, stderr } = await run(script, [], {}, { nodeArgs });
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: "holdfast: Node 20 or newer is needed, this is v18.20.8. Get a current one from https://nodejs.org.\n",
      });
    },
  );

  it("npm start says that the packages could not be installed, below npm's own message", async () => {
    await inFolder(async (cwd) => {
      for (const name of ["scripts", "package.json", "package-lock.json"]) {
        cpSync(join(projectDir, name), join(cwd, name), { recursive: true });
      }
      const { code, stdout, stderr } = await run(
        "start.mjs",
        [],
        {
          npm_config_registry: `http://127.0.0.1:${await freePort()}`,
          npm_config_fetch_retries: "0",
          npm_config_cache: join(cwd, "cache"),
        },
        { cwd },
      );
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(stderr).toMatch(/^holdfast: installing packages \(npm ci\) …\n[\s\S]*ECONNREFUSED/);
      expect(stderr).toMatch(
        /\nholdfast: npm ci failed with exit code 1; [^\n]*Check the network and the registry[^\n]*\n$/,
      );
    });
  });

  it("npm run deploy says how to log in to Cloudflare, and has done nothing", async () => {
    await inFolder(async (home) => {
      const nobody = {
        HOME: home,
        XDG_CONFIG_HOME: home,
        CLOUDFLARE_API_TOKEN: undefined,
        CLOUDFLARE_API_KEY: undefined,
      };
      const { code, stdout, stderr } = await run("deploy.mjs", [], nobody);
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(stderr).toMatch(
        /^holdfast: not logged in to Cloudflare\. Run "npx wrangler login", or set CLOUDFLARE_API_TOKEN[^\n]*\n$/,
      );
    });
  });
});
