/** A snapshot that lost a content or its manifest: every tool that reads it says so and gives no part of it (snapshot.md §6.4, §12.4). */
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { sha256Hex } from "../../../src/domain/hash";
import { blobSettleMs } from "../../../src/domain/limits";
import type { SnapshotId } from "../../../src/domain/manifest";
import type { RootPath } from "../../../src/domain/path";
import type { Outcome, Reply } from "../../../src/root/contract";
import { clock, dayMs } from "../clock";
import { caller } from "../root";
import { SnapshotTestRoot, scopes, value } from "./snapshot-root";

beforeAll(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterAll(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const lost = "lost\n";
const everything = "/" as RootPath;

/** A snapshot of two files, of which the live tree has changed one. */
async function captured(): Promise<{ root: SnapshotTestRoot; id: SnapshotId }> {
  clock.reset();
  const root = new SnapshotTestRoot();
  await root.root.create("/a", "kept\n");
  await root.root.create("/b", lost);
  const { snapshotId: id } = value(await root.capture(["/"]));
  value(await root.write("/b", "since\n", await root.lease()));
  return { root, id };
}

type Call = (root: SnapshotTestRoot, id: SnapshotId) => Promise<Outcome<unknown>>;

const told = async (call: PromiseLike<Reply<Outcome<unknown>>>): Promise<Outcome<unknown>> => {
  const reply = await call;
  if (!reply.admitted) throw new Error(reply.refusal);
  return reply.value;
};

/** Those that need no content, those that need to know of it, and those that need its bytes. */
const info: [string, Call] = ["snapshot.info", ({ root }, id) => told(root.stub.snapshotInfo(caller, id))];
const knowing: [string, Call][] = [
  ["snapshot.list", (root, id) => root.list(root.view(null, id))],
  [
    "snapshot.changes",
    ({ root }, snapshotId) => {
      const request = { snapshotId, from: null, pairsRenames: false, limit: 10, offset: 0, scopes };
      return told(root.stub.listChanges(caller, request));
    },
  ],
  ["workspace.restore", async (root, id) => root.restore(id, await root.lease(), false)],
];
const reading: [string, Call][] = [
  ["snapshot.file", (root, id) => root.read("/b", root.view(null, id))],
  [
    "snapshot.grep",
    (root, id) => {
      const limits = { honoursGitignore: true, maxFiles: 10, maxMatches: 10 };
      const grep = { query: "e", regex: false, caseSensitive: true, paths: [everything], ...limits };
      return told(root.root.stub.grepFiles(caller, root.view(null, id), grep));
    },
  ],
  [
    "snapshot.diff of the snapshot",
    (root, id) => told(root.root.stub.diffStates(caller, root.view(null, id), everything, null)),
  ],
  [
    "snapshot.diff of live files with it",
    (root, id) => told(root.root.stub.diffStates(caller, root.view(), everything, id)),
  ],
  ["snapshot.export", (root, id) => told(root.root.stub.exportFiles(caller, root.view(null, id), [everything], "tar"))],
  [
    "workspace.apply_patch",
    (root, id) => root.patch("--- a/b\n+++ b/b\n@@ -1 +1 @@\n-lost\n+x\n", root.view(null, id)),
  ],
];

async function expectDamaged(calls: readonly [string, Call][], root: SnapshotTestRoot, id: SnapshotId): Promise<void> {
  const before = await root.root.fingerprint();
  for (const [name, call] of calls) {
    const error = { code: "INTERNAL", message: `Snapshot ${id} is damaged`, details: { snapshot_id: id } };
    expect(await call(root, id), name).toEqual({ ok: false, error });
  }
  expect(await root.root.fingerprint()).toEqual(before);
}

describe("a damaged snapshot", () => {
  it("is told of by every tool that needs a content which has no row", async () => {
    const { root, id } = await captured();
    await root.root.sql("DELETE FROM blobs WHERE hash = ?", sha256Hex(lost));
    await expectDamaged([...knowing, ...reading], root, id);
    expect((await info[1](root, id)).ok).toBe(true);
    expect((await root.read("/a", root.view(null, id))).ok).toBe(true);
  });

  it.each([
    ["is gone", (key: string) => env.BLOBS.delete(key)],
    ["is another", (key: string) => env.BLOBS.put(key, "else\n").then(() => {})],
  ])("is told of by every tool that needs the bytes of a content whose object %s", async (_, harm) => {
    const { root, id } = await captured();
    clock.advance(blobSettleMs);
    await root.root.ring();
    clock.advance(8 * dayMs);
    await root.root.ring();
    const [row] = await root.root.sql<{ r2_key: string }>(
      "SELECT r2_key FROM blobs WHERE hash = ? AND is_inline = 0",
      sha256Hex(lost),
    );
    await harm(row?.r2_key ?? "");
    await expectDamaged(reading, root, id);
  });

  it.each([
    ["missing", "DELETE FROM manifests WHERE user_id = ?"],
    ["of other bytes", "UPDATE manifests SET bytes = CAST('{\"entries\":[]}' AS BLOB) WHERE user_id = ?"],
    [
      "that of another",
      'UPDATE snapshots SET fingerprint = \'{"head_oid":"","index_oid":"","status_hash":""}\' WHERE user_id = ?',
    ],
  ])("is told of by every tool when its manifest is %s, also after it was read", async (_, harm) => {
    const { root, id } = await captured();
    expect((await info[1](root, id)).ok).toBe(true);
    await env.MANIFESTS.prepare(harm).bind(root.root.id).run();
    await root.root.evict();
    await expectDamaged([info, ...knowing, ...reading], root, id);
    expect((await root.root.check()).problems).toContainEqual({
      rule: "snapshots can be read",
      what: `Snapshot ${id} is damaged`,
    });
  });
});
