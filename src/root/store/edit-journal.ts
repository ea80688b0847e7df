import { type GitOid, gitBlobId } from "../../domain/git-objects";
import type { Sha256 } from "../../domain/hash";
import { historyVersionsMax, inlineBlobMaxBytes } from "../../domain/limits";
import { ancestorsOf, type RootPath } from "../../domain/path";
import type { Splice } from "../../domain/splice";

/** Edits that wait at most. */
const editsMax = 256;
/** Bytes of all their texts together: what has to be made again when they are brought into the tables. */
const bytesMax = 32 * 1024 * 1024;
/** Bytes of the newest text of each file: what is in memory. */
const heldMaxBytes = 4 * 1024 * 1024;
/** A longer piece of text is stored as content at once. */
const spliceMaxCharacters = 16 * 1024;

/** An edit that is durable as a row of the journal, and not yet in the tables of the tree. */
export interface WaitingEdit {
  readonly path: RootPath;
  readonly blob: Sha256;
  readonly size: number;
  readonly lines: number;
  readonly atMs: number;
  readonly splice: Splice;
}

/** The newest edit of a path, with the text that it led to. After the object had gone the text is made when somebody asks. */
export interface LatestEdit extends WaitingEdit {
  readonly text: string;
}

type FormerFacts = Pick<WaitingEdit, "blob" | "size">;

export interface JournalRow {
  readonly seq: number;
  readonly edit: WaitingEdit;
  /** What the tables have at its path; null: no file. */
  readonly stored: FormerFacts | null;
}

interface StoredRow extends Record<string, SqlStorageValue> {
  seq: number;
  path: string;
  blob: string;
  size: number;
  lines: number;
  at_ms: number;
  from_unit: number;
  to_unit: number;
  given: ArrayBuffer;
  stored_blob: string | null;
  stored_size: number | null;
}

/**
 * Edits of texts in a row. Each is one short row: what gave way to what, whatever the size of the file. The tables of the tree get them
 * together, when somebody looks there or too many wait, and then only the versions that are still in the history.
 */
export class EditJournal {
  #waiting: WaitingEdit[] = [];
  readonly #latest = new Map<RootPath, LatestEdit>();
  /** What gave way, the oldest first. */
  readonly #replaced = new Map<RootPath, Sha256[]>();
  /** The newest row at each path, or below it. */
  readonly #newest = new Map<RootPath, number>();
  readonly #gitIds = new WeakMap<LatestEdit, GitOid>();
  #bytes = 0;
  #heldBytes = 0;
  #growthBytes = 0;
  /** Of the newest row. */
  #seq = 0;
  #settlements = 0;

  /** Not the settled storage: this is what has to be settled. */
  constructor(private readonly sql: SqlStorage) {}

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  get isFull(): boolean {
    return this.#waiting.length >= editsMax || this.#bytes >= bytesMax || this.#heldBytes >= heldMaxBytes;
  }

  /** The bytes that the root will have more than its tables say. */
  get growthBytes(): number {
    return this.#growthBytes;
  }

  /** The newest edit of a path. */
  latest(path: RootPath): LatestEdit | undefined {
    return this.#latest.get(path);
  }

  /** Another number with every edit at the path or below it; undefined while none waits there. */
  newestBelow(path: RootPath): number | undefined {
    return this.#newest.get(path);
  }

  /** Made when somebody asks: most edits give way to another before. */
  gitIdOf(edit: LatestEdit): GitOid {
    let id = this.#gitIds.get(edit);
    if (id === undefined) {
      id = gitBlobId(new TextEncoder().encode(edit.text));
      this.#gitIds.set(edit, id);
    }
    return id;
  }

  /** Whether that is among the versions of the path that gave way last, and so in its history (text.md §6.3). */
  knows(path: RootPath, version: Sha256): boolean {
    return (
      this.#replaced
        .get(path)
        ?.slice(1 - historyVersionsMax)
        .includes(version) ?? false
    );
  }

  /** Another number after those that waited have come into the tables, which may have changed since. */
  get settlements(): number {
    return this.#settlements;
  }

  /** In the order in which they were made. */
  get waiting(): readonly WaitingEdit[] {
    return this.#waiting;
  }

