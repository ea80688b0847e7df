import { type Fingerprint, statusHash } from "../../domain/fingerprint";
import { emptyTreeOid, type GitOid, gitTreeId, type TreeEntry } from "../../domain/git-objects";
import type { Sha256 } from "../../domain/hash";
import { type RootPath, rootDirectory } from "../../domain/path";

/** Without names of columns, which take several times as long for a large directory. */
type ChildRow = [path: RootPath, name: string, kind: "directory" | "file", oid: GitOid | null];

/** Tree ids by directory, made when asked for and kept until something below changes: an edit costs the directories above it. */
export class TreeIds {
  constructor(
    private readonly sql: SqlStorage,
    /** Called when a directory got its id. */
    private readonly onMade: () => void,
  ) {}

  fingerprint(): Fingerprint {
    return { head_oid: "", index_oid: this.idOf(rootDirectory), status_hash: this.statusHash() };
  }

  private idOf(directory: RootPath): GitOid {
    const { git_oid: known } = this.sql
      .exec<{ git_oid: string | null }>("SELECT git_oid FROM nodes WHERE path = ?", directory)
      .one();
    return (known as GitOid | null) ?? this.makeId(directory);
  }

  private makeId(directory: RootPath): GitOid {
    const entries: TreeEntry[] = [];
    // All of them before the next statement: ids that are made on the way change the table.
    const children = [
      ...this.sql.exec("SELECT path, name, kind, git_oid FROM nodes WHERE parent = ?", directory).raw<ChildRow>(),
    ];
    for (const [path, name, kind, known] of children) {
      const oid = known ?? this.makeId(path);
      // For git a directory without files does not exist.
      if (oid !== emptyTreeOid) entries.push({ name, type: kind === "file" ? "file" : "dir", oid });
    }
    const id = gitTreeId(entries);
    this.sql.exec("UPDATE nodes SET git_oid = ? WHERE path = ?", id, directory);
    this.onMade();
    return id;
  }

  private statusHash(): Sha256 {
    const row = this.sql.exec<{ value: string }>("SELECT value FROM meta WHERE key = 'status_hash'").toArray()[0];
    if (row !== undefined) return row.value as Sha256;
    const hash = statusHash(this.filePaths());
    this.sql.exec("INSERT INTO meta (key, value) VALUES ('status_hash', ?)", hash);
    return hash;
  }

  /** In the order of their UTF-8 bytes, which is SQLite's. */
  private *filePaths(): Generator<RootPath> {
    for (const { path } of this.sql.exec<{ path: string }>(
      "SELECT path FROM nodes WHERE kind = 'file' ORDER BY path",
    )) {
      yield path as RootPath;
    }
  }
}
