import type { GitOid } from "../../domain/git-objects";
import type { Sha256 } from "../../domain/hash";
import { ancestorsOf, nameOf, parentOf, type RootPath, rootDirectory } from "../../domain/path";
import type { DirectoryEntry, RootUsage } from "../contract";

export interface FileNode {
  readonly kind: "file";
  readonly path: RootPath;
  readonly blob: Sha256;
  readonly gitOid: GitOid;
  readonly size: number;
  /** Null: not text. */
  readonly lines: number | null;
}

export interface DirectoryNode {
  readonly kind: "directory";
  readonly path: RootPath;
}

export type Node = FileNode | DirectoryNode;

/** What the tree keeps of a file's content. */
export type FileFacts = Pick<FileNode, "blob" | "gitOid" | "size" | "lines">;

interface NodeRow extends Record<string, SqlStorageValue> {
  path: string;
  kind: "directory" | "file";
  blob: string | null;
  git_oid: string | null;
  size: number;
  lines: number | null;
}

/** The live tree. Every change keeps the counters and drops the tree ids that it makes wrong; callers open the transaction. */
export class Tree {
  constructor(private readonly sql: SqlStorage) {}

  find(path: RootPath): Node | null {
    const row = this.sql
      .exec<NodeRow>("SELECT path, kind, blob, git_oid, size, lines FROM nodes WHERE path = ?", path)
      .toArray()[0];
    return row === undefined ? null : nodeOf(row);
  }

  /** What exists above `path`, the root first. */
  existingAncestors(path: RootPath): Node[] {
    return this.sql
      .exec<NodeRow>(
        `SELECT path, kind, blob, git_oid, size, lines FROM nodes
          WHERE path IN (SELECT value FROM json_each(?)) ORDER BY length(path)`,
        JSON.stringify(ancestorsOf(path)),
      )
      .toArray()
      .map(nodeOf);
  }

  /** The deepest directory above `path` that exists. */
  nearestDirectory(path: RootPath): RootPath {
    return this.existingAncestors(path).findLast((node) => node.kind === "directory")?.path ?? rootDirectory;
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
    return this.sql.exec<{ files: number; directories: number; bytes: number }>("SELECT * FROM usage").one();
  }

  /** Adds a file and the directories that it still lacks; gives the directories that are new. */
  addFile(path: RootPath, facts: FileFacts, nowMs: number): RootPath[] {
    const existing = new Set(this.existingAncestors(path).map((node) => node.path));
    const missing = ancestorsOf(path).filter((ancestor) => !existing.has(ancestor));
    for (const directory of missing) {
      this.sql.exec(
        "INSERT INTO nodes (path, parent, name, kind, mtime_ms) VALUES (?, ?, ?, 'directory', ?)",
        directory,
        parentOf(directory),
        nameOf(directory),
        nowMs,
      );
    }
    this.sql.exec(
      `INSERT INTO nodes (path, parent, name, kind, blob, git_oid, size, lines, mtime_ms)
       VALUES (?, ?, ?, 'file', ?, ?, ?, ?, ?)`,
      path,
      parentOf(path),
      nameOf(path),
      facts.blob,
      facts.gitOid,
      facts.size,
      facts.lines,
      nowMs,
    );
    this.count(1, missing.length, facts.size);
    this.forgetTreeIds(path);
    this.forgetPathList();
    return missing;
  }

  replaceFile(former: FileNode, facts: FileFacts, nowMs: number): void {
    this.sql.exec(
      "UPDATE nodes SET blob = ?, git_oid = ?, size = ?, lines = ?, mtime_ms = ? WHERE path = ?",
      facts.blob,
      facts.gitOid,
      facts.size,
      facts.lines,
      nowMs,
      former.path,
    );
    this.count(0, 0, facts.size - former.size);
    this.forgetTreeIds(former.path);
  }

  removeFile(file: FileNode): void {
    this.sql.exec("DELETE FROM nodes WHERE path = ?", file.path);
    this.count(-1, 0, -file.size);
    this.forgetTreeIds(file.path);
    this.forgetPathList();
  }

  /** Removes a file, or a directory with everything below it. */
  removeTree(path: RootPath): void {
    const below = [path, `${path}/`, `${path}0`];
    const where = "path = ?1 OR (path > ?2 AND path < ?3)";
    const gone = this.sql
      .exec<{ files: number; directories: number; bytes: number }>(
        `SELECT count(*) FILTER (WHERE kind = 'file') AS files, count(*) FILTER (WHERE kind = 'directory') AS directories,
                coalesce(sum(size), 0) AS bytes FROM nodes WHERE ${where}`,
        ...below,
      )
      .one();
    this.sql.exec(`DELETE FROM nodes WHERE ${where}`, ...below);
    this.count(-gone.files, -gone.directories, -gone.bytes);
    this.forgetTreeIds(path);
    this.forgetPathList();
  }

  private count(files: number, directories: number, bytes: number): void {
    this.sql.exec(
      "UPDATE usage SET files = files + ?, directories = directories + ?, bytes = bytes + ?",
      files,
      directories,
      bytes,
    );
  }

  private forgetTreeIds(path: RootPath): void {
    this.sql.exec(
      "UPDATE nodes SET git_oid = NULL WHERE path IN (SELECT value FROM json_each(?)) AND git_oid IS NOT NULL",
      JSON.stringify(ancestorsOf(path)),
    );
  }

  /** The status hash covers the list of paths alone; it is made anew when next asked for. */
  private forgetPathList(): void {
    this.sql.exec("DELETE FROM meta WHERE key = 'status_hash'");
  }
}

function nodeOf(row: NodeRow): Node {
  const path = row.path as RootPath;
  if (row.kind === "directory") return { kind: "directory", path };
  return {
    kind: "file",
    path,
    blob: row.blob as Sha256,
    gitOid: row.git_oid as GitOid,
    size: row.size,
    lines: row.lines,
  };
}
