// The Worker as it is uploaded: wrangler's own production bundle, and peers bundled in the same way.
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { finished, projectDir, wrangler } from "../../scripts/prepare.mjs";

const { unstable_readConfig: readConfig } = createRequire(import.meta.url)("wrangler");

/** The settings of wrangler.toml that the runtime needs. */
export function productConfig() {
  return readConfig({ config: join(projectDir, "wrangler.toml") }, { hideWarnings: true });
}

/** What `wrangler deploy` would upload. */
export async function bundleProduct() {
  const folder = await mkdtemp(join(tmpdir(), "holdfast-bundle-"));
  const child = wrangler(["deploy", "--dry-run", "--outdir", folder], { stdio: ["ignore", "pipe", "pipe"] });
  const { code, output } = await finished(child);
  if (code !== 0) throw new Error(`the bundle failed:\n${output}`);
  const script = readFileSync(join(folder, "index.js"), "utf8");
  await rm(folder, { recursive: true });
  return script;
}

/** A Worker of bench/peers/workers, bundled for production. */
export async function bundlePeer(name) {
  const result = await build({
    entryPoints: [join(import.meta.dirname, "..", "peers", "workers", `${name}.mjs`)],
    bundle: true,
    write: false,
    format: "esm",
    target: "es2024",
    conditions: ["workerd", "worker", "browser"],
    external: ["cloudflare:*", "node:*"],
    define: { "process.env.NODE_ENV": '"production"' },
    logLevel: "error",
    plugins: [nodeModules],
  });
  return result.outputFiles[0].text;
}

/** Bare names of Node's modules, as some peers write them, are the runtime's own. */
const nodeModules = {
  name: "node-modules",
  setup({ onResolve }) {
    const names = "assert|async_hooks|buffer|crypto|events|fs|os|path|process|stream|string_decoder|url|util|zlib";
    onResolve({ filter: new RegExp(`^(${names})(/.*)?$`) }, ({ path, kind, resolveDir }) => {
      if (kind !== "import-statement" && kind !== "require-call" && kind !== "dynamic-import") return null;
      return resolveDir.includes(`node_modules/${path}`) ? null : { path: `node:${path}`, external: true };
    });
  },
};
