// One server for all test files of the project "server"; they keep out of each other's way by user names.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { migrate } from "../../scripts/migrate.mjs";
import { startServer } from "./server";

declare module "vitest" {
  interface ProvidedContext {
    /** The origin of the shared server, without a trailing slash. */
    url: string;
    /** Of the process that started it and all its others. */
    pid: number;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Many files start a server of their own; its database need not be made anew for each of them.
  const migrated = await mkdtemp(join(tmpdir(), "holdfast-migrated-"));
  await migrate(migrated);
  process.env.HOLDFAST_MIGRATED_STATE = migrated;
  const server = await startServer();
  project.provide("url", server.url);
  project.provide("pid", server.pid);
  return async () => {
    await server.stop();
    await rm(migrated, { recursive: true, force: true });
  };
}
