// One program at a time on a local state: two would write the same databases, and a check would judge a moving target.
// The lock is a file in the state that names the processes that use it, and each one's start, because pids are used again.
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { procStat } from "./proc-stat.mjs";

/** What a killed program started ends a little after it. */
const leftoversMs = 5_000;

/** The state is in use: `what` (a command), by `pid`, perhaps on `port`. */
export class StateInUse extends Error {
  constructor({ what, port, pid }, ownerLives) {
    const where = port === undefined ? "" : `, port ${port}`;
    super(
      ownerLives
        ? `"${what}" is using this state (process ${pid}${where})`
        : `"${what}" was killed, but a process that it started still uses this state (process ${pid}${where})`,
    );
    this.name = "StateInUse";
  }
}

/** Takes the state for this process until it ends; throws StateInUse. `facts`: what runs, and on which port. */
export async function lockState(state, facts) {
  mkdirSync(state, { recursive: true });
  const file = join(state, "holdfast.lock");
  const lock = { id: randomUUID(), ...facts, processes: [identify(process.pid)] };
  const deadline = Date.now() + leftoversMs;
  while (!create(file, lock)) {
    const found = read(file);
    const user = found && userOf(found);
    if (user === undefined) {
      discard(file, found);
      continue;
    }
    const ownerLives = found.processes[0] === user;
    if (ownerLives || Date.now() > deadline) throw new StateInUse({ ...found, pid: user.pid }, ownerLives);
    await new Promise((done) => setTimeout(done, 50));
  }
  process.on("exit", () => {
    if (read(file)?.id === lock.id) rmSync(file, { force: true });
  });
  return {
    /** Names further processes that use the state, so that they are seen even when this one is killed. */
    add(pids) {
      lock.processes.push(...pids.map(identify).filter(({ started }) => started !== null));
      writeFileSync(file, JSON.stringify(lock));
    },
  };
}

function create(file, lock) {
  try {
    writeFileSync(file, JSON.stringify(lock), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
}

function read(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    // Gone, or cut off by a crash: nobody's.
    return undefined;
  }
}

/** Removes a lock that was judged to be nobody's, unless another program has put its own there meanwhile. */
function discard(file, judged) {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  const moved = read(aside);
  if (moved !== undefined && moved.id !== judged?.id) renameSync(aside, file);
  else rmSync(aside, { force: true });
}

/** The first of the lock's processes that still runs. */
function userOf({ processes }) {
  return processes.find(({ pid, started }) => {
    const now = identify(pid).started;
    return now !== null && now === started;
  });
}

/** A process and when it started; null: it does not run. A zombie does not: it waits only for its parent to look. */
function identify(pid) {
  return { pid, started: process.platform === "linux" ? startOnLinux(pid) : startByPs(pid) };
}

function startOnLinux(pid) {
  const stat = procStat(pid);
  if (stat === null || stat.isZombie) return null;
  return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${stat.startTicks}`;
}

function startByPs(pid) {
  const options = { encoding: "utf8", env: { ...process.env, LC_ALL: "C" } };
  const told = spawnSync("ps", ["-o", "stat=,lstart=", "-p", String(pid)], options);
  if (told.error === undefined)
    return told.stdout.trim() === "" || /^\s*Z/.test(told.stdout) ? null : told.stdout.trim().replace(/^\S+\s+/, "");
  try {
    process.kill(pid, 0);
    return "unknown";
  } catch (error) {
    return error.code === "EPERM" ? "unknown" : null;
  }
}
