// Programs of the machine: run once per measurement, as a person would.
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** Resolves to what was printed; any of `codes` is a success. */
export function runProgram(command, args, { cwd, input, codes = [0] } = {}) {
  return new Promise((done, failed) => {
    const child = spawn(command, args, { cwd, stdio: ["pipe", "pipe", "pipe"], env: programEnv });
    const chunks = [];
    let complaint = "";
    child.stdout.on("data", (chunk) => chunks.push(chunk));
    child.stderr.on("data", (chunk) => {
      complaint += chunk;
    });
    child.on("error", failed);
    child.on("close", (code) => {
      if (codes.includes(code)) done(Buffer.concat(chunks).toString("utf8"));
      else failed(new Error(`${command} ended with ${code}: ${complaint.slice(0, 500)}`));
    });
    child.stdin.end(input);
  });
}

/** No configuration of the person who runs the benchmark. */
const programEnv = {
  ...process.env,
  LC_ALL: "C",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "bench",
  GIT_AUTHOR_EMAIL: "bench@example.com",
  GIT_COMMITTER_NAME: "bench",
  GIT_COMMITTER_EMAIL: "bench@example.com",
};

/** The version line of a program, or null where the machine has none. */
export function versionOf(command, args = ["--version"]) {
  const { status, stdout } = spawnSync(command, args, { encoding: "utf8" });
  return status === 0 ? stdout.split("\n")[0].trim() : null;
}

/** ripgrep of the package of its platform, which needs no script to be there; otherwise the machine's own. */
export function findRipgrep() {
  const platform = `ripgrep-${process.platform}-${process.arch}`;
  const packaged = join(import.meta.dirname, "..", "node_modules", "@vscode", platform, "bin", "rg");
  if (existsSync(packaged)) return packaged;
  return versionOf("rg") === null ? null : "rg";
}
