import type { RootPath } from "../../domain/path";
import type { DirectoryEntry, RootUsage } from "../contract";

/** The live tree. `/` is implicit and always a directory. */
export class Tree {
  constructor(private readonly sql: SqlStorage) {}

  kindOf(path: RootPath): "directory" | "file" | null {
    if (path === "/") return "directory";
    const row = this.sql
      .exec<{ kind: "directory" | "file" }>("SELECT kind FROM nodes WHERE path = ?", path)
      .toArray()[0];
    return row?.kind ?? null;
  }

  /** Directories first, then files, each by the UTF-8 bytes of the name, as SQLite's binary collation does. */
  children(path: RootPath, limit: number, offset: number): DirectoryEntry[] {
    return this.sql
      .exec<{ name: string; kind: "directory" | "file" }>(
        "SELECT name, kind FROM nodes WHERE parent = ? ORDER BY kind, name LIMIT ? OFFSET ?",
        path,
        limit,
        offset,
      )
      .toArray()
      .map(({ name, kind }) => ({ name, type: kind }));
  }

  childCount(path: RootPath): number {
    return this.sql.exec<{ n: number }>("SELECT count(*) AS n FROM nodes WHERE parent = ?", path).one().n;
  }

  usage(): RootUsage {
    return this.sql
      .exec<{ files: number; bytes: number }>(
        "SELECT count(*) AS files, coalesce(sum(size), 0) AS bytes FROM nodes WHERE kind = 'file'",
      )
      .one();
  }
}
