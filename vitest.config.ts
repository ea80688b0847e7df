import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { configDefaults, defineConfig } from "vitest/config";
import { findChromium } from "./scripts/find-chromium.mjs";
import { missingZipPrograms } from "./scripts/find-zip-programs.mjs";
import { internet } from "./test/sign-in/internet.ts";

export default defineConfig({
  test: {
    // More than most machines have cores: half of the time a test of the server waits, for a process to start, a browser or a timer.
    maxWorkers: 4,
    projects: [
      {
        test: {
          name: "domain",
          environment: "node",
          include: ["src/**/*.test.{ts,tsx}", "test/docs/*.test.ts"],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: "server",
          environment: "node",
          include: ["test/**/*.test.ts"],
          // Without a browser there is nothing to run them in; `npm test` says so.
          exclude: [
            ...configDefaults.exclude,
            "test/workers/**",
            "test/sign-in/**",
            "test/docs/**",
            ...(findChromium() ? [] : ["test/browser/**"]),
            ...(missingZipPrograms().length === 0 ? [] : ["test/zip/programs/**"]),
          ],
          globalSetup: ["test/harness/global-setup.ts"],
          setupFiles: ["test/harness/patient-fetch.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        // Inside the Workers runtime, with real Durable Objects and R2. The machine's environment does not reach in there.
        plugins: [
          cloudflareTest({
            wrangler: { configPath: "test/workers/wrangler.toml" },
            miniflare: {
              bindings: {
                ...settings("HOLDFAST_DEEP", "HOLDFAST_SEED"),
                MIGRATIONS: await readD1Migrations("migrations"),
              },
            },
          }),
        ],
        test: {
          name: "workers",
          include: ["test/workers/**/*.test.ts"],
          setupFiles: ["test/workers/apply-migrations.ts"],
          testTimeout: 60_000,
        },
      },
      {
        // The whole product in the Workers runtime, with a clock that tests can move and an internet of their own.
        plugins: [
          cloudflareTest({
            wrangler: { configPath: "wrangler.toml" },
            miniflare: { bindings: { AUTH_MODE: "local" }, outboundService: internet },
          }),
        ],
        test: { name: "sign-in", include: ["test/sign-in/**/*.test.ts"], testTimeout: 60_000 },
      },
    ],
  },
});

function settings(...names: string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}
