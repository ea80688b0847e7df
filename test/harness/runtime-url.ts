// The address of the Workers runtime behind the proxy of the development server. What a proxy makes good or bad on the way is not there:
// a chunked body that breaks off comes to the proxy's other side as a whole one.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { descendants } from "../../scripts/process-tree.mjs";
import type { Server } from "./server";

/** Asks every port on which the server's processes listen, other than its own, whether the product answers there. */
export async function runtimeUrl(server: Pick<Server, "pid" | "port">): Promise<string> {
  for (const port of descendants(server.pid).flatMap(listeningPorts)) {
    if (port !== server.port && (await answersHealth(port))) return `http://127.0.0.1:${port}`;
  }
  throw new Error("no runtime was found behind the server");
}

async function answersHealth(port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(5_000) });
    return answer.ok && (await answer.text()).startsWith('{"status":"ok"');
  } catch {
    return false;
  }
}

/** By proc(5): the sockets that the process has open, among all that listen. */
function listeningPorts(pid: number): number[] {
  const open = new Set<string>();
  try {
    for (const name of readdirSync(`/proc/${pid}/fd`)) open.add(readlinkSync(`/proc/${pid}/fd/${name}`));
  } catch {
    // The process, or one of its files, is gone.
  }
  const rows = readFileSync("/proc/net/tcp", "utf8").trim().split("\n").slice(1);
  return rows.flatMap((row) => {
    const [, local = "", , state, , , , , , inode] = row.trim().split(/\s+/);
    const listens = state === "0A" && open.has(`socket:[${inode}]`);
    return listens ? [Number.parseInt(local.slice(local.indexOf(":") + 1), 16)] : [];
  });
}
