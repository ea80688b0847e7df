// The bare runtime: workerd with a socket that leads straight into the Worker. No development proxy stands between;
// R2 and D1 are miniflare's simulators, which are Workers of the same process.
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";
import { projectDir } from "../../scripts/prepare.mjs";
import { bundlePeer, bundleProduct, productConfig } from "./bundle.mjs";

/**
 * Our server, as deployed but for the login, which asks for a name only, and without the rate limits: miniflare's stand-in
 * for them writes a row to disk for each request, where the platform counts in memory.
 */
export async function startProduct({ bindings = {}, inspectorPort, script } = {}) {
  const config = productConfig();
  const runtime = await start(
    {
      name: "holdfast",
      script: script ?? (await bundleProduct()),
      compatibilityDate: config.compatibility_date,
      compatibilityFlags: config.compatibility_flags,
      bindings: { AUTH_MODE: "local", ...bindings },
      durableObjects: classes(config.durable_objects.bindings.map(({ name, class_name }) => [name, class_name])),
      r2Buckets: Object.fromEntries(config.r2_buckets.map(({ binding, bucket_name }) => [binding, bucket_name])),
      d1Databases: Object.fromEntries(
        config.d1_databases.map(({ binding, database_name }) => [binding, database_name]),
      ),
    },
    inspectorPort,
  );
  await applyMigrations(await runtime.miniflare.getD1Database("MANIFESTS", "holdfast"));
  return runtime;
}

/** A Worker of bench/peers/workers with one Durable Object class of SQLite, on the settings of our own. */
export async function startPeer(name, { className, r2 = false, loader = false } = {}) {
  const config = productConfig();
  return start({
    name,
    script: await bundlePeer(name),
    compatibilityDate: config.compatibility_date,
    compatibilityFlags: ["nodejs_compat", ...(loader ? ["experimental"] : [])],
    durableObjects: classes([["OBJECT", className]]),
    ...(r2 && { r2Buckets: { BUCKET: "bucket" } }),
  });
}

function classes(pairs) {
  return Object.fromEntries(pairs.map(([name, className]) => [name, { className, useSQLite: true }]));
}

async function start(worker, inspectorPort) {
  const state = await mkdtemp(join(tmpdir(), `holdfast-bench-${worker.name}-`));
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      log: new Log(process.env.BENCH_DEBUG ? LogLevel.INFO : LogLevel.ERROR),
      resourcePersistencePath: state,
      cf: false,
      ...(inspectorPort !== undefined && { inspectorPort }),
      workers: [{ ...worker, modules: true, unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }] }],
    }),
  );
  await miniflare.ready;
  const { origin } = await miniflare.unsafeGetDirectURL(worker.name);
  return {
    url: origin,
    miniflare,
    async stop() {
      await miniflare.dispose();
      await rm(state, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function applyMigrations(database) {
  const folder = join(projectDir, "migrations");
  for (const name of readdirSync(folder).sort()) {
    const sql = readFileSync(join(folder, name), "utf8").replace(/^--.*$/gm, "");
    for (const statement of sql.split(";")) {
      if (statement.trim() !== "") await database.prepare(statement).run();
    }
  }
}
