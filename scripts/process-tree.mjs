// Ends a child together with everything that it started: wrangler runs the Workers runtime as a process of its own.
import { spawnSync } from "node:child_process";
import { procStat } from "./proc-stat.mjs";

const graceMs = 5_000;

/** Asks the child to end, and ends by force whatever of its tree is left after a grace period. */
export async function stopTree(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((done) => child.once("exit", done));
  if (process.platform === "win32") {
    spawnSync("taskkill", ["/T", "/F", "/PID", String(child.pid)]);
    await exited;
    return;
  }
  const family = [child.pid, ...descendants(child.pid)];
  child.kill("SIGTERM");
  await Promise.race([exited, pause(graceMs)]);
  const deadline = Date.now() + 1_000;
  while (family.some(isAlive) && Date.now() < deadline) await pause(20);
  for (const pid of family) if (isAlive(pid)) signal(pid, "SIGKILL");
}

/** Calls back when the process that started this one is gone, so that a killed parent leaves no server behind. */
export function endWithParent(callback) {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) callback();
  }, 1_000).unref();
}

/** Pids of everything that the process started, and what that started. */
export function descendants(pid) {
  const table = spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" }).stdout ?? "";
  const rows = table
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  const found = [pid];
  for (const ancestor of found) for (const [id, parent] of rows) if (parent === ancestor) found.push(id);
  return found.slice(1);
}

/** A zombie is not: in a container whose first process is slow to look after orphans, one stays for a second or longer. */
export function isAlive(pid) {
  return signal(pid, 0) && procStat(pid)?.isZombie !== true;
}

function signal(pid, name) {
  try {
    process.kill(pid, name);
    return true;
  } catch {
    return false;
  }
}

function pause(ms) {
  return new Promise((done) => setTimeout(done, ms));
}
