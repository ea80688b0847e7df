import type { IndexedEntry } from "../../domain/zip/entry-index";
import { decodeIndex, encodeIndex, type IndexedPath, indexedPaths } from "../../domain/zip/index-parts";

/** Of the archive that the session stands on; of the one that was opened, from the first sync on. */
type Which = "current" | "opened";

/** The entry index of the archive that each session stands on, and what that archive held when it was opened. */
export class ZipEntries {
  constructor(private readonly sql: SqlStorage) {}

  load(sessionId: string): IndexedEntry[] {
    return decodeIndex(this.parts(sessionId, "current"));
  }

  insert(sessionId: string, entries: readonly IndexedEntry[]): void {
    let number = 0;
    for (const part of encodeIndex(entries)) {
      this.sql.exec(
        "INSERT INTO zip_indexes (session_id, which, number, part) VALUES (?, 'current', ?, ?)",
        sessionId,
        number++,
        part,
      );
    }
  }

  /** Takes the place of the index that the session had. The one from before the first sync is kept: it tells what was opened. */
  replace(sessionId: string, entries: readonly IndexedEntry[], isFirst: boolean): void {
    this.sql.exec(
      isFirst
        ? "UPDATE zip_indexes SET which = 'opened' WHERE session_id = ?"
        : "DELETE FROM zip_indexes WHERE session_id = ? AND which = 'current'",
      sessionId,
    );
    this.insert(sessionId, entries);
  }

  /** Files by path as they were at open, where that was kept. */
  keptBaseline(sessionId: string): Map<string, string> {
    return hashesOf(indexedPaths(this.parts(sessionId, "opened")));
  }

  /** What the archive that the session stands on has. */
  paths(sessionId: string): IndexedPath[] {
    return [...indexedPaths(this.parts(sessionId, "current"))];
  }

  remove(sessionId: string): void {
    this.sql.exec("DELETE FROM zip_indexes WHERE session_id = ?", sessionId);
  }

  private parts(sessionId: string, which: Which): string[] {
    return this.sql
      .exec<{ part: string }>(
        "SELECT part FROM zip_indexes WHERE session_id = ? AND which = ? ORDER BY number",
        sessionId,
        which,
      )
      .toArray()
      .map(({ part }) => part);
  }
}

/** Files by path. */
export function hashesOf(paths: Iterable<IndexedPath>): Map<string, string> {
  const hashes = new Map<string, string>();
  for (const { kind, path, hash } of paths) if (kind === "file" && hash !== null) hashes.set(path, hash);
  return hashes;
}
