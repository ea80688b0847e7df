import { zipLockLeaseMs } from "../../domain/limits";

export type LockKind = "sync" | "close" | "prune";

export interface ZipLock {
  readonly owner: string;
  readonly kind: string;
  readonly sinceMs: number;
  readonly expiresAtMs: number;
}

/**
 * Who works on a session alone. Edits need no row: they check and write in one transaction, which nothing can come between.
 * A lock is a lease: whoever does not renew it loses it (zipfs.md §8).
 */
export class ZipLocks {
  constructor(private readonly sql: SqlStorage) {}

  /** A new life of the object: whoever held a lock died with the former one. */
  dropAll(): void {
    this.sql.exec("UPDATE zip_sessions SET state = 'open' WHERE state <> 'open'");
    this.sql.exec("DELETE FROM zip_locks");
  }

  /** What was left behind by work that did not come to its end. */
  repair(nowMs: number): void {
    const expired = "SELECT session_id FROM zip_locks WHERE expires_at_ms <= ?";
    this.sql.exec(`UPDATE zip_sessions SET state = 'open' WHERE id IN (${expired})`, nowMs);
    this.sql.exec("DELETE FROM zip_locks WHERE expires_at_ms <= ?", nowMs);
  }

  find(sessionId: string): ZipLock | null {
    const row = this.sql
      .exec<{ owner: string; kind: string; since_ms: number; expires_at_ms: number }>(
        "SELECT owner, kind, since_ms, expires_at_ms FROM zip_locks WHERE session_id = ?",
        sessionId,
      )
      .toArray()[0];
    if (row === undefined) return null;
    return { owner: row.owner, kind: row.kind, sinceMs: row.since_ms, expiresAtMs: row.expires_at_ms };
  }

  /** The owner of the lock, if it was free. */
  take(sessionId: string, kind: LockKind, nowMs: number): string | null {
    this.repair(nowMs);
    if (this.find(sessionId) !== null) return null;
    const owner = crypto.randomUUID();
    this.sql.exec(
      "INSERT INTO zip_locks (session_id, owner, kind, since_ms, expires_at_ms) VALUES (?, ?, ?, ?, ?)",
      sessionId,
      owner,
      kind,
      nowMs,
      nowMs + zipLockLeaseMs,
    );
    return owner;
  }

  /** Is the lock still the owner's? Then its lease begins anew. */
  renew(sessionId: string, owner: string, nowMs: number): boolean {
    const lock = this.find(sessionId);
    if (lock?.owner !== owner) return false;
    if (lock.expiresAtMs - nowMs < zipLockLeaseMs / 2) {
      this.sql.exec("UPDATE zip_locks SET expires_at_ms = ? WHERE session_id = ?", nowMs + zipLockLeaseMs, sessionId);
    }
    return true;
  }

  release(sessionId: string, owner: string): void {
    if (this.find(sessionId)?.owner !== owner) return;
    this.sql.exec("UPDATE zip_sessions SET state = 'open' WHERE id = ?", sessionId);
    this.sql.exec("DELETE FROM zip_locks WHERE session_id = ?", sessionId);
  }
}
