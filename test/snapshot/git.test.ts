// The real git as judge of what comes out of the tools: fingerprints of whole roots (snapshot.md §4.4), our diffs applied by git,
// git's diffs applied by workspace.apply_patch (§8.4). The same without a server, in larger numbers: src/domain.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { counts, seed } from "../counts";
import type { TestFiles } from "../harness/apply-patch";
import { editedRoot } from "../harness/generated-edits";
import { differsInText, swappedRoot } from "../harness/generated-roots";
import { GitRepository } from "../harness/git";
import { gitApply } from "../harness/git-apply";
import { bytesOfBundle, SnapshotRoot } from "./snapshot-root";

/** What git says of the files, after they were staged as they are. */
function judgedByGit(repository: GitRepository, files: TestFiles) {
  const index_oid = repository.stage(files);
  const status = execFileSync("git", ["status", "--porcelain=v1", "-z"], { cwd: repository.directory });
  return { head_oid: "", index_oid, status_hash: createHash("sha256").update(status).digest("hex") };
}

/** The live files as the tar program unpacks them from an export. */
async function exported(root: SnapshotRoot): Promise<TestFiles> {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-export-"));
  try {
    const { bundle } = await root.ok("snapshot.export", {});
    writeFileSync(join(folder, "bundle.tar"), bytesOfBundle(bundle));
    execFileSync("tar", ["-xf", "bundle.tar"], { cwd: folder });
    rmSync(join(folder, "bundle.tar"));
    const names = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
    return new Map(names.map((name) => [name, readFileSync(join(folder, name))]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Every one of them is edited: diffs and patches are judged as often as fingerprints. */
const edited = fc
  .oneof({ weight: 1, arbitrary: editedRoot }, { weight: 2, arbitrary: swappedRoot })
  .filter(differsInText);

const plain = (files: TestFiles) =>
  [...files].map(([path, bytes]) => [path, Buffer.from(bytes).toString("latin1")] as const).sort();

describe("real git and the tools", () => {
  it(
    `seed 002 §2.2: agree on fingerprints, diffs and patches of ${counts.gitThroughTools} generated roots and edits (HOLDFAST_SEED=${seed})`,
    async () => {
      const repository = new GitRepository();
      try {
        await fc.assert(
          fc.asyncProperty(edited, async ({ before, after }) => {
            const root = await SnapshotRoot.signIn({ era: "2026-07-28" });
            const text = (bytes: Uint8Array) => (bytes.includes(0) ? bytes : Buffer.from(bytes).toString("utf8"));
            await root.create(Object.fromEntries([...before].map(([path, bytes]) => [`./${path}`, text(bytes)])));
            expect(plain(await exported(root))).toEqual(plain(before));
            expect(await root.fingerprint()).toEqual(judgedByGit(repository, before));

            // git's own diff, through our applier.
            const oldTree = repository.stage(before);
            const newTree = repository.stage(after);
            const gitDiff = repository.run(["diff", "--full-index", "--no-renames", oldTree, newTree]);
            const base = await root.snapshot();
            const { applied, rejects } = await root.ok("workspace.apply_patch", { patch: gitDiff });
            expect({ rejects, some: applied.length > 0 }).toEqual({ rejects: [], some: true });
            expect(plain(await exported(root))).toEqual(plain(after));
            expect((await root.fingerprint()).index_oid).toBe(newTree);

            // Our diff, through git.
            const { diff } = await root.ok("snapshot.diff", { from_snapshot_id: base });
            const made = gitApply(before, diff);
            expect(typeof made === "string" ? made : plain(made)).toEqual(plain(after));
          }),
          { seed, numRuns: counts.gitThroughTools },
        );
      } finally {
        repository.remove();
      }
    },
    30 * 60_000,
  );
});
