// Another user's snapshot, lease and content: every tool of the family answers about them as about ids that nobody has.
import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { SnapshotRoot, type SnapshotTool } from "./snapshot-root";

const unknownSnapshot = `sha256:${"0".repeat(64)}`;
const patch = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-secret\n+x\n";

const bySnapshot: [SnapshotTool, object][] = [
  ["snapshot.list", { depth: 64 }],
  ["snapshot.file", { path: "a.txt" }],
  ["snapshot.grep", { query: "secret" }],
  ["snapshot.diff", {}],
  ["snapshot.changes", {}],
  ["snapshot.info", {}],
  ["snapshot.export", {}],
  ["workspace.apply_patch", { patch }],
];
const byLease: [SnapshotTool, object][] = [
  ["snapshot.create", {}],
  ["snapshot.list", {}],
  ["snapshot.file", { path: "a.txt" }],
  ["snapshot.grep", { query: "secret" }],
  ["snapshot.diff", {}],
  ["snapshot.export", {}],
  ["workspace.apply_patch", { patch }],
  ["workspace.write_file", { path: "a.txt", content: "x" }],
  ["workspace.delete", { path: "a.txt" }],
];

it("seed 002 §4: another user's snapshot and lease are answered as random ones, by every tool", async () => {
  const [owner, other] = [await SnapshotRoot.signIn(), await SnapshotRoot.signIn()];
  await owner.create({ "a.txt": "secret\n" });
  const theirs = await owner.snapshot();
  const theirLease = (await owner.ok("snapshot.file", { path: "a.txt" })).lease_id;
  await other.create({ "b.txt": "mine\n" });
  const ownLease = await other.lease();
  const ownSnapshot = await other.snapshot();
  const alike = async (tool: SnapshotTool, argument: string, ids: [foreign: string, random: string], rest: object) => {
    const [foreign, random] = [
      await other.result(tool, { ...rest, [argument]: ids[0] }),
      await other.result(tool, { ...rest, [argument]: ids[1] }),
    ];
    expect(foreign, tool).toMatchObject({ isError: true, value: { error: { code: "NOT_FOUND" } } });
    expect(foreign.text.replaceAll(ids[0], ids[1]), tool).toBe(random.text);
  };
  const snapshots: [string, string] = [theirs, unknownSnapshot];
  for (const [tool, args] of bySnapshot) await alike(tool, "snapshot_id", snapshots, args);
  await alike("snapshot.diff", "from_snapshot_id", snapshots, {});
  await alike("snapshot.changes", "from_snapshot_id", snapshots, { snapshot_id: ownSnapshot });
  await alike("workspace.restore", "snapshot_id", snapshots, { lease_id: ownLease });
  const leases: [string, string] = [theirLease, randomUUID()];
  for (const [tool, args] of byLease) await alike(tool, "lease_id", leases, args);
  await alike("workspace.restore", "lease_id", leases, { snapshot_id: ownSnapshot });
  expect((await owner.ok("text.read", { path: "a.txt" })).content).toBe("secret\n");
});
