import type { IndexedEntry } from "../../domain/zip/entry-index";
import { withoutExtras } from "../../domain/zip/extra-fields";
import { droppedWhenCopied } from "../../domain/zip/layout-archive";
import { readCentralRecord } from "../../domain/zip/records";
import { encodeCentralRecord } from "../../domain/zip/write-records";
import { insertRows } from "./insert-rows";

interface EntryRow extends Record<string, SqlStorageValue> {
  kind: string;
  path: string;
  reason: string | null;
  hash: string | null;
  anchor: string | null;
  central: ArrayBuffer;
  extra_offset: number;
  extra_length: number;
  kept_when_copied: number;
  kept_when_replaced: number;
}

const columns = `session_id, seq, kind, path, reason, hash, anchor, central, extra_offset, extra_length,
  kept_when_copied, kept_when_replaced`;

/** Rows that are made at a time: a row has the central record, and all records together are as much as the central directory. */
const insertedMax = 200;

/** The entry index of the archive that each session stands on, and what that archive held when it was opened. */
export class ZipEntries {
  constructor(private readonly sql: SqlStorage) {}

  load(sessionId: string): IndexedEntry[] {
    const rows = this.sql.exec<EntryRow>("SELECT * FROM zip_entries WHERE session_id = ? ORDER BY seq", sessionId);
    return rows.toArray().map(entryOf);
  }

  /** Takes the place of whatever index the session had. */
  replace(sessionId: string, entries: readonly IndexedEntry[]): void {
    this.sql.exec("DELETE FROM zip_entries WHERE session_id = ?", sessionId);
    for (let at = 0; at < entries.length; at += insertedMax) {
      const rows = entries.slice(at, at + insertedMax).map((entry, index) => rowOf(sessionId, at + index, entry));
      insertRows(this.sql, `zip_entries (${columns})`, rows);
    }
  }

  /** Before the first new index: what the archive held at open stays known. */
  keepBaseline(sessionId: string): void {
    this.sql.exec(
      `INSERT OR IGNORE INTO zip_baselines (session_id, path, hash)
       SELECT session_id, path, hash FROM zip_entries WHERE session_id = ? AND kind = 'file'`,
      sessionId,
    );
  }

  /** Files by path as they were at open, where that was kept. */
  keptBaseline(sessionId: string): Map<string, string> {
    return this.hashes("SELECT path, hash FROM zip_baselines WHERE session_id = ?", sessionId);
  }

  /** Files by path in the archive that the session stands on. */
  files(sessionId: string): Map<string, string> {
    return this.hashes("SELECT path, hash FROM zip_entries WHERE session_id = ? AND kind = 'file'", sessionId);
  }

  /** Paths of files and directories that make up the tree of that archive. */
  treePaths(sessionId: string): { readonly kind: "file" | "directory"; readonly path: string }[] {
    return this.sql
      .exec<{ kind: "file" | "directory"; path: string }>(
        "SELECT kind, path FROM zip_entries WHERE session_id = ? AND kind IN ('file', 'directory')",
        sessionId,
      )
      .toArray();
  }

  remove(sessionId: string): void {
    this.sql.exec("DELETE FROM zip_entries WHERE session_id = ?", sessionId);
    this.sql.exec("DELETE FROM zip_baselines WHERE session_id = ?", sessionId);
  }

  private hashes(query: string, sessionId: string): Map<string, string> {
    const rows = this.sql.exec<{ path: string; hash: string }>(query, sessionId).toArray();
    return new Map(rows.map(({ path, hash }) => [path, hash]));
  }
}

function rowOf(sessionId: string, seq: number, entry: IndexedEntry) {
  const { record } = entry;
  return [
    sessionId,
    seq,
    entry.kind,
    entry.path,
    entry.reason,
    entry.hash,
    entry.anchor,
    encodeCentralRecord({ ...record, extra: withoutExtras(record.extra, droppedWhenCopied) }),
    entry.extraOffset,
    entry.extraLength,
    entry.keptWhenCopied,
    entry.keptWhenReplaced,
  ] as const;
}

function entryOf(row: EntryRow): IndexedEntry {
  const central = readCentralRecord(new Uint8Array(row.central), 0);
  if (!central.ok) throw new Error(`the stored record of ${row.path} cannot be read`);
  return {
    kind: row.kind as IndexedEntry["kind"],
    path: row.path,
    reason: row.reason as IndexedEntry["reason"],
    hash: row.hash,
    anchor: row.anchor,
    record: central.value.record,
    extraOffset: row.extra_offset,
    extraLength: row.extra_length,
    keptWhenCopied: row.kept_when_copied,
    keptWhenReplaced: row.kept_when_replaced,
  };
}
