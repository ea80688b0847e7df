import type { Sha256 } from "../../domain/hash";
import { blobColdMs, blobSettleMs } from "../../domain/limits";
import type { BlobBucket } from "../../storage/blob-bucket";
import type { Chore } from "../alarm-clock";
import type { Blobs } from "./blobs";
import type { SettledStorage } from "./settled-storage";

/** One round takes at most this much, so that requests come in between. */
const roundBlobs = 200;
const roundBytes = 16 * 1024 * 1024;

/** What lives in SQLite gets a copy in R2. May be cut off anywhere and done again. */
export class CopyBlobs implements Chore {
  constructor(
    private readonly storage: SettledStorage,
    private readonly blobs: Blobs,
    private readonly bucket: BlobBucket,
  ) {}

  async run(nowMs: number): Promise<void> {
    let bytesLeft = roundBytes;
    for (const { hash, size } of this.waiting(nowMs)) {
      bytesLeft -= size;
      if (bytesLeft < 0) return;
      try {
        await this.copy(hash, nowMs);
      } catch (error) {
        // To the end of what is due: one that cannot be copied keeps no other from it, and is tried again soon.
        const lastDueMs = nowMs - blobSettleMs;
        this.storage.sql.exec("UPDATE blobs SET written_at_ms = ? WHERE hash = ?", lastDueMs, hash);
        throw error;
      }
    }
  }

  nextDueMs(): number | null {
    const { ms } = this.storage.sql
      .exec<{ ms: number | null }>(
        "SELECT min(written_at_ms) + ? AS ms FROM blobs WHERE r2_key IS NULL AND condemned_at_ms IS NULL",
        blobSettleMs,
      )
      .one();
    return ms;
  }

  private waiting(nowMs: number): { hash: Sha256; size: number }[] {
    return this.storage.sql
      .exec<{ hash: Sha256; size: number }>(
        `SELECT hash, size FROM blobs WHERE r2_key IS NULL AND condemned_at_ms IS NULL AND written_at_ms <= ?
          ORDER BY written_at_ms LIMIT ?`,
        nowMs - blobSettleMs,
        roundBlobs,
      )
      .toArray();
  }

  private async copy(hash: Sha256, nowMs: number): Promise<void> {
    const { sql } = this.storage;
    const row = sql
      .exec<{ bytes: ArrayBuffer }>("SELECT bytes FROM blobs JOIN contents USING (id) WHERE hash = ?", hash)
      .toArray()[0];
    if (row === undefined) return;
    const r2Key = this.blobs.announceObject(nowMs);
    await this.bucket.put(r2Key, new Uint8Array(row.bytes), hash);
    this.storage.transactionSync(() => {
      // The blob may have gone, or have got a copy, while this one was on its way; then the new object stays stray.
      const taken = sql.exec("UPDATE blobs SET r2_key = ? WHERE hash = ? AND r2_key IS NULL", r2Key, hash);
      if (taken.rowsWritten > 0) sql.exec("DELETE FROM stray_objects WHERE r2_key = ?", r2Key);
    });
  }
}

/** Bytes that R2 has too, and that nobody used for long, leave SQLite. */
export class CoolBlobs implements Chore {
  constructor(private readonly sql: SqlStorage) {}

  run(nowMs: number): void {
    this.sql.exec(
      `DELETE FROM contents WHERE id IN (
         SELECT id FROM blobs WHERE r2_key IS NOT NULL AND is_inline = 1 AND used_at_ms <= ?
          ORDER BY used_at_ms LIMIT ?)`,
      nowMs - blobColdMs,
      roundBlobs,
    );
  }

  nextDueMs(): number | null {
    const { ms } = this.sql
      .exec<{ ms: number | null }>(
        "SELECT min(used_at_ms) + ? AS ms FROM blobs WHERE r2_key IS NOT NULL AND is_inline = 1",
        blobColdMs,
      )
      .one();
    return ms;
  }
}
