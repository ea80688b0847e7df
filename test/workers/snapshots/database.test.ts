/** The snapshots of one user in D1: a manifest of several pieces whose writing fails at any call is there whole or not at all. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { manifestChunkBytes } from "../../../src/domain/limits";
import { manifestHash, type SnapshotId } from "../../../src/domain/manifest";
import { SnapshotDatabase } from "../../../src/storage/snapshot-database";
import { everyFault } from "../faults/failing";
import { interfering, type StorageCall, watchedDatabase } from "../interference";

const manifest = new Uint8Array(manifestChunkBytes + 1).map((_, at) => 32 + (at % 90));
const row = {
  snapshotId: `sha256:${"1".repeat(64)}` as SnapshotId,
  fingerprint: { head_oid: "", index_oid: "a", status_hash: "b" } as never,
  manifestHash: manifestHash(manifest),
  files: 3,
  totalBytes: 4,
  derivedFrom: null,
  appliedPatchHash: null,
};

function freshDatabase() {
  const owner = crypto.randomUUID();
  return { owner, database: new SnapshotDatabase(watchedDatabase(env.MANIFESTS, owner), owner) };
}

describe("a manifest of two pieces", () => {
  it("seed 002 §2.4: is found whole or not at all, whichever call of its writing fails, and a second try completes it", async () => {
    const names: string[] = [];
    const whole = freshDatabase();
    const note = ({ name, moment }: StorageCall) => void (moment === "before" && names.push(name));
    await interfering(whole.owner, note, () => whole.database.put(row, manifest, 1));
    expect(names).toHaveLength(3);

    for (const fault of everyFault(names)) {
      const told = `${fault.moment} call ${fault.index}, ${fault.name}`;
      const { owner, database } = freshDatabase();
      const put = () => database.put(row, manifest, 1);
      const fail = ({ index, moment }: StorageCall) => {
        if (index === fault.index && moment === fault.moment) throw new Error("injected");
      };
      await expect(interfering(owner, fail, put), told).rejects.toThrow("injected");
      const found = await database.find(row.snapshotId);
      expect(found, told).toEqual(fault.index === names.length - 1 && fault.moment === "after" ? row : null);

      await put();
      expect(await database.find(row.snapshotId), told).toEqual(row);
      expect(await database.ids()).toEqual([row.snapshotId]);
      expect(manifestHash(await database.manifest(row.manifestHash)), told).toBe(row.manifestHash);
    }
  });
});
