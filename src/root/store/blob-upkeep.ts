import type { Sha256 } from "../../domain/hash";
import { blobColdMs, blobGraceMs, blobSettleMs } from "../../domain/limits";
import type { BlobBucket } from "../../storage/blob-bucket";
import { type Blobs, isNamed } from "./blobs";

/** One round takes at most this much, so that requests come in between. */
const roundBlobs = 200;
const roundBytes = 16 * 1024 * 1024;

/**
 * What happens to blobs behind the back of requests: copies to R2, cold bytes out of SQLite, the end of what nothing names.
 * Every step may be cut off anywhere and done again.
 */
export class BlobUpkeep {
  constructor(
    private readonly storage: DurableObjectStorage,
    private readonly blobs: Blobs,
    private readonly bucket: BlobBucket,
  ) {}

  async run(nowMs: number): Promise<void> {
    await this.copyToBucket(nowMs);
    this.coolDown(nowMs);
    this.collect(nowMs);
    await this.deleteStrays(nowMs);
  }

  /** When there will be something to do; null: nothing is to be done ever, as things stand. */
  nextDueMs(): number | null {
    const { sql } = this.storage;
    const due = sql
      .exec<{ ms: number | null }>(
        `SELECT min(ms) AS ms FROM (
           SELECT min(written_at_ms) + ?1 AS ms FROM blobs WHERE r2_key IS NULL AND condemned_at_ms IS NULL
           UNION ALL SELECT min(used_at_ms) + ?2 FROM blobs WHERE r2_key IS NOT NULL AND bytes IS NOT NULL
           UNION ALL SELECT min(condemned_at_ms) + ?3 FROM blobs WHERE condemned_at_ms IS NOT NULL
           UNION ALL SELECT min(since_ms) + ?3 FROM stray_objects)`,
        blobSettleMs,
        blobColdMs,
        blobGraceMs,
      )
      .one();
    return due.ms;
  }

  private async copyToBucket(nowMs: number): Promise<void> {
    const { sql } = this.storage;
    const waiting = sql
      .exec<{ hash: Sha256; size: number }>(
        `SELECT hash, size FROM blobs WHERE r2_key IS NULL AND condemned_at_ms IS NULL AND written_at_ms <= ?
          ORDER BY written_at_ms LIMIT ?`,
        nowMs - blobSettleMs,
        roundBlobs,
      )
      .toArray();
    let bytesLeft = roundBytes;
    for (const { hash, size } of waiting) {
      bytesLeft -= size;
      if (bytesLeft < 0) return;
      const row = sql.exec<{ bytes: ArrayBuffer | null }>("SELECT bytes FROM blobs WHERE hash = ?", hash).toArray()[0];
      if (!row?.bytes) continue;
      const r2Key = this.blobs.announceObject(nowMs);
      await this.bucket.put(r2Key, new Uint8Array(row.bytes), hash);
      this.storage.transactionSync(() => {
        // The blob may have gone, or have got a copy, while this one was on its way; then the new object stays stray.
        const taken = sql.exec("UPDATE blobs SET r2_key = ? WHERE hash = ? AND r2_key IS NULL", r2Key, hash);
        if (taken.rowsWritten > 0) sql.exec("DELETE FROM stray_objects WHERE r2_key = ?", r2Key);
      });
    }
  }

  private coolDown(nowMs: number): void {
    this.storage.sql.exec(
      `UPDATE blobs SET bytes = NULL WHERE hash IN (
         SELECT hash FROM blobs WHERE r2_key IS NOT NULL AND bytes IS NOT NULL AND used_at_ms <= ?
          ORDER BY used_at_ms LIMIT ?)`,
      nowMs - blobColdMs,
      roundBlobs,
    );
  }

  /** The second check before the end: what came to be named in the meantime lives on. */
  private collect(nowMs: number): void {
    const { sql } = this.storage;
    this.storage.transactionSync(() => {
      const condemned = sql
        .exec<{ hash: string; r2_key: string | null; named: number }>(
          `SELECT hash, r2_key, (${isNamed}) AS named FROM blobs WHERE condemned_at_ms <= ?
            ORDER BY condemned_at_ms LIMIT ?`,
          nowMs - blobGraceMs,
          roundBlobs,
        )
        .toArray();
      for (const { hash, r2_key: r2Key, named } of condemned) {
        if (named === 1) {
          sql.exec("UPDATE blobs SET condemned_at_ms = NULL WHERE hash = ?", hash);
          continue;
        }
        sql.exec("DELETE FROM blobs WHERE hash = ?", hash);
        if (r2Key === null) continue;
        sql.exec("INSERT INTO stray_objects (r2_key, since_ms) VALUES (?, ?)", r2Key, nowMs - blobGraceMs);
      }
    });
  }

  /** An announced key that no blob took within the grace period never will be. */
  private async deleteStrays(nowMs: number): Promise<void> {
    const { sql } = this.storage;
    const keys = sql
      .exec<{ r2_key: string }>(
        "SELECT r2_key FROM stray_objects WHERE since_ms <= ? ORDER BY since_ms LIMIT ?",
        nowMs - blobGraceMs,
        roundBlobs,
      )
      .toArray()
      .map((row) => row.r2_key);
    if (keys.length === 0) return;
    await this.bucket.delete(keys);
    sql.exec("DELETE FROM stray_objects WHERE r2_key IN (SELECT value FROM json_each(?))", JSON.stringify(keys));
  }
}
