import { blobGraceMs } from "../../domain/limits";
import type { BlobBucket } from "../../storage/blob-bucket";

/** The keys under which R2 holds contents, from their announcement until a blob takes them, or the collector. */
export class ObjectKeys {
  constructor(
    protected readonly sql: SqlStorage,
    protected readonly bucket: BlobBucket,
    /** Asks for a round of upkeep by that time. */
    protected readonly wakeBy: (dueMs: number) => void,
  ) {}

  /** A key that may come to exist in R2. Until a blob takes it, it is stray, so that a crash leaves no object unknown. */
  announceObject(nowMs: number): string {
    const r2Key = this.bucket.newKey();
    this.leaveToCollector(r2Key, nowMs);
    return r2Key;
  }

  /** Also for an object that came to be after the collector had been there for its key. */
  leaveToCollector(r2Key: string, nowMs: number): void {
    this.sql.exec("INSERT OR REPLACE INTO stray_objects (r2_key, since_ms) VALUES (?, ?)", r2Key, nowMs);
    this.wakeBy(nowMs + blobGraceMs);
  }

  /** May a blob still take this key? After the grace period it is the collector's, who may have begun with it. */
  isAnnounced(r2Key: string, nowMs: number): boolean {
    const rows = this.sql.exec(
      "SELECT 1 FROM stray_objects WHERE r2_key = ? AND since_ms > ?",
      r2Key,
      nowMs - blobGraceMs,
    );
    return rows.toArray().length > 0;
  }
}
