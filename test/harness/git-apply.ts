/** The real `git apply` on files of a directory of its own, outside any repository. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import type { TestFiles } from "./apply-patch";

/** The files after the patch, or what git said against it. */
export function gitApply(files: TestFiles, patch: string, options: readonly string[] = []): TestFiles | string {
  const directory = mkdtempSync(join(tmpdir(), "holdfast-apply-"));
  try {
    for (const [path, bytes] of files) {
      const target = join(directory, path);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, bytes);
    }
    const { status, stderr } = spawnSync("git", ["apply", "--whitespace=nowarn", ...options], {
      cwd: directory,
      input: patch,
      env: { PATH: process.env.PATH, HOME: directory, GIT_CEILING_DIRECTORIES: tmpdir(), GIT_CONFIG_NOSYSTEM: "1" },
    });
    return status === 0 ? filesIn(directory) : stderr.toString();
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function filesIn(directory: string): TestFiles {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name));
  return new Map(paths.map((path) => [relative(directory, path), readFileSync(path)]));
}
