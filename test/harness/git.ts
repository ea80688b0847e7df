/** The real git as judge, in a repository of its own that no setting of the machine reaches. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Paths relative to the root, and bytes. */
export type GitFiles = ReadonlyMap<string, Uint8Array>;

/**
 * Bytes are stored as they are, whatever a `.gitattributes` among them says (snapshot.md §4.4).
 * The driver `plain` keeps headings out of `@@` lines: its pattern matches no line.
 */
const attributes = "* -text -ident -filter !working-tree-encoding diff=plain\n";
const settings = [
  "core.quotePath=false",
  "core.autocrlf=false",
  "core.precomposeUnicode=false",
  "diff.plain.xfuncname=x^",
];

export class GitRepository {
  readonly directory = mkdtempSync(join(tmpdir(), "holdfast-git-"));

  constructor() {
    this.run(["init", "-q", "--object-format=sha1"]);
    mkdirSync(join(this.directory, ".git/info"), { recursive: true });
    writeFileSync(join(this.directory, ".git/info/attributes"), attributes);
  }

  run(args: readonly string[], input?: string | Uint8Array): string {
    const configured = settings.flatMap((setting) => ["-c", setting]);
    return execFileSync("git", [...configured, ...args], {
      cwd: this.directory,
      input,
      env: { PATH: process.env.PATH, HOME: this.directory, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" },
      maxBuffer: 1 << 30,
    }).toString("utf8");
  }

  /** Replaces everything by `files`, stages it, and gives the id of its tree. */
  stage(files: GitFiles): string {
    for (const name of readdirSync(this.directory)) {
      if (name !== ".git") rmSync(join(this.directory, name), { recursive: true });
    }
    for (const [path, bytes] of files) {
      const target = join(this.directory, path);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, bytes);
    }
    this.run(["add", "-A", "-f", "."]);
    return this.run(["write-tree"]).trim();
  }

  remove(): void {
    rmSync(this.directory, { recursive: true });
  }
}
