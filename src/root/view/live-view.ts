import type { GitOid } from "../../domain/git-objects";
import type { Sha256 } from "../../domain/hash";
import { listingKeptMaxFiles } from "../../domain/limits";
import { type RootPath, rootDirectory } from "../../domain/path";
import type { Tree } from "../store/tree";
import type { EntryPage, TreeView, ViewFile } from "./tree-view";

interface FileRow extends Record<string, SqlStorageValue> {
  path: string;
  blob: string;
  git_oid: string;
  size: number;
  lines: number | null;
}

const withoutZipfs = "AND path <> '/.zipfs' AND NOT (path > '/.zipfs/' AND path < '/.zipfs0')";

/** The live tree as its tables have it at this instant: whoever needs it to hold together takes all of it before the first await. */
export class LiveView implements TreeView {
  /** All files, as they were at that revision of the tree. */
  private listing: { readonly revision: number; readonly files: readonly ViewFile[] } | null = null;

  constructor(
    private readonly sql: SqlStorage,
    private readonly tree: Tree,
  ) {}

  fileAt(path: RootPath): ViewFile | null {
    const row = this.sql
      .exec<FileRow>("SELECT path, blob, git_oid, size, lines FROM nodes WHERE path = ? AND kind = 'file'", path)
      .toArray()[0];
    return row === undefined ? null : fileOf(row);
  }

  isDirectory(path: RootPath): boolean {
    return this.sql.exec("SELECT 1 FROM nodes WHERE path = ? AND kind = 'directory'", path).toArray().length > 0;
  }

  filesBelow(path: RootPath): readonly ViewFile[] {
    if (path !== rootDirectory) return this.list(path);
    const revision = this.tree.revisionInTables;
    if (this.listing?.revision === revision) return this.listing.files;
    const files = this.list(path);
    this.listing = files.length > listingKeptMaxFiles ? null : { revision, files };
    return files;
  }

  fileCountBelow(directory: RootPath): number {
    return this.tree.usageBelow(directory).files;
  }

  private list(path: RootPath): ViewFile[] {
    const { from, to, left } = rangeBelow(path);
    const rows = this.sql
      .exec(
        `SELECT path, blob, git_oid, size, lines FROM nodes
          WHERE kind = 'file' AND (path = ?1 OR (path > ?2 AND path < ?3)) ${left} ORDER BY path`,
        path,
        from,
        to,
      )
      .raw<[path: RootPath, blob: Sha256, gitOid: GitOid, size: number, lines: number | null]>();
    return Array.from(rows, ([at, blob, gitOid, size, lines]) => ({ path: at, blob, gitOid, size, lines }));
  }

  entriesBelow(path: RootPath, depth: number, limit: number, offset: number): EntryPage {
    const { from, to, left } = rangeBelow(path);
    // One level has an index of its own, and is no walk: nothing is left out of it.
    const where =
      depth === 1
        ? "parent = ?1"
        : `path > ?2 AND path < ?3 AND length(path) - length(replace(path, '/', '')) < ?4 ${left}`;
    const bindings = depth === 1 ? [path] : [path, from, to, slashesIn(from) + depth];
    const { total } = this.sql
      .exec<{ total: number }>(`SELECT count(*) AS total FROM nodes WHERE ${where}`, ...bindings)
      .one();
    const entries = this.sql
      .exec<{ path: RootPath; kind: string; size: number; git_oid: string }>(
        `SELECT path, kind, size, git_oid FROM nodes WHERE ${where} ORDER BY path LIMIT ${limit} OFFSET ${offset}`,
        ...bindings,
      )
      .toArray()
      .map(({ path: at, kind, size, git_oid: gitOid }) =>
        kind === "file" ? ({ path: at, type: "file", size, gitOid } as const) : ({ path: at, type: "dir" } as const),
      );
    return { entries, total };
  }
}

/** Everything below a directory lies between `dir/` and `dir0`, because `0` follows `/`. */
function rangeBelow(path: RootPath): { readonly from: string; readonly to: string; readonly left: string } {
  const from = path === "/" ? "/" : `${path}/`;
  return { from, to: `${from.slice(0, -1)}0`, left: path === "/" ? withoutZipfs : "" };
}

function slashesIn(text: string): number {
  return text.split("/").length - 1;
}

function fileOf(row: FileRow): ViewFile {
  return {
    path: row.path as RootPath,
    blob: row.blob as Sha256,
    gitOid: row.git_oid as GitOid,
    size: row.size,
    lines: row.lines,
  };
}
