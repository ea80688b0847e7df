import { configDefaults, defineConfig } from "vitest/config";
import { findChromium } from "./scripts/find-chromium.mjs";

export default defineConfig({
  test: {
    // The server under test is a program of its own and wants a core too.
    maxWorkers: 2,
    projects: [
      {
        test: { name: "domain", environment: "node", include: ["src/**/*.test.{ts,tsx}"] },
      },
      {
        test: {
          name: "server",
          environment: "node",
          include: ["test/**/*.test.ts"],
          // Without a browser there is nothing to run them in; `npm test` says so.
          exclude: [...configDefaults.exclude, ...(findChromium() ? [] : ["test/browser/**"])],
          globalSetup: ["test/harness/global-setup.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
