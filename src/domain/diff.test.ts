/** The diff format of snapshot.md §8: examples, the byte limit, and the real git as judge over generated pairs. Not here: the choice of lines, see diff-lines.test.ts. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { counts, seed } from "../../test/counts";
import { GitRepository } from "../../test/harness/git";
import { countShortestEdits, terminatedLines } from "../../test/harness/shortest-edits";
import { type DiffSide, diffFile, type FileDiff } from "./diff";
import { gitBlobId } from "./git-objects";
import type { RootPath } from "./path";
import { decodeText } from "./text-kind";

interface Pair {
  readonly name: string;
  readonly before: Uint8Array | null;
  readonly after: Uint8Array | null;
}

const unlimited = Number.POSITIVE_INFINITY;

function side(bytes: Uint8Array | null): DiffSide | null {
  if (bytes === null) return null;
  const text = decodeText(bytes);
  return { oid: gitBlobId(bytes), text: text.ok ? text.value : null };
}

function diffPair({ name, before, after }: Pair, maxBytes = unlimited): FileDiff | null {
  return diffFile(`/${name}` as RootPath, side(before), side(after), maxBytes);
}

function bytesOrNone(text: string | null): Uint8Array | null {
  return text === null ? null : Buffer.from(text);
}

/** The section without its `index` line, whose ids are judged by git below. */
function sectionOf(before: string | null, after: string | null, name = "f"): string {
  const diff = diffPair({ name, before: bytesOrNone(before), after: bytesOrNone(after) });
  return diff?.text.replace(/^index .*\n/m, "") ?? "";
}

/** Lines that look like parts of a diff, and characters that some programs take for line ends or leave out. */
const line = fc.constantFrom(
  ..."abcdefgh",
  ...[
    "",
    "a\r",
    "\r",
    " ",
    "\tx",
    "\u2028",
    "\u0085",
    "\ufeffa",
    "é",
    "😀",
    "- a",
    "+",
    "@@ -1 +1 @@",
    "--- a/f",
    "\\ No",
  ],
);
const text = fc
  .tuple(fc.array(line, { maxLength: 30 }), fc.boolean())
  .map(([lines, terminated]) => lines.join("\n") + (terminated && lines.length > 0 ? "\n" : ""));
/** A text and what some edits make of it. */
const edited = fc
  .tuple(text, fc.array(fc.tuple(fc.nat(30), fc.nat(2), fc.array(line, { maxLength: 2 })), { maxLength: 4 }))
  .map(([before, edits]) => {
    const lines = before.split("\n");
    for (const [at, removed, added] of edits) lines.splice(at % (lines.length + 1), removed, ...added);
    return [Buffer.from(before), Buffer.from(lines.join("\n"))] as const;
  });
const content = fc.oneof(
  { weight: 8, arbitrary: text.map((value) => Buffer.from(value)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.concat([bytes, Uint8Array.of(0)])) },
  { weight: 2, arbitrary: fc.constantFrom(null, Buffer.alloc(0)) },
);
const pair: fc.Arbitrary<Pair> = fc
  .tuple(
    fc.constantFrom("f", "two words", 'quo"te', 'both "of" them', "é～😀", "e\u0301", "d/f", "d d/f", "~", "a\u2028b"),
    fc.oneof(fc.tuple(content, content), edited),
  )
  .map(([name, [before, after]]) => ({ name, before, after }));

describe("a section", () => {
  it("MCP-034: shows a line added without a newline as the walkthrough of HASH_MISMATCH does", () => {
    expect(sectionOf("# Log\n", "# Log\n- fog", "log.md")).toBe(
      "diff --git a/log.md b/log.md\n--- a/log.md\n+++ b/log.md\n@@ -1 +1,2 @@\n # Log\n+- fog\n\\ No newline at end of file\n",
    );
  });

  it("names the absent side /dev/null, and starts at line 0 there", () => {
    expect(sectionOf(null, "a\nb\n")).toBe(
      "diff --git a/f b/f\nnew file mode 100644\n--- /dev/null\n+++ b/f\n@@ -0,0 +1,2 @@\n+a\n+b\n",
    );
    expect(sectionOf("a", null)).toBe(
      "diff --git a/f b/f\ndeleted file mode 100644\n--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n\\ No newline at end of file\n",
    );
  });

  it("stops after the index line for an empty file created or deleted", () => {
    expect(sectionOf(null, "")).toBe("diff --git a/f b/f\nnew file mode 100644\n");
    expect(sectionOf("", null)).toBe("diff --git a/f b/f\ndeleted file mode 100644\n");
  });

  it("is empty for equal sides", () => {
    expect(diffPair({ name: "f", before: Buffer.from("a"), after: Buffer.from("a") })).toEqual({
      text: "",
      added: 0,
      removed: 0,
    });
    expect(diffPair({ name: "f", before: null, after: null })?.text).toBe("");
  });

  it("shares a hunk over six common lines, and not over seven", () => {
    const between = (count: number) => `x\n${"c\n".repeat(count)}x\n`;
    const hunks = (count: number) => sectionOf(between(count), between(count).replaceAll("x", "y")).match(/^@@.*@@$/gm);
    expect(hunks(6)).toEqual(["@@ -1,8 +1,8 @@"]);
    expect(hunks(7)).toEqual(["@@ -1,4 +1,4 @@", "@@ -6,4 +6,4 @@"]);
  });

  it("counts lines added and removed, none for binary files", () => {
    const counted = (before: string | null, after: string | null) => {
      const diff = diffPair({ name: "f", before: bytesOrNone(before), after: bytesOrNone(after) });
      return [diff?.added, diff?.removed];
    };
    expect(counted("a\nb\n", "a\nx\ny\n")).toEqual([2, 1]);
    expect(counted("a\nb\n", null)).toEqual([0, 2]);
    expect(counted("a\0\n", "b\n")).toEqual([0, 0]);
  });

  it("is null exactly if it takes more bytes than allowed", () => {
    fc.assert(
      fc.property(pair, (pair) => {
        const whole = diffPair(pair);
        const bytes = Buffer.byteLength(whole?.text ?? "");
        expect(diffPair(pair, bytes)).toEqual(whole);
        if (bytes > 0) expect(diffPair(pair, bytes - 1)).toBeNull();
      }),
      { seed, numRuns: counts.diffPairs },
    );
  });
});

