// The tables of snapshots, as `npm start` makes them.
import { applyD1Migrations, env } from "cloudflare:test";

await applyD1Migrations(env.MANIFESTS, env.MIGRATIONS);
