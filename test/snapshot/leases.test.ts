// Leases (seed 002 §2.3, snapshot.md §5): issued by reads, true or stale, what they have touched, races. Their life of 24 hours: test/workers.
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { SnapshotRoot, type SnapshotTool } from "./snapshot-root";

let root: SnapshotRoot;
beforeAll(async () => {
  root = await SnapshotRoot.signIn();
  await root.create({ "a.txt": "alpha\n", "src/b.txt": "beta\n", "src/deep/c.txt": "gamma\n" });
});

const reads: [SnapshotTool, object][] = [
  ["snapshot.list", {}],
  ["snapshot.file", { path: "a.txt" }],
  ["snapshot.grep", { query: "beta" }],
  ["snapshot.diff", { path: "src" }],
  ["snapshot.export", { paths: ["src"] }],
  ["workspace.apply_patch", { patch: "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-nope\n+x\n" }],
];

describe("a lease", () => {
  it.each(reads)("seed 002 §2.3: %s issues one, and gives the same one back while it is true", async (tool, args) => {
    const first = (await root.ok(tool, args)) as { lease_id: string; cache_hint: string };
    expect(first.lease_id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(first.cache_hint).toBe("until_dirty");
    const second = (await root.ok(tool, { ...args, lease_id: first.lease_id })) as { lease_id: string };
    expect(second.lease_id).toBe(first.lease_id);
  });

  it("seed 002 §2.3 §4: is stale after any change, with the live fingerprint, and nothing is done", async () => {
    const user = await SnapshotRoot.signIn();
    await user.create({ "a.txt": "one\n", "b.txt": "two\n" });
    const snapshot_id = await user.snapshot();
    const { lease_id } = await user.ok("snapshot.file", { path: "a.txt" });
    // A change elsewhere, by another family.
    const { hash } = await user.ok("text.read", { path: "b.txt" });
    await user.ok("text.append", { path: "b.txt", hash, content: "more\n" });
    const live = await user.fingerprint();
    for (const [tool, args] of [
      ...reads,
      ["workspace.write_file", { path: "a.txt", content: "x" }],
      ["workspace.delete", { path: "a.txt" }],
      ["workspace.restore", { snapshot_id }],
      ["snapshot.create", {}],
    ] as [SnapshotTool, object][]) {
      const { code, message, details } = await user.refused(tool, { ...args, lease_id });
      expect(code, tool).toBe("STALE_LEASE");
      expect(message).toBe(
        `The files changed since lease ${lease_id} was issued. Nothing was done. Look again at what you rely on without lease_id, then retry with the new lease_id.`,
      );
      expect(details).toEqual({ fingerprint: live, lease_id, reason: "changed" });
    }
    expect((await user.ok("text.read", { path: "a.txt" })).content).toBe("one\n");
  });

  it("snapshot.md §4.2: is true again when the edit is undone", async () => {
    const user = await SnapshotRoot.signIn();
    await user.create({ "a.txt": "one\n" });
    const { lease_id } = await user.ok("snapshot.file", { path: "a.txt" });
    await user.write("a.txt", "two\n");
    expect((await user.refused("snapshot.list", { lease_id })).code).toBe("STALE_LEASE");
    await user.write("a.txt", "one\n");
    expect((await user.ok("snapshot.list", { lease_id })).lease_id).toBe(lease_id);
  });

  it("snapshot.md §5.3: another user's is as unknown as a random one; no UUID is an argument error", async () => {
    const other = await SnapshotRoot.signIn();
    const foreign = await other.lease();
    for (const lease_id of [foreign, randomUUID()]) {
      expect(await root.refused("snapshot.list", { lease_id })).toEqual({
        code: "NOT_FOUND",
        message: `Lease ${lease_id} is unknown. Call a worktree read such as snapshot.list without lease_id to get a new one.`,
        details: { lease_id },
      });
    }
    expect((await root.refused("snapshot.list", { lease_id: "abc" })).code).toBe("INVALID_ARGUMENT");
  });

  it("snapshot.md §5.5: a mutator gives a new one that has seen what the old one had, and what it changed", async () => {
    const user = await SnapshotRoot.signIn();
    await user.create({ "a.txt": "one\n", "b.txt": "two\n", "c.txt": "three\n" });
    const first = await user.ok("snapshot.file", { path: "a.txt" });
    const second = await user.ok("workspace.write_file", { path: "d.txt", content: "four", lease_id: first.lease_id });
    expect(second.lease_id).not.toBe(first.lease_id);
    await user.ok("snapshot.file", { path: "c.txt", lease_id: second.lease_id });
    const { snapshot_id, files } = await user.ok("snapshot.create", { lease_id: second.lease_id });
    const { entries } = await user.ok("snapshot.list", { snapshot_id });
    expect(files).toBe(3);
    expect(entries.map((entry) => entry.path)).toEqual(["a.txt", "c.txt", "d.txt"]);
  });

  it.each([
    ["list", "snapshot.list", { depth: 1 }, ["a.txt"]],
    ["file", "snapshot.file", { path: "src/b.txt" }, ["src/b.txt"]],
    ["grep", "snapshot.grep", { query: "zzz", paths: ["src"] }, ["src/b.txt", "src/deep/c.txt"]],
    ["diff", "snapshot.diff", { path: "src" }, ["src/b.txt", "src/deep/c.txt"]],
    ["export", "snapshot.export", { paths: ["src/deep", "a.txt"] }, ["a.txt", "src/deep/c.txt"]],
  ] as [string, SnapshotTool, object, string[]][])(
    "seed 002 §2.3: %s touches exactly what it saw",
    async (_name, tool, args, expected) => {
      const { lease_id } = (await root.ok(tool, args)) as { lease_id: string };
      const { snapshot_id } = await root.ok("snapshot.create", { lease_id });
      const { entries } = await root.ok("snapshot.list", { snapshot_id, depth: 64 });
      expect(entries.filter((entry) => entry.type === "file").map((entry) => entry.path)).toEqual(expected);
    },
  );

  it("snapshot.md §5.4: dry runs, errors and rejects touch nothing", async () => {
    const lease_id = await root.lease();
    await root.ok("workspace.write_file", { path: "a.txt", content: "x", lease_id, dry_run: true });
    await root.ok("workspace.delete", { path: "a.txt", lease_id, dry_run: true });
    await root.refused("snapshot.file", { path: "nowhere", lease_id });
    await root.ok("workspace.apply_patch", {
      lease_id,
      patch: "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-nope\n+x\n",
    });
    const { files, hint } = await root.ok("snapshot.create", { lease_id });
    expect(files).toBe(0);
    expect(hint).toBe('Nothing was captured: pass paths ("." for everything) or a lease_id that has read something.');
  });

  it("lets exactly one of 32 parallel writers under one lease win, whatever the tool; 31 get STALE_LEASE", async () => {
    const user = await SnapshotRoot.signIn();
    await user.create({ "a.txt": "captured\n" });
    const snapshot_id = await user.snapshot();
    await user.write("a.txt", "start\n");
    const { lease_id } = await user.ok("snapshot.file", { path: "a.txt" });
    const writers: ((index: number) => [tool: SnapshotTool, args: object, after: string | null])[] = [
      (n) => ["workspace.write_file", { path: "a.txt", content: `writer ${n}\n` }, `writer ${n}\n`],
      (n) => ["workspace.apply_patch", { patch: patchOf("a.txt", "start", `patch ${n}`) }, `patch ${n}\n`],
      () => ["workspace.delete", { path: "a.txt" }, null],
      () => ["workspace.restore", { snapshot_id }, "captured\n"],
    ];
    const calls = Array.from({ length: 32 }, (_, n) => (writers[n % 4] as (typeof writers)[0])(n));
    const answers = await Promise.all(calls.map(([tool, args]) => user.result(tool, { ...args, lease_id })));
    const winners = answers.flatMap(({ isError }, index) => (isError ? [] : [index]));
    expect(winners).toHaveLength(1);
    for (const { isError, value } of answers) {
      if (isError) expect((value.error as { code: string }).code).toBe("STALE_LEASE");
    }
    const after = calls[winners[0] ?? -1]?.[2];
    if (after === null) expect((await user.refused("text.read", { path: "a.txt" })).code).toBe("NOT_FOUND");
    else expect((await user.ok("text.read", { path: "a.txt" })).content).toBe(after);
  });
});

function patchOf(path: string, from: string, to: string): string {
  return `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-${from}\n+${to}\n`;
}
