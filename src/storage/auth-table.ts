/** A row of the table as `list` shows it; metadata is JSON text, opaque here. */
export interface AuthRow {
  readonly name: string;
  readonly expiresAtMs?: number;
  readonly metadata?: string;
}

export interface AuthPage {
  readonly rows: readonly AuthRow[];
  /** The last key seen; present while more follow. */
  readonly cursor?: string;
}

export interface AuthPutOptions {
  readonly expiresAtMs?: number;
  readonly metadata?: string;
}

/** Alarms closer together than this would cost more than the rows they free. */
const sweepIntervalMs = 60 * 60_000;
const listLimitMax = 1_000;

/** A KV-shaped table in a Durable Object's SQLite. Expired rows are invisible at once and swept by the object's alarm. */
export class AuthTable {
  readonly #storage: DurableObjectStorage;
  #exists: boolean;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    // Created at the first write: reading a made-up key must not leave a database behind.
    this.#exists =
      storage.sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'entries'").toArray().length > 0;
  }

  get(key: string, nowMs: number): string | null {
    if (!this.#exists) return null;
    const row = this.#storage.sql
      .exec<{ value: string }>(
        "SELECT value FROM entries WHERE key = ? AND (expires_at_ms IS NULL OR expires_at_ms > ?)",
        key,
        nowMs,
      )
      .toArray()[0];
    return row?.value ?? null;
  }

  async put(key: string, value: string, options: AuthPutOptions, nowMs: number): Promise<void> {
    this.#create();
    this.#storage.sql.exec(
      `INSERT INTO entries (key, value, expires_at_ms, metadata) VALUES (?, ?, ?, ?)
       ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires_at_ms = excluded.expires_at_ms, metadata = excluded.metadata`,
      key,
      value,
      options.expiresAtMs ?? null,
      options.metadata ?? null,
    );
    if (options.expiresAtMs === undefined) return;
    const alarmMs = await this.#storage.getAlarm();
    const sweepAtMs = Math.max(options.expiresAtMs, nowMs + sweepIntervalMs);
    if (alarmMs === null || alarmMs > sweepAtMs) await this.#storage.setAlarm(sweepAtMs);
  }

  /** Whether a visible row was there: what makes "used once" exact. */
  delete(key: string, nowMs: number): boolean {
    const found = this.get(key, nowMs) !== null;
    if (this.#exists) this.#storage.sql.exec("DELETE FROM entries WHERE key = ?", key);
    return found;
  }

  deletePrefix(prefix: string): void {
    if (this.#exists)
      this.#storage.sql.exec("DELETE FROM entries WHERE key >= ? AND key < ?", prefix, prefixEnd(prefix));
  }

  list(options: { prefix: string; cursor?: string; limit?: number }, nowMs: number): AuthPage {
    if (!this.#exists) return { rows: [] };
    const limit = Math.min(options.limit ?? listLimitMax, listLimitMax);
    const found = this.#storage.sql
      .exec<{ key: string; expires_at_ms: number | null; metadata: string | null }>(
        `SELECT key, expires_at_ms, metadata FROM entries
         WHERE key >= ? AND key < ? AND key > ? AND (expires_at_ms IS NULL OR expires_at_ms > ?) ORDER BY key LIMIT ?`,
        options.prefix,
        prefixEnd(options.prefix),
        options.cursor ?? "",
        nowMs,
        limit + 1,
      )
      .toArray();
    const rows = found.slice(0, limit).map((row) => ({
      name: row.key,
      ...(row.expires_at_ms === null ? {} : { expiresAtMs: row.expires_at_ms }),
      ...(row.metadata === null ? {} : { metadata: row.metadata }),
    }));
    const last = rows.at(-1);
    return found.length > limit && last ? { rows, cursor: last.name } : { rows };
  }

  /** Called by the object's alarm. An object with no row left gives its whole storage back. */
  async sweep(nowMs: number): Promise<void> {
    if (!this.#exists) return;
    this.#storage.sql.exec("DELETE FROM entries WHERE expires_at_ms <= ?", nowMs);
    const { count, next } = this.#storage.sql
      .exec<{ count: number; next: number | null }>("SELECT count(*) AS count, min(expires_at_ms) AS next FROM entries")
      .one();
    if (count === 0) {
      this.#exists = false;
      await this.#storage.deleteAll();
    } else if (next !== null) {
      await this.#storage.setAlarm(Math.max(next, nowMs + sweepIntervalMs));
    }
  }

  #create(): void {
    if (this.#exists) return;
    this.#storage.sql.exec(
      "CREATE TABLE IF NOT EXISTS entries (key TEXT PRIMARY KEY, value TEXT NOT NULL, expires_at_ms INTEGER, metadata TEXT) WITHOUT ROWID",
    );
    this.#storage.sql.exec(
      "CREATE INDEX IF NOT EXISTS entries_by_expiry ON entries (expires_at_ms) WHERE expires_at_ms IS NOT NULL",
    );
    this.#exists = true;
  }
}

/** Keys are ASCII, so this bounds every key with the prefix. */
function prefixEnd(prefix: string): string {
  return `${prefix}\u{10FFFF}`;
}
