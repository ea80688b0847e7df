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
     path TEXT NOT NULL,
     PRIMARY KEY (session_id, uri)
   ) WITHOUT ROWID;
   CREATE TABLE revocations (
     grant_id TEXT NOT NULL,
     token_id TEXT NOT NULL,
     at_ms INTEGER NOT NULL,
     PRIMARY KEY (grant_id, token_id)
   ) WITHOUT ROWID;`,

  // The tree. git_oid: of a file its blob id, of a directory its tree id while that is known. lines: of a text file; null means binary.
  `CREATE TABLE nodes (
     path TEXT PRIMARY KEY,
     parent TEXT NOT NULL,
     name TEXT NOT NULL,
     kind TEXT NOT NULL CHECK (kind IN ('directory', 'file')),
     blob TEXT,
     git_oid TEXT,
     size INTEGER NOT NULL DEFAULT 0,
     lines INTEGER,
     mtime_ms INTEGER NOT NULL,
     CHECK ((kind = 'file') = (blob IS NOT NULL))
   ) WITHOUT ROWID;
   CREATE INDEX nodes_by_parent ON nodes (parent, kind, name);
   CREATE INDEX nodes_by_blob ON nodes (blob) WHERE blob IS NOT NULL;
   INSERT INTO nodes (path, parent, name, kind, mtime_ms) VALUES ('/', '', '', 'directory', 0);
   CREATE TABLE usage (files INTEGER NOT NULL, directories INTEGER NOT NULL, bytes INTEGER NOT NULL);
   INSERT INTO usage (files, directories, bytes) VALUES (0, 1, 0);`,

  // Contents. A row has its bytes, or the key of an object in R2 that was verified to hold them, or both.
  `CREATE TABLE blobs (
     hash TEXT PRIMARY KEY,
     git_oid TEXT NOT NULL,
     size INTEGER NOT NULL,
     lines INTEGER,
     r2_key TEXT,
     written_at_ms INTEGER NOT NULL,
     used_at_ms INTEGER NOT NULL,
     condemned_at_ms INTEGER,
     bytes BLOB,
     CHECK (bytes IS NOT NULL OR r2_key IS NOT NULL)
   );
   CREATE INDEX blobs_to_copy ON blobs (written_at_ms) WHERE r2_key IS NULL AND condemned_at_ms IS NULL;
   CREATE INDEX blobs_to_cool ON blobs (used_at_ms) WHERE r2_key IS NOT NULL AND bytes IS NOT NULL;
   CREATE INDEX blobs_condemned ON blobs (condemned_at_ms) WHERE condemned_at_ms IS NOT NULL;
   CREATE TABLE stray_objects (r2_key TEXT PRIMARY KEY, since_ms INTEGER NOT NULL) WITHOUT ROWID;
   CREATE INDEX stray_objects_by_age ON stray_objects (since_ms);
   CREATE TABLE versions (
     path TEXT NOT NULL,
     blob TEXT NOT NULL,
     seq INTEGER NOT NULL,
     replaced_at_ms INTEGER NOT NULL,
     PRIMARY KEY (path, blob)
   ) WITHOUT ROWID;
   CREATE INDEX versions_by_blob ON versions (blob);
   CREATE INDEX versions_by_age ON versions (replaced_at_ms);`,

  // Leases, and what was seen under them. A set of touched files builds on the one it was inherited from; a set that others build on is sealed.
  // pinned: a snapshot names the blob, and snapshots are for ever.
  `CREATE TABLE leases (
     id TEXT PRIMARY KEY,
     fingerprint TEXT NOT NULL,
     issued_at_ms INTEGER NOT NULL,
     touched_set INTEGER NOT NULL
   ) WITHOUT ROWID;
   CREATE INDEX leases_by_age ON leases (issued_at_ms);
   CREATE INDEX leases_by_set ON leases (touched_set);
   CREATE TABLE touched_sets (
     id INTEGER PRIMARY KEY,
     base INTEGER,
     depth INTEGER NOT NULL,
     paths_max INTEGER NOT NULL
   );
   CREATE INDEX touched_sets_by_base ON touched_sets (base);
   CREATE TABLE touched (set_id INTEGER NOT NULL, path TEXT NOT NULL, PRIMARY KEY (set_id, path)) WITHOUT ROWID;
   ALTER TABLE blobs ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;`,

  // Single-use links. blob: of an upload the version that it replaces, null for none; of a download the version that it gives.
  `CREATE TABLE tickets (
     id TEXT PRIMARY KEY,
     kind TEXT NOT NULL CHECK (kind IN ('upload', 'download')),
     path TEXT NOT NULL,
     blob TEXT,
     sha256 TEXT,
     size INTEGER,
     client_id TEXT NOT NULL,
     grant_id TEXT,
     token_id TEXT,
     expires_at_ms INTEGER NOT NULL
   ) WITHOUT ROWID;
   CREATE INDEX tickets_by_end ON tickets (expires_at_ms);`,

  // Word indexes of caches: derived, and never the only place of anything. segment -1: the documents themselves.
  `CREATE TABLE context_indexes (
     path TEXT PRIMARY KEY,
     key TEXT NOT NULL,
     segments TEXT NOT NULL,
     bytes INTEGER NOT NULL,
     used_at_ms INTEGER NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE context_index_parts (
     path TEXT NOT NULL,
     segment INTEGER NOT NULL,
     number INTEGER NOT NULL,
     bytes BLOB NOT NULL,
     PRIMARY KEY (path, segment, number)
   );`,

  // Zip sessions, the index of the archive that each stands on, what it held when it was opened (kept from the first sync on), who works on it,
  // and the backups that sync made. central: the record of the central directory, without its zip64 field.
  // utf8: of a blob that is no text, whether it is UTF-8 all the same; null while nobody asked.
  `CREATE TABLE zip_sessions (
     id TEXT PRIMARY KEY,
     name TEXT NOT NULL,
     source_path TEXT NOT NULL,
     created_at_ms INTEGER NOT NULL,
     accessed_at_ms INTEGER NOT NULL,
     synced_at_ms INTEGER,
     state TEXT NOT NULL CHECK (state IN ('open', 'syncing')),
     zip_hash TEXT NOT NULL,
     base_blob TEXT NOT NULL,
     base_size INTEGER NOT NULL,
     extracted_bytes INTEGER NOT NULL,
     file_count INTEGER NOT NULL,
     nesting INTEGER NOT NULL,
     prefix_length INTEGER NOT NULL,
     base_offset INTEGER NOT NULL,
     comment BLOB NOT NULL,
     baseline_kept INTEGER NOT NULL DEFAULT 0
   );
   CREATE UNIQUE INDEX zip_sessions_by_name ON zip_sessions (name) WHERE name <> '';
   CREATE INDEX zip_sessions_by_base ON zip_sessions (base_blob);
   CREATE TABLE zip_entries (
     session_id TEXT NOT NULL,
     seq INTEGER NOT NULL,
     kind TEXT NOT NULL,
     path TEXT NOT NULL,
     reason TEXT,
     hash TEXT,
     anchor TEXT,
     central BLOB NOT NULL,
     extra_offset INTEGER NOT NULL,
     extra_length INTEGER NOT NULL,
     kept_when_copied INTEGER NOT NULL,
     kept_when_replaced INTEGER NOT NULL,
     PRIMARY KEY (session_id, seq)
   );
   CREATE TABLE zip_baselines (
     session_id TEXT NOT NULL,
     path TEXT NOT NULL,
     hash TEXT NOT NULL,
     PRIMARY KEY (session_id, path)
   ) WITHOUT ROWID;
   CREATE TABLE zip_locks (
     session_id TEXT PRIMARY KEY,
     owner TEXT NOT NULL,
     kind TEXT NOT NULL,
     since_ms INTEGER NOT NULL,
     expires_at_ms INTEGER NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE zip_backups (path TEXT PRIMARY KEY, blob TEXT NOT NULL) WITHOUT ROWID;
   ALTER TABLE blobs ADD COLUMN utf8 INTEGER;`,

  // Filters of texts: derived, and never the only place of anything. digest: of a set that holds one long list of paths, the list's hash.
  `CREATE TABLE text_filters (
     id INTEGER PRIMARY KEY,
     hash TEXT NOT NULL UNIQUE,
     bits BLOB NOT NULL
   );
   ALTER TABLE touched_sets ADD COLUMN digest TEXT;
   CREATE INDEX touched_sets_by_digest ON touched_sets (digest) WHERE digest IS NOT NULL;`,

  // Contents that a transaction to come will name: JSON arrays of hashes.
  `CREATE TABLE deposits (id INTEGER PRIMARY KEY, hashes TEXT NOT NULL, since_ms INTEGER NOT NULL);
   CREATE INDEX deposits_by_age ON deposits (since_ms);`,

  // The indexes of zip sessions, many entries to a row (domain/zip/index-parts.ts). Entries that were rows of their own become a part each.
  `CREATE TABLE zip_indexes (
     session_id TEXT NOT NULL,
     which TEXT NOT NULL CHECK (which IN ('current', 'opened')),
     number INTEGER NOT NULL,
     part TEXT NOT NULL,
     PRIMARY KEY (session_id, which, number)
   );
   INSERT INTO zip_indexes (session_id, which, number, part)
     SELECT session_id, 'current', seq,
            json_object('rows', json_array(json_array(kind, path, reason, hash, anchor, extra_offset, extra_length,
              kept_when_copied, kept_when_replaced)), 'records', hex(central))
       FROM zip_entries;
   INSERT INTO zip_indexes (session_id, which, number, part)
     SELECT session_id, 'opened', row_number() OVER (PARTITION BY session_id ORDER BY path),
            json_object('rows', json_array(json_array('file', path, NULL, hash)), 'records', '')
       FROM zip_baselines;
   DROP TABLE zip_entries;
   DROP TABLE zip_baselines;`,

  // Bytes apart from what is said of them: SQLite writes a row anew, with all its bytes, when any of its columns changes.
  // is_inline: the bytes are in `contents`, under the same id, which goes with its blob.
  `CREATE TABLE contents (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
   INSERT INTO contents (id, bytes) SELECT rowid, bytes FROM blobs WHERE bytes IS NOT NULL;
   CREATE TABLE blobs_apart (
     id INTEGER PRIMARY KEY,
     hash TEXT NOT NULL UNIQUE,
     git_oid TEXT NOT NULL,
     size INTEGER NOT NULL,
     lines INTEGER,
     r2_key TEXT,
     written_at_ms INTEGER NOT NULL,
     used_at_ms INTEGER NOT NULL,
     condemned_at_ms INTEGER,
     pinned INTEGER NOT NULL DEFAULT 0,
     utf8 INTEGER,
     is_inline INTEGER NOT NULL,
     CHECK (is_inline = 1 OR r2_key IS NOT NULL)
   );
   INSERT INTO blobs_apart
     SELECT rowid, hash, git_oid, size, lines, r2_key, written_at_ms, used_at_ms, condemned_at_ms, pinned, utf8,
            bytes IS NOT NULL FROM blobs;
   DROP TABLE blobs;
   ALTER TABLE blobs_apart RENAME TO blobs;
   CREATE INDEX blobs_to_copy ON blobs (written_at_ms) WHERE r2_key IS NULL AND condemned_at_ms IS NULL;
   CREATE INDEX blobs_to_cool ON blobs (used_at_ms) WHERE r2_key IS NOT NULL AND is_inline = 1;
   CREATE INDEX blobs_condemned ON blobs (condemned_at_ms) WHERE condemned_at_ms IS NOT NULL;
   CREATE TRIGGER contents_come AFTER INSERT ON contents
     WHEN (SELECT is_inline FROM blobs WHERE id = NEW.id) = 0
     BEGIN UPDATE blobs SET is_inline = 1 WHERE id = NEW.id; END;
   CREATE TRIGGER contents_go AFTER DELETE ON contents BEGIN UPDATE blobs SET is_inline = 0 WHERE id = OLD.id; END;
   CREATE TRIGGER contents_go_with_blobs AFTER DELETE ON blobs BEGIN DELETE FROM contents WHERE id = OLD.id; END;`,

  // Edits of texts that are not in the tables above yet. In the text of the version before, [from_unit, to_unit) gives way to \`given\`.
  `CREATE TABLE edit_journal (
     seq INTEGER PRIMARY KEY,
     path TEXT NOT NULL,
     blob TEXT NOT NULL,
     size INTEGER NOT NULL,
     lines INTEGER NOT NULL,
     at_ms INTEGER NOT NULL,
     from_unit INTEGER NOT NULL,
     to_unit INTEGER NOT NULL,
     given BLOB NOT NULL
   );`,
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
