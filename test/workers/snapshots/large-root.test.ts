/**
 * A root of 10 000 files (1 000 outside of deep runs): the tools work within their limits. What that costs: the benchmarks. And one of so many
 * that their names and hashes are more than SQLite takes as one value.
 */
import { describe, expect, it } from "vitest";
import type { RootPath } from "../../../src/domain/path";
import { counts } from "../../counts";
import { caller, okValue } from "../root";
import { SnapshotTestRoot, scopes, value } from "./snapshot-root";

const files = counts.largeRootFiles;

describe(`a root of ${files} files`, () => {
  it("is captured, listed, searched, compared and restored", { timeout: 10 * 60_000 }, async () => {
    const subject = new SnapshotTestRoot();
    const made = await subject.root.attempt(async (inside) => {
      for (let n = 0; n < files; n++) {
        okValue(
          await inside.create(`/d${n % 100}/f${n}.txt`, `file ${n}\nneedle ${n % 1000 === 7 ? "here" : "there"}\n`),
        );
      }
    });
    expect(made).toBeUndefined();
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

describe("a root whose names and hashes do not fit in one value of SQLite", () => {
  const many = 65_000;
  const long = 18_000;

  /** Rows, and not calls: so many files with one content, the last of them with long names. */
  async function filled(): Promise<SnapshotTestRoot> {
    const subject = new SnapshotTestRoot();
    await subject.root.create("/short/0", "needle\n");
    await subject.root.create(`/long/${"x".repeat(249)}-00000`, "needle\n");
    const grow = (directory: string, name: string, count: number) =>
      subject.root.sql(
        `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?2 - 1)
         INSERT INTO nodes (path, parent, name, kind, blob, git_oid, size, lines, mtime_ms)
         SELECT ?1 || '/' || ${name}, ?1, ${name}, kind, blob, git_oid, size, lines, mtime_ms
           FROM numbers, (SELECT * FROM nodes WHERE parent = ?1 LIMIT 1)`,
        directory,
        count,
      );
    await grow("/short", "cast(n AS TEXT)", many - long);
    await grow("/long", `'${"x".repeat(249)}-' || printf('%05d', n)`, long);
    await subject.root.sql("UPDATE usage SET files = ?, bytes = ?", many, many * 7);
    await subject.root.sql("UPDATE nodes SET git_oid = NULL WHERE kind = 'directory'");
    await subject.root.sql("DELETE FROM meta WHERE key = 'status_hash'");
    return subject;
  }

  it("is captured, searched and checked all the same", { timeout: 300_000 }, async () => {
    const subject = await filled();
    const { snapshotId, files: captured } = value(await subject.capture(["/"]));
    expect(captured).toBe(many);
    expect(value(await subject.list(subject.view(null, snapshotId), 64, 10)).value.total).toBe(many + 2);

    const grep = { query: "needle", regex: false, caseSensitive: true, paths: ["/long" as RootPath] };
    const limits = { honoursGitignore: true, maxFiles: 20_000, maxMatches: 10 };
    const request = { ...grep, ...limits, query: "absent" };
    const reply = await subject.root.stub.grepFiles(caller, subject.view(), request);
    if (!reply.admitted || !reply.value.ok) throw new Error("grep failed");
    const { receipt, value: found } = reply.value.value;
    expect(found).toMatchObject({ filesSearched: long, truncated: false });
    if (receipt.mode !== "worktree") throw new Error("no lease");
    const { snapshotId: seen, files: touched } = value(await subject.capture(null, receipt.leaseId));
    expect(touched).toBe(long);
    expect(seen).not.toBe(snapshotId);
    await subject.root.expectSound();
  });
});
