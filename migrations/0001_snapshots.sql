-- Snapshot manifests. Every key starts with the user, so that the database can be split by user.
CREATE TABLE snapshots (
  user_id TEXT NOT NULL,
  snapshot_id TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  manifest_hash TEXT NOT NULL,
  files INTEGER NOT NULL,
  total_bytes INTEGER NOT NULL,
  derived_from TEXT,
  applied_patch_hash TEXT,
  created_at_ms INTEGER NOT NULL,
  PRIMARY KEY (user_id, snapshot_id)
) WITHOUT ROWID;

-- A manifest is stored once per user and hash, in pieces of at most 1 MiB.
CREATE TABLE manifests (
  user_id TEXT NOT NULL,
  manifest_hash TEXT NOT NULL,
  seq INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (user_id, manifest_hash, seq)
) WITHOUT ROWID;
