import type { Sha256 } from "../../domain/hash";
import type { FormerVersion } from "../../domain/history";
import { historyMaxMs, historyVersionsMax } from "../../domain/limits";
import type { RootPath } from "../../domain/path";
import { insertRows } from "./insert-rows";

export interface KnownHistory {
  readonly blobs: readonly Sha256[];
  readonly lastSeq: number;
}

const beyond = "path = ? ORDER BY seq DESC LIMIT -1 OFFSET ?";

/** Former versions of each path (text.md §6.3). The current one stands in the tree and counts as one of the known. */
export class Versions {
  constructor(private readonly sql: SqlStorage) {}

  /** Was this content at this path, and is that still known? */
  knows(path: RootPath, blob: Sha256, nowMs: number): boolean {
    const rows = this.sql
      .exec(
        "SELECT 1 FROM versions WHERE path = ? AND blob = ? AND replaced_at_ms > ?",
        path,
        blob,
        nowMs - historyMaxMs,
      )
      .toArray();
    return rows.length > 0;
  }

  /** Former versions of the path, the oldest first. */
  of(path: RootPath): KnownHistory {
    const rows = [
      ...this.sql
        .exec("SELECT blob, seq FROM versions WHERE path = ? ORDER BY seq", path)
        .raw<[blob: Sha256, seq: number]>(),
    ];
    return { blobs: rows.map(([blob]) => blob), lastSeq: rows.at(-1)?.[1] ?? 0 };
  }

  /** What several changes at once make of the history of a path. */
  change(path: RootPath, known: KnownHistory, added: readonly FormerVersion[], dropped: readonly Sha256[]): void {
    const moved = new Set([...dropped, ...added.map(({ blob }) => blob)]);
    const gone = known.blobs.filter((blob) => moved.has(blob));
    if (gone.length > 0) {
      this.sql.exec(
        "DELETE FROM versions WHERE path = ? AND blob IN (SELECT value FROM json_each(?))",
        path,
        JSON.stringify(gone),
      );
    }
    insertRows(
      this.sql,
      "versions (path, blob, seq, replaced_at_ms)",
      added.map(({ blob, replacedAtMs }, index) => [path, blob, known.lastSeq + 1 + index, replacedAtMs]),
    );
  }

  /** Notes that `former` gave way to `current` (null: the file was removed). Returns the contents that fell out of the history. */
  record(path: RootPath, former: Sha256, current: Sha256 | null, nowMs: number): Sha256[] {
    this.sql.exec(
      `INSERT OR REPLACE INTO versions (path, blob, seq, replaced_at_ms)
       SELECT ?1, ?2, coalesce(max(seq), 0) + 1, ?3 FROM versions WHERE path = ?1`,
      path,
      former,
      nowMs,
    );
    return this.settle(path, current);
  }

  /** Brings the history of a path in line with what is current now. A version that came back is not a former one any more. */
  settle(path: RootPath, current: Sha256 | null): Sha256[] {
    if (current === null) return this.forget(beyond, path, historyVersionsMax);
    this.sql.exec("DELETE FROM versions WHERE path = ? AND blob = ?", path, current);
    return this.forget(beyond, path, historyVersionsMax - 1);
  }

  /** Drops versions that are too old to be known; returns their contents. */
  forgetOld(nowMs: number, max: number): Sha256[] {
    return this.forget("replaced_at_ms <= ? ORDER BY replaced_at_ms LIMIT ?", nowMs - historyMaxMs, max);
  }

  /** Drops the history of everything below a directory that is gone for good; returns its contents. */
  forgetBelow(directory: RootPath): Sha256[] {
    return this.forget("path > ? AND path < ?", `${directory}/`, `${directory}0`);
  }

  nextEndMs(): number | null {
    const oldest = this.sql.exec<{ ms: number | null }>("SELECT min(replaced_at_ms) AS ms FROM versions").one().ms;
    return oldest === null ? null : oldest + historyMaxMs;
  }

  private forget(which: string, ...bindings: SqlStorageValue[]): Sha256[] {
    return this.sql
      .exec<{ blob: string }>(
        `DELETE FROM versions WHERE (path, blob) IN (SELECT path, blob FROM versions WHERE ${which}) RETURNING blob`,
        ...bindings,
      )
      .toArray()
      .map(({ blob }) => blob as Sha256);
  }
}
