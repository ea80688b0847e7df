import { sessionIdleMs, sessionsMax } from "../../domain/limits";
import type { RootPath } from "../../domain/path";
import type { SessionFacts } from "../contract";

/** `seen_at_ms` is written at most this often, so that a read does not cost a write. */
const seenStepMs = 60 * 60 * 1000;

interface SessionRow extends Record<string, SqlStorageValue> {
  id: string;
  client_id: string;
  initialize: string;
  log_level: string;
  seen_at_ms: number;
}

/** Sessions of the 2025 era: rows, so that they survive eviction and restart. */
export class Sessions {
  constructor(private readonly sql: SqlStorage) {}

  /** Returns the ids of those that have to make room: the least recently used. */
  open(facts: SessionFacts, nowMs: number): string[] {
    this.sql.exec(
      "INSERT INTO sessions (id, client_id, initialize, created_at_ms, seen_at_ms) VALUES (?, ?, ?, ?, ?)",
      facts.id,
      facts.clientId,
      facts.initialize,
      nowMs,
      nowMs,
    );
    return this.ids("id <> ? ORDER BY seen_at_ms DESC LIMIT -1 OFFSET ?", facts.id, sessionsMax - 1);
  }

  /** The session, if it lives and belongs to this client. */
  find(id: string, clientId: string, nowMs: number): (SessionFacts & { readonly logLevel: string }) | null {
    const row = this.sql.exec<SessionRow>("SELECT * FROM sessions WHERE id = ?", id).toArray()[0];
    if (row === undefined || row.client_id !== clientId || row.seen_at_ms + sessionIdleMs <= nowMs) return null;
    if (row.seen_at_ms + seenStepMs <= nowMs) {
      this.sql.exec("UPDATE sessions SET seen_at_ms = ? WHERE id = ?", nowMs, id);
    }
    return { id: row.id, clientId: row.client_id, initialize: row.initialize, logLevel: row.log_level };
  }

  setLogLevel(id: string, level: string): void {
    this.sql.exec("UPDATE sessions SET log_level = ? WHERE id = ?", level, id);
  }

  end(id: string): void {
    this.sql.exec("DELETE FROM subscriptions WHERE session_id = ?", id);
    this.sql.exec("DELETE FROM sessions WHERE id = ?", id);
  }

  /** `path` is the directory that the URI stands for, `""` for a URI of another kind. */
  subscribe(id: string, uri: string, path: string): void {
    this.sql.exec("INSERT OR IGNORE INTO subscriptions (session_id, uri, path) VALUES (?, ?, ?)", id, uri, path);
  }

  /** The session's subscriptions to any of these directories; to all that it has when none are named. */
  subscriptionsTo(id: string, directories: readonly RootPath[] | null): { path: RootPath; uri: string }[] {
    return this.sql
      .exec<{ path: RootPath; uri: string }>(
        `SELECT path, uri FROM subscriptions
          WHERE session_id = ?1 AND (?2 IS NULL OR path IN (SELECT value FROM json_each(?2)))`,
        id,
        directories === null ? null : JSON.stringify(directories),
      )
      .toArray();
  }

  unsubscribe(id: string, uri: string): void {
    this.sql.exec("DELETE FROM subscriptions WHERE session_id = ? AND uri = ?", id, uri);
  }

  isSubscribed(id: string, uri: string): boolean {
    return this.sql.exec("SELECT 1 FROM subscriptions WHERE session_id = ? AND uri = ?", id, uri).toArray().length > 0;
  }

  subscriptionCount(id: string): number {
    return this.sql.exec<{ n: number }>("SELECT count(*) AS n FROM subscriptions WHERE session_id = ?", id).one().n;
  }

  /** Those that have been idle too long. */
  idle(nowMs: number): string[] {
    return this.ids("seen_at_ms <= ?", nowMs - sessionIdleMs);
  }

  /** When the next session would end, if nobody uses it. */
  nextEndMs(): number | null {
    const oldest = this.sql.exec<{ ms: number | null }>("SELECT min(seen_at_ms) AS ms FROM sessions").one().ms;
    return oldest === null ? null : oldest + sessionIdleMs;
  }

  private ids(which: string, ...bindings: SqlStorageValue[]): string[] {
    return this.sql
      .exec<{ id: string }>(`SELECT id FROM sessions WHERE ${which}`, ...bindings)
      .toArray()
      .map((row) => row.id);
  }
}
