// Info-ZIP, 7-Zip, libarchive and Python: they make archives, test them and take them apart, each in a folder of its own.
import { spawnSync } from "node:child_process";
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export const extractors = ["unzip", "7z", "bsdtar", "python3"] as const;
export type Extractor = (typeof extractors)[number];

const timeoutMs = 60_000;

export function withFolder<T>(work: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-zip-"));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a program that must succeed; gives what it printed. */
export function run(folder: string, program: string, ...args: string[]): Buffer {
  const env = { ...process.env, LC_ALL: "C.UTF-8", TZ: "UTC" };
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: folder,
    env,
    timeout: timeoutMs,
    maxBuffer: 1 << 28,
  });
  if (status === 0) return stdout;
  throw new Error(`${program} ${args.join(" ")}: ${error ?? `${status}\n${stdout}${stderr}`.slice(0, 2000)}`);
}

export function writeTree(folder: string, files: ReadonlyMap<string, Uint8Array>): void {
  for (const [path, bytes] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
}

/** Every regular file below a folder. */
export function readTree(folder: string, prefix = ""): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  for (const name of readdirSync(join(folder, prefix))) {
    const path = prefix === "" ? name : `${prefix}/${name}`;
    const kind = lstatSync(join(folder, path));
    if (kind.isDirectory()) for (const [inner, bytes] of readTree(folder, path)) files.set(inner, bytes);
    else if (kind.isFile()) files.set(path, readFileSync(join(folder, path)));
  }
  return files;
}

/** Fails where a program finds anything wrong with the archive. */
export function testArchive(bytes: Uint8Array): void {
  withFolder((folder) => {
    writeFileSync(join(folder, "t.zip"), bytes);
    run(folder, "7z", "t", "-tzip", "t.zip");
    // Info-ZIP has a message of its own for an archive without entries.
    if (bytes.length > 22) run(folder, "unzip", "-tqq", "t.zip");
    run(folder, "python3", "-c", "import sys,zipfile\nz=zipfile.ZipFile('t.zip')\nsys.exit(z.testzip() is not None)");
    run(folder, "bsdtar", "-tf", "t.zip");
  });
}

export function extractWith(program: Extractor, bytes: Uint8Array): Map<string, Buffer> {
  return withFolder((folder) => {
    writeFileSync(join(folder, "t.zip"), bytes);
    mkdirSync(join(folder, "out"));
    if (program === "unzip") run(folder, "unzip", "-qq", "-o", "t.zip", "-d", "out");
    else if (program === "7z") run(folder, "7z", "x", "-tzip", "-y", "-oout", "t.zip");
    else if (program === "bsdtar") run(folder, "bsdtar", "-xf", "t.zip", "-C", "out");
    // Info-ZIP writes UTF-8 without saying so, which Python would take for CP437.
    else
      run(
        folder,
        "python3",
        "-c",
        "import zipfile\nzipfile.ZipFile('t.zip', metadata_encoding='utf-8').extractall('out')",
      );
    return readTree(join(folder, "out"));
  });
}