  /** Whether such an edit may wait: what it changes is not too much. */
  takes({ size, splice }: WaitingEdit): boolean {
    return size <= inlineBlobMaxBytes && splice.text.length <= spliceMaxCharacters;
  }

  /**
   * Whether an edit of that content, which the tables name, can be made again without asking R2. That a text is remembered does not tell:
   * another file may have had it for a moment.
   */
  hasBase(blob: Sha256): boolean {
    const [row] = this.sql.exec<{ is_inline: number }>("SELECT is_inline FROM blobs WHERE hash = ?", blob).toArray();
    return row?.is_inline === 1;
  }

  /** Durable with the answer that follows. `text`: what it led to; `former`: the version that it was made for. */
  add(edit: WaitingEdit, text: string, former: FormerFacts): void {
    const { splice } = edit;
    const seq = this.#seq + 1;
    try {
      this.sql.exec(
        `INSERT INTO edit_journal (seq, path, blob, size, lines, at_ms, from_unit, to_unit, given)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        seq,
        edit.path,
        edit.blob,
        edit.size,
        edit.lines,
        edit.atMs,
        splice.start,
        splice.end,
        new TextEncoder().encode(splice.text),
      );
    } catch (error) {
      // The caller is told that nothing was done.
      this.sql.exec("DELETE FROM edit_journal WHERE seq = ?", seq);
      throw error;
    }
    this.#hold(seq, edit, { ...edit, text }, former);
  }

  /** What waits again after the object had gone. `textOf` makes the text that an edit led to. */
  restore(textOf: (edit: WaitingEdit) => string): void {
    for (const { seq, edit, stored } of this.#rows()) {
      const former = this.#latest.get(edit.path) ?? stored;
      if (former === null) throw new Error(`edits wait for ${edit.path}, and no file is there`);
      this.#hold(seq, edit, withText(edit, textOf), former);
    }
  }

  #hold(seq: number, edit: WaitingEdit, latest: LatestEdit, former: FormerFacts): void {
    this.#seq = seq;
    this.#newest.set(edit.path, seq);
    for (const directory of ancestorsOf(edit.path)) this.#newest.set(directory, seq);
    this.#waiting.push(edit);
    this.#heldBytes += edit.size - (this.#latest.get(edit.path)?.size ?? 0);
    this.#latest.set(edit.path, latest);
    this.#bytes += edit.size;
    this.#growthBytes += edit.size - former.size;
    const replaced = this.#replaced.get(edit.path);
    if (replaced === undefined) this.#replaced.set(edit.path, [former.blob]);
    else replaced.push(former.blob);
  }

  #rows(): JournalRow[] {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    return this.sql
      .exec<StoredRow>(
        `SELECT seq, path, edit.blob, edit.size, edit.lines, at_ms, from_unit, to_unit, given,
                nodes.blob AS stored_blob, nodes.size AS stored_size
           FROM edit_journal AS edit LEFT JOIN nodes USING (path) ORDER BY seq`,
      )
      .toArray()
      .map((row) => ({
        seq: row.seq,
        edit: {
          path: row.path as RootPath,
          blob: row.blob as Sha256,
          size: row.size,
          lines: row.lines,
          atMs: row.at_ms,
          splice: { start: row.from_unit, end: row.to_unit, text: decoder.decode(row.given) },
        },
        stored: row.stored_blob === null ? null : { blob: row.stored_blob as Sha256, size: row.stored_size ?? 0 },
      }));
  }

  /** Inside the transaction that brings all of them into the tables. */
  deleteRows(): void {
    this.sql.exec("DELETE FROM edit_journal");
  }

  /** After it. */
  forget(): void {
    this.#settlements++;
    this.#waiting = [];
    this.#latest.clear();
    this.#replaced.clear();
    this.#newest.clear();
    this.#bytes = 0;
    this.#heldBytes = 0;
    this.#growthBytes = 0;
  }
}

function withText(edit: WaitingEdit, textOf: (edit: WaitingEdit) => string): LatestEdit {
  let made: string | undefined;
  return {
    ...edit,
    get text() {
      made ??= textOf(edit);
      return made;
    },
  };
}
