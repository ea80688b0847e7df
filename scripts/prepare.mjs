// Makes the checkout ready to run: the right Node, the packages of the lockfile.
// Plain JavaScript for Node 20 without node_modules, because it runs before anything is installed.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const projectDir = resolve(dirname(fileURLToPath(import.meta.url)), "..");

const nodeMajorMin = 20;
/** wrangler's own minimum; the npm package `node` brings it where the machine has an older one. */
const wranglerNodeMajorMin = 22;

/** Ends the command with a message for the person who called it. */
export function fail(message) {
  console.error(`holdfast: ${message}`);
  process.exit(1);
}

export function say(message) {
  if (!process.env.HOLDFAST_QUIET) console.error(`holdfast: ${message}`);
}

export function prepare() {
  const major = Number(process.versions.node.split(".")[0]);
  if (major < nodeMajorMin) {
    fail(
      `Node ${nodeMajorMin} or newer is needed, this is ${process.version}. Get a current one from https://nodejs.org.`,
    );
  }
  if (!isInstalled()) install();
  nodePath();
}

/** The Node that runs wrangler and the tests. */
export function nodePath() {
  const packaged = join(projectDir, "node_modules", "node", "bin", process.platform === "win32" ? "node.exe" : "node");
  if (existsSync(packaged)) return packaged;
  if (Number(process.versions.node.split(".")[0]) >= wranglerNodeMajorMin) return process.execPath;
  return fail(
    `Node ${wranglerNodeMajorMin} did not come with the packages (npm may be set to ignore install scripts), and this is ${process.version}. ` +
      `Run "npm rebuild node esbuild workerd --ignore-scripts=false" or use Node ${wranglerNodeMajorMin}.`,
  );
}

export function binPath(packageName, file) {
  return join(projectDir, "node_modules", packageName, file);
}

/**
 * Settings under which wrangler neither asks, reports nor looks for updates, and serves nothing beside the Worker: its local
 * explorer would let anyone who reaches the port read and change every user's storage without a token.
 */
export function wranglerEnv() {
  return {
    ...process.env,
    X_LOCAL_EXPLORER: "false",
    X_LOCAL_OBSERVABILITY: "false",
    CI: "1",
    WRANGLER_SEND_METRICS: "false",
    WRANGLER_HIDE_BANNER: "true",
    WRANGLER_WRITE_LOGS: "false",
    CLOUDFLARE_CF_FETCH_ENABLED: "false",
  };
}

export function wrangler(args, options = {}) {
  return spawn(nodePath(), ["--no-warnings", binPath("wrangler", "wrangler-dist/cli.js"), ...args], {
    cwd: projectDir,
    env: wranglerEnv(),
    ...options,
  });
}

/** Resolves to the exit code and everything that was printed. */
export function finished(child) {
  return new Promise((done, failed) => {
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (chunk) => {
        output += chunk;
      });
    }
    child.on("error", failed);
    child.on("close", (code, signal) => done({ code: code ?? 1, signal, output }));
  });
}

function stampPath() {
  return join(projectDir, "node_modules", ".holdfast-installed");
}

function lockfileHash() {
  const lockfile = readFileSync(join(projectDir, "package-lock.json"));
  return createHash("sha256").update(lockfile).update(`${process.platform}-${process.arch}`).digest("hex");
}

function isInstalled() {
  const stamp = stampPath();
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lockfileHash()) return true;
  if (!installedByHand()) return false;
  writeFileSync(stamp, lockfileHash());
  return true;
}

/** npm writes its hidden lockfile last: where it agrees with ours, a completed `npm install` was here. */
function installedByHand() {
  const hidden = join(projectDir, "node_modules", ".package-lock.json");
  if (!existsSync(hidden)) return false;
  const wanted = JSON.parse(readFileSync(join(projectDir, "package-lock.json"), "utf8")).packages;
  const present = JSON.parse(readFileSync(hidden, "utf8")).packages;
  return Object.entries(wanted).every(
    ([path, entry]) => path === "" || entry.optional || entry.peer || present[path]?.version === entry.version,
  );
}

function install() {
  say("installing packages (npm ci) …");
  const fromNpm = process.env.npm_execpath;
  const args = ["ci", "--no-audit", "--no-fund", "--loglevel=error"];
  // A test or a pipeline may run with NODE_ENV=production, which would leave out wrangler.
  const options = { cwd: projectDir, stdio: ["ignore", 2, 2], env: { ...process.env, NODE_ENV: "development" } };
  const run = fromNpm?.endsWith("npm-cli.js")
    ? spawnSync(process.execPath, [fromNpm, ...args], options)
    : spawnSync("npm", args, { ...options, shell: process.platform === "win32" });
  if (run.error) fail(`npm could not be started (${run.error.message}). Install npm, then try again.`);
  if (run.status !== 0) {
    fail(
      `npm ci failed with exit code ${run.status}; npm's own message is above. Check the network and the registry, then try again.`,
    );
  }
  writeFileSync(stampPath(), lockfileHash());
  say("packages are installed.");
}
