// Manifests of several pieces in the database: the same bytes come back, wherever the pieces were cut, and also from rows
// that hold bytes instead of text. What manifests mean is covered elsewhere.
import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { manifestChunkBytes } from "../../../src/domain/limits";
import type { SnapshotId } from "../../../src/domain/manifest";
import { SnapshotDatabase } from "../../../src/storage/snapshot-database";

const fingerprint = { head_oid: "", index_oid: "0".repeat(40), status_hash: "0".repeat(64) };

function rowOf(manifestHash: string) {
  return {
    snapshotId: `sha256:${"1".repeat(64)}` as SnapshotId,
    fingerprint,
    manifestHash,
    files: 0,
    totalBytes: 0,
    derivedFrom: null,
    appliedPatchHash: null,
  } as never;
}

test.each([0, 1, 2, 3])(
  "gives back a manifest whose characters of 4 bytes stand %i bytes off the cuts",
  async (shift) => {
    const database = new SnapshotDatabase(env.MANIFESTS, `pieces-${shift}`);
    const text = "x".repeat(shift) + "\u{1f600}".repeat((2 * manifestChunkBytes) / 4 + 5);
    const manifest = new TextEncoder().encode(text);
    await database.put(rowOf("sha256:many"), manifest, 0);
    expect(new TextDecoder().decode(await database.manifest("sha256:many")) === text).toBe(true);
  },
);

test("gives back a manifest that was stored as bytes", async () => {
  const bytes = new TextEncoder().encode('{"entries":[]}');
  await env.MANIFESTS.prepare("INSERT INTO manifests (user_id, manifest_hash, seq, bytes) VALUES (?, ?, ?, ?)")
    .bind("pieces-bytes", "sha256:former", 0, bytes.buffer)
    .run();
  const database = new SnapshotDatabase(env.MANIFESTS, "pieces-bytes");
  expect(await database.manifest("sha256:former")).toEqual(bytes);
});
