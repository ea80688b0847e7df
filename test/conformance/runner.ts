// The official conformance runner as a program of its own: what it requires, and what it found.
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const program = resolve(import.meta.dirname, "../../node_modules/@modelcontextprotocol/conformance/dist/index.js");
const runTimeoutMs = 120_000;

export interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  readonly errorMessage?: string;
  readonly details?: Record<string, unknown>;
}

export interface Report {
  readonly exitCode: number;
  readonly output: string;
  /** By scenario; one that did not come to its end is missing. */
  readonly checks: ReadonlyMap<string, readonly Check[]>;
}

/** The server scenarios that the runner scores for a revision of the protocol. */
export async function requiredScenarios(revision: string): Promise<string[]> {
  const { exitCode, output } = await run(["list", "--requirements", revision]);
  if (exitCode !== 0) throw new Error(`the runner lists nothing for ${revision}:\n${output}`);
  const section = /^Server scenarios.*\n((?: {2}- .+\n)+)/m.exec(output)?.[1] ?? "";
  return [...section.matchAll(/^ {2}- (.+)$/gm)].map((match) => match[1] ?? "");
}

/** Runs everything that the revision requires, and what the runner adds without scoring it. */
export async function runRequirements(url: string, revision: string): Promise<Report> {
  return runServer(url, ["--requirements", revision]);
}

export async function runScenario(url: string, revision: string, scenario: string): Promise<Report> {
  return runServer(url, ["--spec-version", revision, "--scenario", scenario]);
}

/** What keeps a scenario from having passed; nothing when it did. A SHOULD that is not met counts too. */
export function complaints(report: Report, scenario: string): string[] {
  const checks = report.checks.get(scenario);
  if (checks === undefined) return [`${scenario}: did not run to its end`];
  if (!checks.some((check) => check.status === "SUCCESS")) return [`${scenario}: checked nothing`];
  return checks
    .filter(({ status }) => status === "FAILURE" || status === "WARNING")
    .map(({ id, status, errorMessage }) => `${scenario}: ${status} ${id}: ${errorMessage ?? ""}`);
}

async function runServer(url: string, args: readonly string[]): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), "holdfast-conformance-"));
  try {
    const result = await run(["server", "--url", url, "--output-dir", folder, ...args]);
    return { ...result, checks: await readChecks(folder) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** One folder per scenario, named server-<scenario>-<time>. */
async function readChecks(folder: string): Promise<Map<string, Check[]>> {
  const found = new Map<string, Check[]>();
  for (const name of await readdir(folder)) {
    const scenario = /^server-(.+)-\d{4}-\d{2}-\d{2}T[\d-]+Z$/.exec(name)?.[1];
    const text = await readFile(join(folder, name, "checks.json"), "utf8").catch(() => null);
    if (scenario !== undefined && text !== null) found.set(scenario, JSON.parse(text) as Check[]);
  }
  return found;
}

function run(args: readonly string[]): Promise<{ exitCode: number; output: string }> {
  const options = { timeout: runTimeoutMs, maxBuffer: 64 * 1024 * 1024 };
  return new Promise((done) => {
    execFile(process.execPath, [program, ...args], options, (error, stdout, stderr) => {
      const exitCode = error === null ? 0 : typeof error.code === "number" ? error.code : 1;
      done({ exitCode, output: `${stdout}${stderr}` });
    });
  });
}
