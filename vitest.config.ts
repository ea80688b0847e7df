import { defineConfig } from "vitest/config";

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
          globalSetup: ["test/harness/global-setup.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