describe("the real git", () => {
  const batchPairs = 500;
  let git: GitRepository;
  beforeAll(() => {
    git = new GitRepository();
  });
  afterAll(() => git.remove());

  /** A batch of pairs is one change of one tree, so that git starts only a few times. */
  function judge(batch: readonly Pair[]): { equal: number; unequal: number } {
    const pairs = batch.map((pair, index) => ({ ...pair, name: `${String(index).padStart(6, "0")} ${pair.name}` }));
    const trees = (["before", "after"] as const).map((which) =>
      git.stage(new Map(pairs.flatMap((pair) => (pair[which] === null ? [] : [[pair.name, pair[which]]])))),
    );
    const sections = git
      .run(["diff", "--full-index", "--no-renames", "--minimal", ...trees])
      .split(/^(?=diff --git )/m)
      .filter((section) => section !== "");
    const ours = pairs.map((pair) => ({ pair, text: diffPair(pair)?.text ?? "" })).filter(({ text }) => text !== "");
    expect(ours).toHaveLength(sections.length);
    let equal = 0;
    for (const [index, { pair, text }] of ours.entries()) {
      const section = sections[index] ?? "";
      if (text === section) equal++;
      else expectSameEdit(pair, text, section);
    }
    git.run(["read-tree", trees[0] ?? ""]);
    git.run(["apply", "--cached", "--whitespace=nowarn", "-"], ours.map(({ text }) => text).join(""));
    expect(git.run(["write-tree"]).trim()).toBe(trees[1]);
    return { equal, unequal: ours.length - equal };
  }

  /** Other bytes than git's are right only where there are several shortest edits, or where git's is longer. */
  function expectSameEdit({ before, after }: Pair, text: string, section: string): void {
    const beforeLines = terminatedLines(Buffer.from(before ?? []).toString());
    const afterLines = terminatedLines(Buffer.from(after ?? []).toString());
    const head = (diff: string) => diff.slice(0, diff.search(/^@@/m));
    const changed = (diff: string) => diff.split(/\n[+-]/).length;
    if (countShortestEdits(beforeLines, afterLines) === 1 && changed(text) === changed(section)) {
      expect(text).toBe(section);
    }
    expect(head(text)).toBe(head(section));
    // git gives up looking for the shortest edit now and then.
    expect(changed(text)).toBeLessThanOrEqual(changed(section));
  }

  it("prints the same bytes, or another shortest edit, and applies what we print", () => {
    const pairs = fc.sample(pair, { seed, numRuns: counts.diffPairs });
    let [equal, unequal] = [0, 0];
    for (let from = 0; from < pairs.length; from += batchPairs) {
      const result = judge(pairs.slice(from, from + batchPairs));
      equal += result.equal;
      unequal += result.unequal;
    }
    console.info(`as git prints it: ${equal}, another shortest edit: ${unequal}`);
    expect(equal).toBeGreaterThan(unequal);
  }, 1_200_000);

  it.each([
    ["a\na\n", "a\na\na\n"],
    ["a\nb\na\nb\n", "a\nb\na\nb\na\nb\n"],
    ["{\n1\n}\n{\n2\n}\n", "{\n1\n}\n{\n3\n}\n{\n2\n}\n"],
    ["x\nk\nc\nc\n", "y\nk\nc\nc\nc\n"],
    ["k\nb\nb\n", "k\ny\nb\n"],
    ["k\nb\nb\nb\nz\n", "k\nb\ny\nb\nz\n"],
    ["a\nb\nb\nc\n", "a\nb\nx\nc\n"],
    ["\n\n\n", "\n"],
    ["a\n\n", "a\n\n\n"],
    ["a\n", "a"],
    ["a", "a\n"],
    ["a\nb", "a"],
    ["\ufeffa\r\nb\r\n", "a\r\nb\n"],
    ["a\u2028b\u0085c\n", "a\u2028b\u0085d\n"],
  ])("prints the same for %j and %j, wherever a change could stand", (before, after) => {
    expect(judge([{ name: "f", before: Buffer.from(before), after: Buffer.from(after) }])).toEqual({
      equal: 1,
      unequal: 0,
    });
  });
});
