import type { Sha256 } from "../../domain/hash";
import type { RootPath } from "../../domain/path";
import type { ArchiveIndex } from "../../domain/zip/entry-index";
import { contentsPath } from "../../domain/zip/workspace-path";

export interface ZipSession {
  readonly id: string;
  /** `""` if it has none. */
  readonly name: string;
  readonly sourcePath: RootPath;
  readonly createdAtMs: number;
  readonly accessedAtMs: number;
  readonly syncedAtMs: number | null;
  readonly state: "open" | "syncing";
  /** Of the source when it was opened, or at the last sync. */
  readonly zipHash: Sha256;
  /** The archive that raw entries are copied from; kept as long as the session lives. */
  readonly baseBlob: Sha256;
  readonly baseSize: number;
  readonly extractedBytes: number;
  readonly fileCount: number;
  readonly nesting: number;
  /** After the first sync, what the archive held at open is kept apart from its index. */
  readonly baselineKept: boolean;
}

type SessionRow = Record<string, SqlStorageValue> & {
  [Field in keyof Omit<ZipSession, "baselineKept">]: SqlStorageValue;
} & { baselineKept: number };

const columns = `id, name, source_path AS sourcePath, created_at_ms AS createdAtMs, accessed_at_ms AS accessedAtMs,
  synced_at_ms AS syncedAtMs, state, zip_hash AS zipHash, base_blob AS baseBlob, base_size AS baseSize,
  extracted_bytes AS extractedBytes, file_count AS fileCount, nesting, baseline_kept AS baselineKept`;

/** What is known of an archive besides its entries. */
export type ArchiveFrame = Omit<ArchiveIndex, "entries">;

/** The user's zip sessions. Not those of the transport: they outlive every connection. */
export class ZipSessions {
  constructor(private readonly sql: SqlStorage) {}

  /** In the order of their age. */
  all(): ZipSession[] {
    return this.sql
      .exec<SessionRow>(`SELECT ${columns} FROM zip_sessions ORDER BY created_at_ms, id`)
      .toArray()
      .map((row) => ({ ...row, baselineKept: row.baselineKept === 1 }) as unknown as ZipSession);
  }

  find(id: string): ZipSession | null {
    return this.all().find((session) => session.id === id) ?? null;
  }

  /** The session whose workspace has this directory name. */
  ofDirectory(directory: string): ZipSession | null {
    const contents = contentsPath({ id: directory, name: "" });
    return this.all().find((session) => contentsPath(session) === contents) ?? null;
  }

  insert(session: ZipSession, frame: ArchiveFrame): void {
    this.sql.exec(
      `INSERT INTO zip_sessions (id, name, source_path, created_at_ms, accessed_at_ms, state, zip_hash, base_blob, base_size,
         extracted_bytes, file_count, nesting, prefix_length, base_offset, comment)
       VALUES (?, ?, ?, ?, ?, 'open', ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      session.id,
      session.name,
      session.sourcePath,
      session.createdAtMs,
      session.accessedAtMs,
      session.zipHash,
      session.baseBlob,
      session.baseSize,
      session.extractedBytes,
      session.fileCount,
      session.nesting,
      frame.prefixLength,
      frame.base,
      frame.comment,
    );
  }

  frameOf(id: string): ArchiveFrame {
    const {
      prefix_length: prefixLength,
      base_offset: base,
      comment,
    } = this.sql
      .exec<{ prefix_length: number; base_offset: number; comment: ArrayBuffer }>(
        "SELECT prefix_length, base_offset, comment FROM zip_sessions WHERE id = ?",
        id,
      )
      .one();
    return { prefixLength, base, comment: new Uint8Array(comment) };
  }

  touch(id: string, nowMs: number): void {
    this.sql.exec("UPDATE zip_sessions SET accessed_at_ms = ? WHERE id = ?", nowMs, id);
  }

  setState(id: string, state: ZipSession["state"]): void {
    this.sql.exec("UPDATE zip_sessions SET state = ? WHERE id = ?", state, id);
  }

  markSynced(id: string, nowMs: number): void {
    this.sql.exec("UPDATE zip_sessions SET synced_at_ms = ?1, accessed_at_ms = ?1 WHERE id = ?2", nowMs, id);
  }

  /** A sync made another archive the one that the session stands on. */
  setBase(id: string, blob: Sha256, size: number): void {
    this.sql.exec(
      "UPDATE zip_sessions SET zip_hash = ?1, base_blob = ?1, base_size = ?2, baseline_kept = 1 WHERE id = ?3",
      blob,
      size,
      id,
    );
  }

  remove(id: string): void {
    this.sql.exec("DELETE FROM zip_sessions WHERE id = ?", id);
  }
}
