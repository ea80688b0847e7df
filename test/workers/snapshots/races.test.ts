/**
 * What other calls do while a mutator or a read of the snapshot family waits for R2 (snapshot.md §5.7, §12): brought about by holding up that one
 * call. Many writers at once, by chance: test/snapshot/leases.test.ts.
 */
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { blobSettleMs } from "../../../src/domain/limits";
import { clock, dayMs } from "../clock";
import { interfering, type StorageCall } from "../interference";
import { freshFaultyRoot, okValue, type TestRoot } from "../root";
import { SnapshotTestRoot, value } from "./snapshot-root";

const large = "a line of a large file\n".repeat(46_000);
const patch = `--- a/file\n+++ b/file\n@@ -1 +1,46000 @@\n-one\n${large.replaceAll(/^(?=.)/gm, "+")}`;

beforeEach(() => {
  clock.reset();
});
afterAll(() => {
  vi.useRealTimers();
});

/** Does the work; after each of the first calls to R2, as many as there are steps, the next step is taken. */
async function during<T>(
  root: TestRoot,
  name: "R2 put" | "R2 get",
  work: (subject: SnapshotTestRoot) => Promise<T>,
  steps: readonly ((inside: TestRoot) => Promise<void>)[],
): Promise<T> {
  let taken = 0;
  const outcome = await root.attempt((inside) => {
    const hold = async (call: StorageCall) => {
      if (call.name !== name || call.moment !== "after") return;
      await steps[taken++]?.(inside);
    };
    return interfering(root.id, hold, () => work(new SnapshotTestRoot(inside)));
  });
  if (outcome instanceof Error) throw outcome;
  expect(taken).toBeGreaterThanOrEqual(steps.length);
  return outcome;
}

const another = (n: number) => async (inside: TestRoot) => void okValue(await inside.create(`/other${n}`, `${n}\n`));

describe("while the result of a patch is on its way to R2", () => {
  it("another file comes: without a lease the patch is judged again and applies to what is there now", async () => {
    const root = freshFaultyRoot();
    okValue(await root.create("/file", "one\n"));
    const done = value(await during(root, "R2 put", (subject) => subject.patch(patch), [another(1)]));
    expect(done.value).toEqual({ applied: ["/file"], rejects: [] });
    expect(done.receipt).toMatchObject({ fingerprint: await root.fingerprint() });
    expect(okValue(await root.read("/file")).totalLines).toBe(46_000);
    await root.expectSound();
  });

  it("the file itself changes: the second judgement rejects the patch, and nothing is changed", async () => {
    const root = freshFaultyRoot();
    const hash = okValue(await root.create("/file", "one\n"));
    const change = async (inside: TestRoot) => void okValue(await inside.rewrite("/file", hash, "two\n"));
    const done = value(await during(root, "R2 put", (subject) => subject.patch(patch), [change]));
    expect(done.value).toMatchObject({
      applied: [],
      rejects: [{ path: "/file", hunks: [{ reason: "context_mismatch" }] }],
    });
    expect(okValue(await root.read("/file")).content).toBe("two\n");
    await root.expectSound();
  });

  it("other files come three times: REPO_CHANGED with the live fingerprint, and nothing is changed", async () => {
    const root = freshFaultyRoot();
    okValue(await root.create("/file", "one\n"));
    const answer = await during(root, "R2 put", (subject) => subject.patch(patch), [
      another(1),
      another(2),
      another(3),
    ]);
    expect(answer).toEqual({
      ok: false,
      error: {
        code: "REPO_CHANGED",
        message: "The files changed while this call ran. Nothing was changed. Retry.",
        details: { fingerprint: await root.fingerprint() },
      },
    });
    expect(okValue(await root.read("/file")).content).toBe("one\n");
    await root.expectSound();
    expect(value(await new SnapshotTestRoot(root).patch(patch)).value.applied).toEqual(["/file"]);
  });

  it("another file comes: with a lease, of a patch and of a write, STALE_LEASE, and nothing is changed", async () => {
    for (const kind of ["patch", "write"] as const) {
      const root = freshFaultyRoot();
      okValue(await root.create("/file", "one\n"));
      const lease = await new SnapshotTestRoot(root).lease();
      const work = (subject: SnapshotTestRoot) =>
        kind === "patch" ? subject.patch(patch, subject.view(lease)) : subject.write("/file", large, lease);
      const answer = await during<{ ok: boolean }>(root, "R2 put", work, [another(1)]);
      expect(answer).toMatchObject({
        ok: false,
        error: { code: "STALE_LEASE", details: { reason: "changed", fingerprint: await root.fingerprint() } },
      });
      expect(okValue(await root.read("/file")).content).toBe("one\n");
      await root.expectSound();
    }
  });
});

describe("while a patch that copies a file waits for R2", () => {
  it("the source changes and changes back: the copy is of the state that the patch was judged on", async () => {
    const root = freshFaultyRoot();
    const first = okValue(await root.create("/source", "one\n"));
    okValue(await root.create("/large", large));
    const line = "a line of a large file";
    const edit = `--- a/large\n+++ b/large\n@@ -1,2 +1,2 @@\n-${line}\n+other\n ${line}\n`;
    const copy = "diff --git a/source b/target\ncopy from source\ncopy to target\n";
    let changed = "";
    let changedBack = false;
    const hold = (inside: TestRoot) => async (call: StorageCall) => {
      if (call.moment !== "after") return;
      if (call.name === "R2 get") changed = okValue(await inside.rewrite("/source", first, "two\n")).hash;
      if (call.name === "R2 put") changedBack = (await inside.rewrite("/source", changed, "one\n")).ok;
    };
    const answer = await root.attempt((inside) =>
      interfering(root.id, hold(inside), () => new SnapshotTestRoot(inside).patch(edit + copy)),
    );
    if (answer instanceof Error) throw answer;
    expect(changedBack).toBe(true);
    expect(value(answer).value).toEqual({ applied: ["/large", "/target"], rejects: [] });
    expect(okValue(await root.read("/target")).content).toBe("one\n");
    await root.expectSound();
  });
});

describe("while a read waits for R2", () => {
  it("snapshot.md §12.2: the answer is of the state of its fingerprint, and its lease is stale at once", async () => {
    const root = freshFaultyRoot();
    const hash = okValue(await root.create("/file", "one\n"));
    clock.advance(blobSettleMs);
    await root.ring();
    clock.advance(8 * dayMs);
    await root.ring();
    const before = await root.fingerprint();
    const gone = async (inside: TestRoot) => void okValue(await inside.remove("/file", hash));
    const { receipt, value: read } = value(await during(root, "R2 get", (subject) => subject.read("/file"), [gone]));
    expect(new TextDecoder().decode(read.bytes)).toBe("one\n");
    if (receipt.mode !== "worktree") throw new Error("no lease");
    expect(receipt.fingerprint).toEqual(before);
    const subject = new SnapshotTestRoot(root);
    expect(await subject.list(subject.view(receipt.leaseId))).toMatchObject({
      ok: false,
      error: { code: "STALE_LEASE" },
    });
    await root.expectSound();
  });
});
