/**
 * Patches of generated edits: our own diffs and those of the real git lead to exactly the edited files (snapshot.md §8.4),
 * and what we accept of mutated patches, git accepts with the same bytes, but for the differences of §9.6.
 */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { counts, seed } from "../../../test/counts";
import { applyPatch, rootPath, type TestFiles } from "../../../test/harness/apply-patch";
import { type EditedRoot, editedRoot } from "../../../test/harness/generated-edits";
import { swappedRoot } from "../../../test/harness/generated-roots";
import { GitRepository } from "../../../test/harness/git";
import { gitApply } from "../../../test/harness/git-apply";
import { mutatePatch, patchMutations } from "../../../test/harness/mutate-patch";
import { compareUtf8 } from "../byte-order";
import { type DiffSide, diffFile } from "../diff";
import { gitBlobId } from "../git-objects";
import { decodeText } from "../text-kind";
import { parsePatch } from "./parse-patch";

const timeout = 600_000;
const roots = fc.oneof({ weight: 2, arbitrary: editedRoot }, { weight: 1, arbitrary: swappedRoot });

function side(bytes: Uint8Array | undefined): DiffSide | null {
  if (!bytes) return null;
  const text = decodeText(bytes);
  return { oid: gitBlobId(bytes), text: text.ok ? text.value : null };
}

function diffRoots({ before, after }: EditedRoot): string {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort(compareUtf8);
  const diffs = paths.map((path) => diffFile(rootPath(path), side(before.get(path)), side(after.get(path)), 1 << 22));
  return diffs.map((diff) => diff?.text).join("");
}

/** Shown when a case fails. */
function plain(files: TestFiles): Record<string, string> {
  return Object.fromEntries([...files].sort().map(([path, bytes]) => [path, Buffer.from(bytes).toString("latin1")]));
}

function result(files: TestFiles, patch: string, strip = 1) {
  const outcome = applyPatch(files, patch, strip);
  return "files" in outcome ? plain(outcome.files) : outcome;
}

const isOnlyText = ({ before, after }: EditedRoot) =>
  [...before.values(), ...after.values()].every((bytes) => !bytes.includes(0));

describe("our own diff", () => {
  it("applies to exactly the edited files", { timeout }, () => {
    fc.assert(
      fc.property(roots.filter(isOnlyText), (root) => {
        const patch = diffRoots(root);
        if (patch !== "") expect(result(root.before, patch)).toEqual(plain(root.after));
      }),
      { seed, numRuns: counts.patchEdits },
    );
  });
});

describe("the real git", () => {
  let git: GitRepository;
  beforeAll(() => {
    git = new GitRepository();
  });
  afterAll(() => git.remove());

  function gitDiff({ before, after }: EditedRoot, options: readonly string[]): string {
    const from = git.stage(before);
    return git.run(["diff", ...options, from, git.stage(after)]);
  }

  it("writes diffs that apply to exactly the edited files", { timeout }, () => {
    const options = fc.tuple(
      fc.constantFrom("-U0", "-U1", "-U3", "-U10"),
      fc.constantFrom("--no-renames", "-M", "-M30%", "-C", "-C30%"),
      fc.constantFrom("--find-copies-harder", "--full-index"),
      fc.constantFrom("--minimal", "--patience", "--histogram"),
    );
    fc.assert(
      fc.property(roots, options, fc.boolean(), fc.constantFrom(0, 1), (root, given, isQuoted, strip) => {
        const prefix = strip === 0 ? ["--no-prefix"] : [];
        const from = git.stage(root.before);
        const to = git.stage(root.after);
        const patch = git.run(["-c", `core.quotePath=${isQuoted}`, "diff", ...given, ...prefix, from, to]);
        if (patch === "" || patch.includes("\nBinary files ")) return;
        // A name that begins with "~" has to have a prefix.
        const isNamed =
          strip === 1 || ![...root.before.keys(), ...root.after.keys()].some((path) => path.startsWith("~"));
        if (isNamed) expect(result(root.before, patch, strip)).toEqual(plain(root.after));
      }),
      { seed, numRuns: counts.gitPatches },
    );
  });

  it("agrees on mutated patches that we accept", { timeout }, () => {
    const cases = fc.sample(fc.tuple(roots, fc.array(patchMutations, { minLength: 40, maxLength: 40 })), {
      seed,
      numRuns: counts.mutatedPatches,
    });
    let accepted = 0;
    for (const [root, tries] of cases) {
      if (accepted >= counts.mutatedPatches) break;
      const patch = gitDiff(root, ["-M30%", "-C", "--find-copies-harder"]);
      let taken = 0;
      for (const mutations of tries) {
        const mutated = mutatePatch(patch, mutations);
        const ours = applyPatch(root.before, mutated);
        // Few of each root, and only what is not the patch itself.
        if (!("files" in ours) || mutated === patch || taken >= 6) continue;
        taken++;
        accepted++;
        judge(root.before, mutated, ours.files);
      }
    }
    expect(accepted).toBeGreaterThanOrEqual(counts.mutatedPatches);
  });

  function judge(before: TestFiles, patch: string, ours: TestFiles): void {
    const theirs = gitApply(before, patch);
    if (typeof theirs !== "string" && isSame(theirs, ours)) return;
    expect(intendedDifferences(patch), `${JSON.stringify(plain(before))}\n${patch}\n${theirs}`).not.toEqual([]);
    const again = gitApply(before, asGitWants(patch), ["--unidiff-zero"]);
    const shown = typeof again === "string" ? again : plain(again);
    expect(shown, `${JSON.stringify(plain(before))}\n${patch}`).toEqual(plain(ours));
  }
});

