// npm run check: holds the root of one user in a local state against every invariant, reading every byte. Changes nothing.
// Exit code 0: sound; 1: problems were found; 2: nothing was checked (wrong call, state in use, no such root).
import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { prepare, projectDir, say, wrangler, wranglerEnv } from "./prepare.mjs";
import { stopTree } from "./process-tree.mjs";
import { lockState, StateInUse } from "./state-lock.mjs";

const usage = "usage: npm run check -- --user NAME   (HOLDFAST_STATE names another state than .wrangler/state)";
const readyTimeoutMs = 60_000;
const key = randomUUID();

const user = readUser();
const state = resolve(projectDir, process.env.HOLDFAST_STATE || ".wrangler/state");
const objects = join(state, "v3", "do");

prepare();
const noRoot = `${user} has no root in ${state} yet: nobody of that name has called the server.`;
if (!existsSync(objects)) notChecked(noRoot);
const lock = await takeState();
const folder = mkdtempSync(join(tmpdir(), "holdfast-check-"));
const port = await freePort();
const child = startWorker();
lock.add([child.pid]);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => end(2));
try {
  const { id } = await answerOf("/id");
  if (hasRoot(id)) await end(report(await ask("/check")));
  console.error(`holdfast: ${noRoot}`);
  await end(2);
} catch (error) {
  console.error(`holdfast: the check failed: ${error.message}.`);
  await end(2);
}

async function end(exitCode) {
  await stopTree(child);
  rmSync(folder, { recursive: true, force: true });
  process.exit(exitCode);
}

function readUser() {
  try {
    const { values } = parseArgs({ options: { user: { type: "string" } } });
    if (values.user) return values.user;
  } catch (error) {
    notChecked(`${error.message}\n${usage}`);
  }
  return notChecked(`--user is missing.\n${usage}`);
}

async function takeState() {
  try {
    return await lockState(state, { what: "npm run check" });
  } catch (error) {
    if (!(error instanceof StateInUse)) throw error;
    return notChecked(`${error.message}. End it first: the check needs ${state} for itself.`);
  }
}

/** The product's own configuration, so that names and bindings lead to the same state, around another entry. */
function startWorker() {
  const config = join(folder, "wrangler.toml");
  const entry = JSON.stringify(join(projectDir, "scripts", "check-worker.ts"));
  const product = readFileSync(join(projectDir, "wrangler.toml"), "utf8");
  writeFileSync(
    config,
    product.replace(/^main = .*$/m, () => `main = ${entry}`),
  );
  writeFileSync(join(folder, ".dev.vars"), `CHECK_KEY=${key}\n`, { mode: 0o600 });
  say(`checking the root of ${user} in ${state} …`);
  return wrangler(
    [
      ...["dev", "--config", config, "--ip", "127.0.0.1", "--port", String(port), "--inspector-port", "0"],
      ...["--persist-to", state, "--log-level", "error", "--show-interactive-dev-session=false"],
    ],
    {
      stdio: ["ignore", "inherit", "inherit"],
      env: {
        ...wranglerEnv(),
        WRANGLER_REGISTRY_PATH: join(folder, "registry"),
        WRANGLER_CI_DISABLE_CONFIG_WATCHING: "true",
      },
    },
  );
}

/** The database of the user's object. Asked of the disk, because asking the object would create it. */
function hasRoot(id) {
  return readdirSync(objects).some((namespace) => existsSync(join(objects, namespace, `${id}.sqlite`)));
}

/** Prints what was found; gives the exit code. */
function report({ files, directories, blobs, snapshots, problemCount, problems }) {
  const size = `${files} files, ${directories} directories, ${blobs} contents, ${snapshots} snapshots`;
  if (problemCount === 0) {
    console.log(`The root of ${user} is sound: ${size}, every byte read.`);
    return 0;
  }
  console.log(`The root of ${user} has ${problemCount} problem${problemCount === 1 ? "" : "s"} (${size}):`);
  for (const { rule, what } of problems) console.log(`  ${rule}: ${what}`);
  if (problemCount > problems.length) console.log(`  … and ${problemCount - problems.length} more`);
  return 1;
}

function notChecked(message) {
  console.error(`holdfast: ${message}`);
  process.exit(2);
}

async function answerOf(path) {
  const deadline = Date.now() + readyTimeoutMs;
  for (;;) {
    try {
      return await ask(path);
    } catch (error) {
      // Not listening yet.
      const ended = child.exitCode !== null || child.signalCode !== null;
      if (ended || Date.now() > deadline) throw new Error("the local Workers runtime did not start", { cause: error });
    }
    await new Promise((done) => setTimeout(done, 50));
  }
}

/** Without a time limit: to read a large root takes its time. */
function ask(path) {
  return new Promise((done, failed) => {
    const target = `http://127.0.0.1:${port}${path}?user=${encodeURIComponent(user)}`;
    const request = get(target, { headers: { "check-key": key } }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("error", failed);
      response.on("end", () => {
        if (response.statusCode === 200) done(JSON.parse(text));
        else failed(new Error(`the check ended with status ${response.statusCode}: ${text.slice(0, 500)}`));
      });
    });
    request.on("error", failed);
  });
}

function freePort() {
  return new Promise((done, failed) => {
    const probe = createServer();
    probe.once("error", failed);
    probe.listen(0, "127.0.0.1", () => {
      const { port: free } = probe.address();
      probe.close(() => done(free));
    });
  });
}
