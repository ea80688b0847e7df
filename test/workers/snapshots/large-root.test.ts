/** A root of 10 000 files (1 000 outside of deep runs): the tools work within their limits. What that costs: the benchmarks. */
import { describe, expect, it } from "vitest";
import type { RootPath } from "../../../src/domain/path";
import { counts } from "../../counts";
import { caller } from "../root";
import { SnapshotTestRoot, scopes, value } from "./snapshot-root";

const files = counts.largeRootFiles;

describe(`a root of ${files} files`, () => {
  it("is captured, listed, searched, compared and restored", { timeout: 10 * 60_000 }, async () => {
    const subject = new SnapshotTestRoot();
    for (let n = 0; n < files; n++) {
      await subject.root.create(`/d${n % 100}/f${n}.txt`, `file ${n}\nneedle ${n % 1000 === 7 ? "here" : "there"}\n`);
    }
    const before = value(await subject.capture(["/"]));
    expect(before.files).toBe(files);
    const { receipt, value: page } = value(await subject.list(subject.view(), 64, 10_000));
    expect(page.total).toBe(files + 100);

    const grep = { query: "needle here", regex: false, caseSensitive: true, paths: ["/" as RootPath] };
    const limits = { honoursGitignore: true, maxFiles: 20_000, maxMatches: 10_000 };
    const reply = await subject.root.stub.grepFiles(caller, subject.view(), { ...grep, ...limits });
    if (!reply.admitted || !reply.value.ok) throw new Error("grep failed");
    expect(reply.value.value.value).toMatchObject({ filesSearched: files, truncated: false });
    expect(reply.value.value.value.found).toHaveLength(files / 1000);

    if (receipt.mode !== "worktree") throw new Error("no lease");
    const gone = value(await subject.delete("/d7", receipt.leaseId));
    expect(gone.files).toBe(files / 100);
    const after = value(await subject.capture(["/"]));
    const changes = await subject.root.stub.listChanges(caller, {
      snapshotId: after.snapshotId,
      from: before.snapshotId,
      pairsRenames: true,
      limit: 10,
      offset: 0,
      scopes,
    });
    if (!changes.admitted || !changes.value.ok) throw new Error("changes failed");
    expect(changes.value.value.counts).toEqual({ added: 0, modified: 0, deleted: files / 100, renamed: 0 });

    const restored = value(await subject.restore(before.snapshotId, gone.receipt.leaseId, false));
    expect(restored.restored).toHaveLength(files / 100);
    expect(value(await subject.capture(["/"])).snapshotId).toBe(before.snapshotId);
    await subject.root.expectSound();
  });
});
