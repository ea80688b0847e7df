// How much memory the Workers runtime of a server takes, watched from outside.
import { execFileSync } from "node:child_process";
import { descendants } from "../../scripts/process-tree.mjs";
import type { Server } from "./server";

const intervalMs = 100;

/** Bytes by which the runtime's processes, all together, were above what they had before the work at most. */
export async function growthDuring(server: Server, work: () => Promise<unknown>): Promise<number> {
  const pids = descendants(server.pid).filter((pid) => ps(pid, "comm").endsWith("workerd"));
  if (pids.length === 0) throw new Error("no process of the runtime was found");
  const total = () => pids.reduce((sum, pid) => sum + 1024 * Number(ps(pid, "rss")), 0);
  const before = total();
  let highest = before;
  const watch = () => {
    highest = Math.max(highest, total());
  };
  const timer = setInterval(watch, intervalMs);
  try {
    await work();
    watch();
  } finally {
    clearInterval(timer);
  }
  return highest - before;
}

function ps(pid: number, column: "comm" | "rss"): string {
  return execFileSync("ps", ["-o", `${column}=`, "-p", String(pid)], { encoding: "utf8" }).trim();
}
