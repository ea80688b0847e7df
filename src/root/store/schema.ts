/** Numbered, idempotent steps. A step that has shipped never changes; a new need is a new step. */
const steps: readonly string[] = [
  `CREATE TABLE sessions (
     id TEXT PRIMARY KEY,
     client_id TEXT NOT NULL,
     initialize TEXT NOT NULL,
     log_level TEXT NOT NULL DEFAULT '',
     created_at_ms INTEGER NOT NULL,
     seen_at_ms INTEGER NOT NULL
   ) WITHOUT ROWID;
   CREATE INDEX sessions_by_seen ON sessions (seen_at_ms);
   CREATE TABLE subscriptions (
     session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
     uri TEXT NOT NULL,
     PRIMARY KEY (session_id, uri)
   ) WITHOUT ROWID;
   CREATE TABLE revocations (
     grant_id TEXT NOT NULL,
     token_id TEXT NOT NULL,
     at_ms INTEGER NOT NULL,
     PRIMARY KEY (grant_id, token_id)
   ) WITHOUT ROWID;
   CREATE TABLE nodes (
     path TEXT PRIMARY KEY,
     parent TEXT NOT NULL,
     name TEXT NOT NULL,
     kind TEXT NOT NULL CHECK (kind IN ('directory', 'file')),
     blob TEXT,
     git_oid TEXT,
     size INTEGER NOT NULL DEFAULT 0,
     lines INTEGER,
     mtime_ms INTEGER NOT NULL
   ) WITHOUT ROWID;
   CREATE INDEX nodes_by_parent ON nodes (parent, kind, name);`,
];

/** Brings the object's tables to the newest step, in one transaction. */
export function applySchema(storage: DurableObjectStorage): void {
  storage.transactionSync(() => {
    storage.sql.exec("CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID");
    const row = storage.sql.exec<{ value: string }>("SELECT value FROM meta WHERE key = 'schema'").toArray()[0];
    const done = row === undefined ? 0 : Number(row.value);
    if (done === steps.length) return;
    for (const step of steps.slice(done)) storage.sql.exec(step);
    storage.sql.exec("INSERT OR REPLACE INTO meta (key, value) VALUES ('schema', ?)", String(steps.length));
  });
}
