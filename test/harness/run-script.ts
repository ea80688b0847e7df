// The commands as a person calls them: a script of the project as a program of its own, with its exit code and what it printed.
import { execFile } from "node:child_process";
import { join, resolve } from "node:path";

const projectDir = resolve(import.meta.dirname, "../..");

export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export function runScript(script: string, args: string[] = [], env: Record<string, string> = {}): Promise<Finished> {
  return new Promise((done) => {
    const options = { cwd: projectDir, env: { ...process.env, ...env }, maxBuffer: 1 << 26 };
    execFile(process.execPath, [join("scripts", script), ...args], options, (error, stdout, stderr) => {
      done({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr });
    });
  });
}
