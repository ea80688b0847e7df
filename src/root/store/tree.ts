import type { GitOid } from "../../domain/git-objects";
import type { Sha256 } from "../../domain/hash";
import { ancestorsOf, nameOf, parentOf, type RootPath, rootDirectory } from "../../domain/path";
import type { RootUsage } from "../contract";
import { insertRows } from "./insert-rows";
import { KnownNodes } from "./known-nodes";
import type { SettledSql } from "./settled-storage";
import { type Timed, TreeListing } from "./tree-listing";

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

const withoutIdMax = 10_000;

/** The live tree. Every change keeps the counters and drops the tree ids that it makes wrong; callers open the transaction. */
export class Tree extends TreeListing {
  #revision = 0;
  /** Directories whose ids are forgotten for sure, so that the next edit below them need not do it again. */
  readonly #withoutId = new Set<RootPath>();
  readonly #known = new KnownNodes();
  /** Null until asked for. */
  #usage: RootUsage | null = null;

  constructor(
    sql: SettledSql,
    /** Without the edits that wait in the journal. */
    private readonly tables: SqlStorage,
  ) {
    super(sql);
  }

  /** Another number after every change of the tables: what was taken from them at the same number is still true. */
  get revisionInTables(): number {
    return this.#revision;
  }

  /** A transaction that may have changed the tree was undone. */
  undone(): void {
    this.#revision++;
    this.#withoutId.clear();
    this.#known.clear();
    this.#usage = null;
  }

  /** Directories have got their ids again. */
  idsMade(): void {
    this.#withoutId.clear();
  }

  find(path: RootPath): Node | null {
    this.sql.settle();
    return this.findInTables(path);
  }

  /** Without the edits that wait in the journal. */
  findInTables(path: RootPath): Node | null {
    const known = this.#known.get(path);
    if (known !== undefined) return known;
    const node = this.lookUp(path);
    this.#known.add(path, node);
    return node;
  }

  private lookUp(path: RootPath): Node | null {
    const row = this.tables
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

  usage(): RootUsage {
    this.sql.settle();
    return this.usageInTables();
  }

  /** Without the edits that wait in the journal. */
  usageInTables(): RootUsage {
    this.#usage ??= this.tables
      .exec<{ files: number; directories: number; bytes: number }>("SELECT * FROM usage")
      .one();
    return this.#usage;
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
    this.nodesChanged(1, missing.length, facts.size);
    this.forgetTreeIds(path);
    this.forgetPathList();
    return missing;
  }

  /** Adds a directory and those above it that it lacks. */
  addDirectory(path: RootPath, nowMs: number): void {
    const existing = new Set(this.existingAncestors(path).map((node) => node.path));
    const missing = [...ancestorsOf(path), path].filter((ancestor) => !existing.has(ancestor));
    this.addAll(
      missing.map((directory) => ({ path: directory, mtimeMs: nowMs })),
      [],
    );
    this.forgetTreeIds(path);
  }

  /** Adds many nodes below a directory that `addDirectory` has just made. Every directory comes before what is in it. */
  addAll(directories: readonly Timed[], files: readonly (Timed & FileFacts)[]): void {
    insertRows(
      this.sql,
      "nodes (path, parent, name, kind, mtime_ms)",
      directories.map(({ path, mtimeMs }) => [path, parentOf(path), nameOf(path), "directory", mtimeMs]),
    );
    insertRows(
      this.sql,
      "nodes (path, parent, name, kind, blob, git_oid, size, lines, mtime_ms)",
      files.map(({ path, mtimeMs, blob, gitOid, size, lines }) => {
        return [path, parentOf(path), nameOf(path), "file", blob, gitOid, size, lines, mtimeMs];
      }),
    );
    this.nodesChanged(
      files.length,
      directories.length,
      files.reduce((sum, file) => sum + file.size, 0),
    );
    this.forgetPathList();
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
    this.#revision++;
    this.count(0, 0, facts.size - former.size);
    const { blob, gitOid, size, lines } = facts;
    this.#known.add(former.path, { kind: "file", path: former.path, blob, gitOid, size, lines });
    this.forgetTreeIds(former.path);
  }

  removeFile(file: FileNode): void {
    this.sql.exec("DELETE FROM nodes WHERE path = ?", file.path);
    this.nodesChanged(-1, 0, -file.size);
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
    this.nodesChanged(-gone.files, -gone.directories, -gone.bytes);
    this.forgetTreeIds(path);
    this.forgetPathList();
  }

  /** Every change that makes nodes or takes them away comes here. */
  private nodesChanged(files: number, directories: number, bytes: number): void {
    this.#revision++;
    this.#known.clear();
    this.count(files, directories, bytes);
  }

  private count(files: number, directories: number, bytes: number): void {
    if (files === 0 && directories === 0 && bytes === 0) return;
    const { files: formerFiles, directories: formerDirectories, bytes: formerBytes } = this.usageInTables();
    this.#usage = {
      files: formerFiles + files,
      directories: formerDirectories + directories,
      bytes: formerBytes + bytes,
    };
    this.sql.exec(
      "UPDATE usage SET files = files + ?, directories = directories + ?, bytes = bytes + ?",
      files,
      directories,
      bytes,
    );
  }

  private forgetTreeIds(path: RootPath): void {
    const ancestors = ancestorsOf(path);
    if (ancestors.every((directory) => this.#withoutId.has(directory))) return;
    this.sql.exec(
      "UPDATE nodes SET git_oid = NULL WHERE path IN (SELECT value FROM json_each(?)) AND git_oid IS NOT NULL",
      JSON.stringify(ancestors),
    );
    if (this.#withoutId.size > withoutIdMax) this.#withoutId.clear();
    for (const directory of ancestors) this.#withoutId.add(directory);
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
