import type { Fingerprint } from "../domain/fingerprint";
import { manifestChunkBytes } from "../domain/limits";
import type { SnapshotId } from "../domain/manifest";

/** A snapshot as it is kept; written once and never changed. */
export interface SnapshotRow {
  readonly snapshotId: SnapshotId;
  readonly fingerprint: Fingerprint;
  readonly manifestHash: string;
  readonly files: number;
  readonly totalBytes: number;
  readonly derivedFrom: SnapshotId | null;
  readonly appliedPatchHash: string | null;
}

interface StoredRow {
  fingerprint: string;
  manifest_hash: string;
  files: number;
  total_bytes: number;
  derived_from: string | null;
  applied_patch_hash: string | null;
}

/** The snapshots of one user in D1. Every key begins with the user. */
export class SnapshotDatabase {
  constructor(
    private readonly database: D1Database,
    private readonly owner: string,
  ) {}

  /** The manifest's pieces, and the snapshot's row last: who finds the row finds the manifest. What is there already stays as it is. */
  async put(row: SnapshotRow, manifest: Uint8Array, nowMs: number): Promise<void> {
    const statements = [...this.chunkStatements(row.manifestHash, manifest), this.rowStatement(row, nowMs)];
    // One statement a time keeps a request small; a single piece goes together with the row.
    if (statements.length <= 2) {
      await this.database.batch(statements);
      return;
    }
    for (const statement of statements) await statement.run();
  }

  async find(snapshotId: SnapshotId): Promise<SnapshotRow | null> {
    const row = await this.database
      .prepare(
        `SELECT fingerprint, manifest_hash, files, total_bytes, derived_from, applied_patch_hash
           FROM snapshots WHERE user_id = ? AND snapshot_id = ?`,
      )
      .bind(this.owner, snapshotId)
      .first<StoredRow>();
    if (row === null) return null;
    return {
      snapshotId,
      fingerprint: JSON.parse(row.fingerprint) as Fingerprint,
      manifestHash: row.manifest_hash,
      files: row.files,
      totalBytes: row.total_bytes,
      derivedFrom: row.derived_from as SnapshotId | null,
      appliedPatchHash: row.applied_patch_hash,
    };
  }

  /** All of them, the oldest first. */
  async ids(): Promise<SnapshotId[]> {
    const { results } = await this.database
      .prepare("SELECT snapshot_id FROM snapshots WHERE user_id = ? ORDER BY created_at_ms, snapshot_id")
      .bind(this.owner)
      .all<{ snapshot_id: string }>();
    return results.map((row) => row.snapshot_id as SnapshotId);
  }

  /** The manifest's bytes as they were put; the caller holds them against the hash. */
  async manifest(manifestHash: string): Promise<Uint8Array> {
    const { results } = await this.database
      .prepare("SELECT bytes FROM manifests WHERE user_id = ? AND manifest_hash = ? ORDER BY seq")
      .bind(this.owner, manifestHash)
      .all<{ bytes: string | ArrayBuffer | number[] }>();
    const encoder = new TextEncoder();
    const pieces = results.map(({ bytes }) =>
      typeof bytes === "string" ? encoder.encode(bytes) : new Uint8Array(bytes),
    );
    const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
    let at = 0;
    for (const piece of pieces) {
      whole.set(piece, at);
      at += piece.length;
    }
    return whole;
  }

  private chunkStatements(manifestHash: string, manifest: Uint8Array): D1PreparedStatement[] {
    const statements: D1PreparedStatement[] = [];
    // As text: the database's own protocol would send a list of numbers for bytes, and takes ten times as long for it.
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    for (let at = 0, seq = 0; at < manifest.length; seq++) {
      const end = characterStart(manifest, at + manifestChunkBytes);
      statements.push(
        this.database
          .prepare("INSERT OR IGNORE INTO manifests (user_id, manifest_hash, seq, bytes) VALUES (?, ?, ?, ?)")
          .bind(this.owner, manifestHash, seq, decoder.decode(manifest.subarray(at, end))),
      );
      at = end;
    }
    return statements;
  }

  private rowStatement(row: SnapshotRow, nowMs: number): D1PreparedStatement {
    return this.database
      .prepare(
        `INSERT OR IGNORE INTO snapshots (user_id, snapshot_id, fingerprint, manifest_hash, files, total_bytes,
           derived_from, applied_patch_hash, created_at_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .bind(
        this.owner,
        row.snapshotId,
        JSON.stringify(row.fingerprint),
        row.manifestHash,
        row.files,
        row.totalBytes,
        row.derivedFrom,
        row.appliedPatchHash,
        nowMs,
      );
  }
}

/** The last offset up to `offset` at which a character of UTF-8 begins, or the end. */
function characterStart(bytes: Uint8Array, offset: number): number {
  if (offset >= bytes.length) return bytes.length;
  let at = offset;
  while (((bytes[at] ?? 0) & 0xc0) === 0x80) at--;
  return at;
}
