// npm run bench [-- NAME …]: runs workloads, each in a program of its own, prints ratios and writes bench/results/NAME.json.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { fail, nodePath, prepare, say } from "../scripts/prepare.mjs";

const folder = import.meta.dirname;
const all = readdirSync(join(folder, "workloads")).map((file) => file.replace(/\.mjs$/, ""));
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !all.includes(name));
if (unknown.length > 0) fail(`no workload ${unknown.join(", ")}. There are: ${all.join(", ")}.`);

prepare();
installPeers();
const failed = [];
for (const name of asked.length > 0 ? asked : all) {
  say(`${name} …${loadavg()[0] > 1 ? ` (the machine is busy: load ${loadavg()[0].toFixed(1)})` : ""}`);
  const run = spawnSync(nodePath(), ["--no-warnings", "--expose-gc", join(folder, "run-workload.mjs"), name], {
    stdio: "inherit",
  });
  if (run.status !== 0) failed.push(name);
}
if (failed.length > 0) fail(`these failed: ${failed.join(", ")}.`);

/** Peers are no part of the product: they are installed here, without running scripts of theirs. */
function installPeers() {
  const stamp = join(folder, "node_modules", ".package-lock.json");
  const wanted = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8")).packages;
  const present = existsSync(stamp) ? JSON.parse(readFileSync(stamp, "utf8")).packages : {};
  const isComplete = Object.entries(wanted).every(
    ([path, entry]) => path === "" || entry.optional || entry.peer || present[path]?.version === entry.version,
  );
  if (isComplete) return;
  say("installing the peers (npm install --ignore-scripts in bench/) …");
  // Not `npm ci`: it refuses a lockfile without the binaries that one peer offers for other systems.
  const args = ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const run = spawnSync("npm", args, { cwd: folder, stdio: ["ignore", 2, 2], shell: process.platform === "win32" });
  if (run.status !== 0) fail("the peers could not be installed; npm's own message is above.");
}
