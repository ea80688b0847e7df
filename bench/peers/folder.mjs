// The same files as a plain folder, for programs that work on one.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export function plantFolder(files) {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-bench-folder-"));
  writeInto(folder, files);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export function writeInto(folder, files) {
  const made = new Set();
  for (const { path, content } of files) {
    const target = join(folder, path);
    const directory = dirname(target);
    if (!made.has(directory)) mkdirSync(directory, { recursive: true });
    made.add(directory);
    writeFileSync(target, content);
  }
}
