// The local database of a state folder, brought up to the migrations of this checkout.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fail, finished, projectDir, say, wrangler } from "./prepare.mjs";

/** Nothing is done where they were applied before. */
export async function migrate(state) {
  // The stamp lies beside the database, so that whoever removes the one removes the other.
  const stamp = join(state, "v3", "d1", ".holdfast-migrations");
  const wanted = migrationsHash();
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  say("applying database migrations …");
  const child = wrangler(["d1", "migrations", "apply", "MANIFESTS", "--local", "--persist-to", state], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { code, output } = await finished(child);
  if (code !== 0)
    fail(`the migrations of the local database failed:\n${output.trim()}\nTo start afresh, remove ${state}.`);
  mkdirSync(join(state, "v3", "d1"), { recursive: true });
  writeFileSync(stamp, wanted);
}

function migrationsHash() {
  const folder = join(projectDir, "migrations");
  const hash = createHash("sha256");
  for (const name of readdirSync(folder).sort()) hash.update(`${name}\0`).update(readFileSync(join(folder, name)));
  return hash.digest("hex");
}
