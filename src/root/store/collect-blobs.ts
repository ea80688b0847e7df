import { blobGraceMs } from "../../domain/limits";
import type { BlobBucket } from "../../storage/blob-bucket";
import type { Chore } from "../alarm-clock";
import { isNamed } from "./blobs";
import { Deposits } from "./deposits";
import type { SettledStorage } from "./settled-storage";

/** One round takes at most this many, so that requests come in between. */
const roundBlobs = 200;

/** The end of blobs that nothing has named for the grace period. Their objects in R2 become strays. */
export class CollectBlobs implements Chore {
  private readonly deposits: Deposits;

  constructor(private readonly storage: SettledStorage) {
    this.deposits = new Deposits(storage.sql);
  }

  run(nowMs: number): void {
    this.condemnDeposits(nowMs);
    this.collect(nowMs);
  }

  /** They get a grace period of their own from here: somebody may have found them there and be about to name them. */
  private condemnDeposits(nowMs: number): void {
    const old = this.deposits.old(nowMs);
    if (old.length === 0) return;
    this.storage.transactionSync(() => {
      this.storage.sql.exec(
        `UPDATE blobs SET condemned_at_ms = ?2
          WHERE hash IN (SELECT value FROM json_each(?1)) AND condemned_at_ms IS NULL AND NOT (${isNamed})`,
        JSON.stringify(this.deposits.take(old)),
        nowMs,
      );
    });
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
        sql.exec("DELETE FROM text_filters WHERE hash = ?", hash);
        if (r2Key === null) continue;
        sql.exec("INSERT INTO stray_objects (r2_key, since_ms) VALUES (?, ?)", r2Key, nowMs - blobGraceMs);
      }
    });
  }

  nextDueMs(): number | null {
    const { ms } = this.storage.sql
      .exec<{ ms: number | null }>(
        "SELECT min(condemned_at_ms) + ? AS ms FROM blobs WHERE condemned_at_ms IS NOT NULL",
        blobGraceMs,
      )
      .one();
    const depositsMs = this.deposits.nextEndMs();
    return ms === null || depositsMs === null ? (ms ?? depositsMs) : Math.min(ms, depositsMs);
  }
}

/** An announced key that no blob took within the grace period never will be: its object, if there is one, goes. */
export class DeleteStrays implements Chore {
  constructor(
    private readonly sql: SqlStorage,
    private readonly bucket: BlobBucket,
  ) {}

  async run(nowMs: number): Promise<void> {
    const keys = this.sql
      .exec<{ r2_key: string }>(
        "SELECT r2_key FROM stray_objects WHERE since_ms <= ? ORDER BY since_ms LIMIT ?",
        nowMs - blobGraceMs,
        roundBlobs,
      )
      .toArray()
      .map((row) => row.r2_key);
    if (keys.length === 0) return;
    await this.bucket.delete(keys);
    this.sql.exec("DELETE FROM stray_objects WHERE r2_key IN (SELECT value FROM json_each(?))", JSON.stringify(keys));
  }

  nextDueMs(): number | null {
    const { ms } = this.sql
      .exec<{ ms: number | null }>("SELECT min(since_ms) + ? AS ms FROM stray_objects", blobGraceMs)
      .one();
    return ms;
  }
}
