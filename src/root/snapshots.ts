import type { Fingerprint } from "../domain/fingerprint";
import type { Sha256 } from "../domain/hash";
import {
  decodeManifest,
  encodeManifest,
  type ManifestEntry,
  manifestHash,
  type SnapshotId,
  snapshotId,
} from "../domain/manifest";
import { err, ok, type Result } from "../domain/result";
import { type SnapshotError, snapshotDamaged, snapshotUnknown } from "../domain/snapshot-errors";
import type { SnapshotDatabase, SnapshotRow } from "../storage/snapshot-database";
import type { Blobs } from "./store/blobs";
import { SnapshotView } from "./view/snapshot-view";

export interface Snapshot extends SnapshotRow {
  readonly entries: readonly ManifestEntry[];
}

/** Where a snapshot comes from, when it was made by a patch. */
export interface Lineage {
  readonly derivedFrom: SnapshotId;
  readonly appliedPatchHash: string;
}

/** Entries of all manifests that are kept in memory together; one of the largest always fits. */
const cachedEntriesMax = 120_000;

/** The user's snapshots. They never change, so what was read once is kept as long as there is room. */
export class Snapshots {
  private readonly cache = new Map<SnapshotId, Snapshot>();
  private cachedEntries = 0;
  private lastView: { readonly id: SnapshotId; readonly view: SnapshotView } | null = null;

  constructor(
    private readonly database: SnapshotDatabase,
    private readonly blobs: Blobs,
  ) {}

  /** Stores the snapshot of these entries, which must be sorted by path. The blobs have to be pinned already. */
  async put(
    fingerprint: Fingerprint,
    entries: readonly ManifestEntry[],
    totalBytes: number,
    lineage: Lineage | null,
    nowMs: number,
  ): Promise<SnapshotId> {
    const manifest = encodeManifest(entries);
    const id = snapshotId(fingerprint, manifest);
    if (this.cache.has(id)) return id;
    await this.database.put(
      {
        snapshotId: id,
        fingerprint,
        manifestHash: manifestHash(manifest),
        files: entries.length,
        totalBytes,
        derivedFrom: lineage?.derivedFrom ?? null,
        appliedPatchHash: lineage?.appliedPatchHash ?? null,
      },
      manifest,
      nowMs,
    );
    return id;
  }

  /** The facts and entries; damage is an error, never a part of the data (snapshot.md §6.4). */
  async load(id: SnapshotId): Promise<Result<Snapshot, SnapshotError>> {
    const cached = this.cache.get(id);
    if (cached !== undefined) return ok(this.remember(cached));
    const row = await this.database.find(id);
    if (row === null) return err(snapshotUnknown(id));
    const manifest = await this.database.manifest(row.manifestHash);
    const entries = manifestHash(manifest) === row.manifestHash ? decodeManifest(manifest) : null;
    if (entries === null || snapshotId(row.fingerprint, manifest) !== id) {
      console.error(JSON.stringify({ level: "error", what: "damaged snapshot", id }));
      return err(snapshotDamaged(id));
    }
    return ok(this.remember({ ...row, entries }));
  }

  /** What the snapshot captured. The view keeps what it looked up, so the one asked for last is kept. */
  viewOf({ snapshotId: id, entries }: Snapshot): SnapshotView {
    if (this.lastView?.id !== id) this.lastView = { id, view: new SnapshotView(entries, this.blobs) };
    return this.lastView.view;
  }

  ids(): Promise<SnapshotId[]> {
    return this.database.ids();
  }

  /** In the step that takes the entries: from now on they are named. */
  pin(hashes: readonly Sha256[]): void {
    this.blobs.pin(hashes);
  }

  private remember(snapshot: Snapshot): Snapshot {
    const id = snapshot.snapshotId;
    if (!this.cache.delete(id)) this.cachedEntries += snapshot.entries.length;
    this.cache.set(id, snapshot);
    for (const [oldest, { entries }] of this.cache) {
      if (this.cachedEntries <= cachedEntriesMax || oldest === id) break;
      this.cache.delete(oldest);
      this.cachedEntries -= entries.length;
    }
    return snapshot;
  }
}
