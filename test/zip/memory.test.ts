// How much memory the runtime takes for archives that are large, or that want to be: the peak of its resident pages, as the kernel counts
// them, on a server of its own whose garbage is collected early. What is alive is counted to the byte beside the core (working-set.test.ts).
import { readFileSync, writeFileSync } from "node:fs";
import { deflateRawSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { descendants } from "../../scripts/process-tree.mjs";
import { counts } from "../counts";
import { filesOf, largeArchives } from "../harness/large-archives";
import { freshUser, login } from "../harness/login";
import { runtimeUrl } from "../harness/runtime-url";
import { type Server, startServer } from "../harness/server";
import { connect } from "../harness/tool-root";
import { zipOf } from "../harness/zip-builder";
import { ZipRoot } from "./zip-root";

const mib = 1024 * 1024;
/** 64 MiB, and as much again that the engine lets buffers without owners grow to before it collects them. */
const growthMax = 2 * 64 * mib;
const flags = "MINIFLARE_WORKERD_V8_FLAGS";

// All are made before there is a connection, which would be closed while nobody listens to it.
// Those of many bytes; the memory of many entries is counted beside the core, and such garbage collection would take it minutes here.
const archives = largeArchives.slice(0, counts.deep ? 2 : 1).map(([name, make]) => [name, make()] as const);
const zeros = deflateRawSync(new Uint8Array(400 * mib), { level: 9 });
const bombs: [string, Uint8Array][] = [
  ["400 MiB behind a size of 30", zipOf([{ name: "a", data: "", raw: zeros, method: 8, ...lies(30 * mib) }])],
  ["400 MiB that are declared", zipOf([{ name: "a", data: "", raw: zeros, method: 8, ...lies(400 * mib) }])],
  ["20 000 entries", zipOf(Array.from({ length: 20_000 }, (_, index) => ({ name: `${index}` })))],
];

let server: Server;
let root: ZipRoot;
let runtimes: number[];

beforeAll(async () => {
  process.env[flags] = "--max-semi-space-size=1 --gc-global";
  server = await startServer();
  delete process.env[flags];
  const user = freshUser("zip-memory");
  // Not by way of the development server's proxy, which gives up connections while the runtime is busy for seconds.
  const url = await runtimeUrl(server);
  const { accessToken } = await login(url, { user });
  root = ZipRoot.of(await connect(url, user, accessToken, "2026-07-28"));
  runtimes = descendants(server.pid).filter((pid) => readFileSync(`/proc/${pid}/comm`, "utf8").startsWith("workerd"));
  // Code that is compiled and caches that are filled are there once and stay.
  await root.put("/warm.zip", filesOf(1000, 2000));
  for (let round = 0; round < 2; round++) await walk("/warm.zip");
});
afterAll(() => server.stop());

/** Opens it, changes something, syncs and closes. */
async function walk(path: string): Promise<void> {
  await slow(root.ok("zipfs_open", { path, name: "w" }));
  await root.ok("zipfs_write", { path: "one-more", content: `${Math.random()}` });
  await slow(root.ok("zipfs_sync", {}));
  await slow(root.ok("zipfs_close", {}));
}

/** After a turn of seconds the runtime takes the connection for idle and closes it. The next call must know. */
async function slow(call: Promise<unknown>): Promise<void> {
  await call;
  await new Promise((resolve) => setTimeout(resolve, 100));
}

function residentBytes(field: "VmRSS" | "VmHWM"): number {
  const line = new RegExp(`^${field}:\\s+(\\d+) kB$`, "m");
  const kilobytes = runtimes.map((pid) => Number(line.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]));
  return kilobytes.reduce((sum, one) => sum + one * 1024, 0);
}

/** The most bytes that the runtime had beyond those of the beginning. */
async function growthDuring(work: () => Promise<unknown>): Promise<number> {
  // 5 sets the peak back to what is resident now, see proc(5).
  for (const pid of runtimes) writeFileSync(`/proc/${pid}/clear_refs`, "5");
  const before = residentBytes("VmRSS");
  await work();
  return residentBytes("VmHWM") - before;
}

describe("the memory of the runtime is bounded for an archive", () => {
  it.each(archives)("%s", { timeout: 300_000 }, async (_, bytes) => {
    await root.put("/big.zip", bytes);
    const growth = await growthDuring(() => walk("/big.zip"));
    expect(growth, `${(growth / mib).toFixed(0)} MiB`).toBeLessThan(growthMax);
  });

  it.each(bombs)("of %s, which is refused", { timeout: 300_000 }, async (_, bytes) => {
    await root.put("/bomb.zip", bytes);
    const growth = await growthDuring(async () => {
      for (let round = 0; round < 3; round++) {
        expect((await root.refused("zipfs_open", { path: "/bomb.zip" })).code).toBe("ZIP_BOMB_DETECTED");
      }
    });
    expect(growth, `${(growth / mib).toFixed(0)} MiB`).toBeLessThan(growthMax / 2);
  });
});

function lies(size: number) {
  return { local: { size }, central: { size } };
}
