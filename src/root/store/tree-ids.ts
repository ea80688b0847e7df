import { type Fingerprint, statusHash } from "../../domain/fingerprint";
import { emptyTreeOid, type GitOid, gitTreeId, type TreeEntry } from "../../domain/git-objects";
import type { Sha256 } from "../../domain/hash";
import { type RootPath, rootDirectory } from "../../domain/path";
import type { EditJournal } from "./edit-journal";

/** Without names of columns, which take several times as long for a large directory. */
type ChildRow = [path: RootPath, name: string, kind: "directory" | "file", oid: GitOid | null];

/** So many children of a directory are kept; more are read again. */
const keptChildrenMax = 1_000;

/** A directory with edits at or below it that wait. */
interface EditedDirectory {
  /** The newest of the edits. */
  readonly newest: number;
  readonly id: GitOid;
  /** Null: too many to keep. */
  readonly children: readonly ChildRow[] | null;
}

/**
 * Tree ids by directory, made when asked for and kept until something below changes: an edit costs the directories above it. Ids with
 * edits that wait are kept apart from those of the tables.
 */
export class TreeIds {
  private readonly edited = new Map<RootPath, EditedDirectory>();
  /** How many there had been when that was noted. */
  private settlements = 0;

  constructor(
    private readonly sql: SqlStorage,
    private readonly journal: EditJournal,
    /** Called when a directory got its id. */
    private readonly onMade: () => void,
  ) {}

  fingerprint(): Fingerprint {
    return { head_oid: "", index_oid: this.idOf(rootDirectory), status_hash: this.statusHash() };
  }

  private idOf(directory: RootPath): GitOid {
    const newest = this.journal.newestBelow(directory);
    if (newest !== undefined) return this.idWithEdits(directory, newest);
    const { git_oid: known } = this.sql
      .exec<{ git_oid: string | null }>("SELECT git_oid FROM nodes WHERE path = ?", directory)
      .one();
    return (known as GitOid | null) ?? this.makeId(directory);
  }

  /** While edits wait, nothing else changes the tables. */
  private idWithEdits(directory: RootPath, newest: number): GitOid {
    if (this.settlements !== this.journal.settlements) this.edited.clear();
    this.settlements = this.journal.settlements;
    const former = this.edited.get(directory);
    if (former?.newest === newest) return former.id;
    const children = former?.children ?? this.childrenOf(directory);
    const id = treeIdOf(children, ([path, , kind, known]) => {
      if (this.journal.newestBelow(path) === undefined) return known ?? this.idOf(path);
      const edit = kind === "file" ? this.journal.latest(path) : undefined;
      return edit === undefined ? this.idOf(path) : this.journal.gitIdOf(edit);
    });
    this.edited.set(directory, { newest, id, children: children.length > keptChildrenMax ? null : children });
    return id;
  }

  private makeId(directory: RootPath): GitOid {
    const id = treeIdOf(this.childrenOf(directory), ([path, , , known]) => known ?? this.makeId(path));
    this.sql.exec("UPDATE nodes SET git_oid = ? WHERE path = ?", id, directory);
    this.onMade();
    return id;
  }

  /** All of them before the next statement: ids that are made on the way change the table. */
  private childrenOf(directory: RootPath): ChildRow[] {
    return [
      ...this.sql.exec("SELECT path, name, kind, git_oid FROM nodes WHERE parent = ?", directory).raw<ChildRow>(),
    ];
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

function treeIdOf(children: readonly ChildRow[], idOf: (child: ChildRow) => GitOid): GitOid {
  const entries: TreeEntry[] = [];
  for (const child of children) {
    const [, name, kind] = child;
    const oid = idOf(child);
    // For git a directory without files does not exist.
    if (oid !== emptyTreeOid) entries.push({ name, type: kind === "file" ? "file" : "dir", oid });
  }
  return gitTreeId(entries);
}