function isSame(left: TestFiles, right: TestFiles): boolean {
  return JSON.stringify(plain(left)) === JSON.stringify(plain(right));
}

/** snapshot.md §9.6, as far as a patch that we accept can show them. */
function intendedDifferences(text: string): string[] {
  const patch = parsePatch(text, 1);
  if (!patch.ok) throw new Error(patch.error.message);
  const { bytes, sections } = patch.value;
  const bodies = sections.flatMap(({ hunks }) =>
    hunks.map(({ bodyFrom, bodyTo }) => {
      const body: string = new TextDecoder().decode(bytes.subarray(bodyFrom, bodyTo - 1));
      return body.split("\n").filter((line) => !line.startsWith("\\"));
    }),
  );
  const isContext = (line: string | undefined) => line === "" || line?.startsWith(" ");
  return [
    ...(text.endsWith("\n") ? [] : ["no final LF"]),
    ...([text, `${text}\n`].includes(asGitWants(text)) ? [] : ["a new start that is not true, or no mode"]),
    ...(bodies.some((lines) => !isContext(lines[0])) ? ["no context before"] : []),
    ...(bodies.some((lines) => !isContext(lines.at(-1))) ? ["no context after"] : []),
  ];
}

/** The same patch with a final LF, true new starts and the modes of new and deleted files. */
function asGitWants(text: string): string {
  const patch = parsePatch(text, 1);
  if (!patch.ok) throw new Error(patch.error.message);
  const lines = text.split("\n");
  for (const section of patch.value.sections) {
    let growth = 0;
    for (const hunk of section.hunks) {
      const start = hunk.lineIndex + growth + (hunk.newCount === 0 ? 0 : 1);
      lines[hunk.line - 1] = (lines[hunk.line - 1] ?? "").replace(/ \+\d+/, ` +${start}`);
      growth += hunk.newCount - hunk.oldCount;
    }
  }
  const joined = lines.join("\n");
  const sections = (joined.endsWith("\n") ? joined : `${joined}\n`).split(/^(?=diff --git )/m);
  return sections.map((section) => withMode(withMode(section, "new", "---"), "deleted", "\\+\\+\\+")).join("");
}

/** In a section of git's, /dev/null alone makes a new or deleted file for us; git takes it for a name. */
function withMode(section: string, what: "new" | "deleted", sign: string): string {
  const hasNull = new RegExp(`^${sign} /dev/null$`, "m").test(section);
  // The line of the next section may have come to stand at the end of this one.
  const [header = ""] = section.split("\n@@ ");
  if (!hasNull || !section.startsWith("diff --git ") || header.includes(`\n${what} file mode `)) return section;
  return section.replace("\n", `\n${what} file mode 100644\n`);
}
