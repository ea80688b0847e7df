// npm start: serves Holdfast on this machine in the local Workers runtime.
// PORT, HOLDFAST_STATE: see README. For tests: HOLDFAST_QUIET, HOLDFAST_CONFIG (another wrangler.toml),
// HOLDFAST_VARS (a JSON object of further Worker variables; null takes one away), HOLDFAST_LOG (wrangler's log level),
// HOLDFAST_END_WITH_PARENT.
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { migrate } from "./migrate.mjs";
import { fail, prepare, projectDir, say, wrangler, wranglerEnv } from "./prepare.mjs";
import { descendants, endWithParent, stopTree } from "./process-tree.mjs";
import { lockState, StateInUse } from "./state-lock.mjs";

const readyTimeoutMs = 60_000;

const port = parsePort(process.env.PORT ?? "8787");
const state = resolve(projectDir, process.env.HOLDFAST_STATE || ".wrangler/state");
const url = `http://127.0.0.1:${port}`;

prepare();
await assertPortFree();
const lock = await takeState();
await migrate(state);
await serve();

function parsePort(text) {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 65535)
    fail(`PORT must be a number from 1 to 65535, not "${text}".`);
  return value;
}

function assertPortFree() {
  return new Promise((done) => {
    const probe = createServer();
    probe.once("error", (error) => {
      if (error.code === "EADDRINUSE") {
        fail(
          `port ${port} is taken by another program. End it, or choose another port: PORT=${port === 65535 ? 8787 : port + 1} npm start`,
        );
      }
      fail(`port ${port} cannot be used (${error.message}). Choose another: PORT=8788 npm start`);
    });
    probe.listen(port, "127.0.0.1", () => probe.close(done));
  });
}

async function takeState() {
  try {
    return await lockState(state, { what: "npm start", port });
  } catch (error) {
    if (!(error instanceof StateInUse)) throw error;
    return fail(`${error.message}: ${state}. End it, or name another folder: HOLDFAST_STATE=… npm start`);
  }
}

async function serve() {
  say(`starting the server on ${url} (state in ${state}) …`);
  const child = wrangler(devArguments(), {
    stdio: ["ignore", "inherit", "inherit"],
    // Its own registry of running Workers: two servers on one machine must not find each other.
    env: {
      ...wranglerEnv(),
      WRANGLER_REGISTRY_PATH: join(state, "registry"),
      WRANGLER_CI_DISABLE_CONFIG_WATCHING: "true",
    },
  });
  lock.add([child.pid]);
  let ending = false;
  const end = async (exitCode) => {
    if (ending) return;
    ending = true;
    await stopTree(child);
    process.exit(exitCode);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => {
      say("ending.");
      end(0);
    });
  }
  // npm passes a signal on to the shell that it started this command with, and that shell keeps it to itself.
  if (process.env.npm_lifecycle_event || process.env.HOLDFAST_END_WITH_PARENT) endWithParent(() => end(0));
  child.on("exit", (code) => {
    if (ending) return;
    ending = true;
    fail(`the server ended by itself with exit code ${code}; its own message is above.`);
  });
  if (await isReady()) {
    lock.add(descendants(child.pid));
    return announce();
  }
  if (ending) return;
  console.error(`holdfast: the server did not answer ${url}/health within ${readyTimeoutMs / 1000} s.`);
  await end(1);
}

function devArguments() {
  const vars = { AUTH_MODE: "local", ...JSON.parse(process.env.HOLDFAST_VARS || "{}") };
  return [
    "dev",
    ...(process.env.HOLDFAST_CONFIG ? ["--config", process.env.HOLDFAST_CONFIG] : []),
    ...["--ip", "127.0.0.1", "--port", String(port), "--inspector-port", "0", "--persist-to", state],
    ...["--log-level", process.env.HOLDFAST_LOG || "warn", "--show-interactive-dev-session=false"],
    ...Object.entries(vars).flatMap(([name, value]) => (value === null ? [] : ["--var", `${name}:${value}`])),
  ];
}

async function isReady() {
  const deadline = Date.now() + readyTimeoutMs;
  while (Date.now() < deadline) {
    try {
      const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(5_000) });
      await response.arrayBuffer();
      if (response.ok) return true;
    } catch {
      // Not listening yet.
    }
    await new Promise((done) => setTimeout(done, 50));
  }
  return false;
}

function announce() {
  if (process.env.HOLDFAST_QUIET) {
    console.log(`${url}/mcp`);
    return;
  }
  console.log(`
Holdfast is running.

  MCP URL       ${url}/mcp
  For people    ${url}/

Connect a client:
  Claude Code   claude mcp add --transport http holdfast ${url}/mcp
  Codex         codex mcp add holdfast --url ${url}/mcp
  VS Code       code --add-mcp '{"name":"holdfast","type":"http","url":"${url}/mcp"}'
  Cursor        in ~/.cursor/mcp.json: {"mcpServers":{"holdfast":{"url":"${url}/mcp"}}}
  any stdio     npx -y mcp-remote ${url}/mcp
  a script      npm run token -- --user alice${port === 8787 ? "" : ` --url ${url}`}   (prints a bearer token)

The client opens a page in the browser; any name in lower case will do. Ctrl-C ends the server.
`);
}
