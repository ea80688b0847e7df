// One server for all test files of the project "server"; they keep out of each other's way by user names.
import type { TestProject } from "vitest/node";
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
  const server = await startServer();
  project.provide("url", server.url);
  project.provide("pid", server.pid);
  return () => server.stop();
}
