import { type GitOid, gitBlobId } from "../../domain/git-objects";
import type { Sha256 } from "../../domain/hash";
import { historyVersionsMax, inlineBlobMaxBytes } from "../../domain/limits";
import { ancestorsOf, type RootPath } from "../../domain/path";
import type { Splice } from "../../domain/splice";

/** Edits that wait at most. */
const editsMax = 256;
/** Characters of all their texts together: what has to be made again when they are brought into the tables. */
const charactersMax = 32 * 1024 * 1024;
/** Characters of the newest text of each file: what is in memory. */
const heldMaxCharacters = 4 * 1024 * 1024;
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

export interface JournalRow extends WaitingEdit {
  readonly seq: number;
}

/** The newest edit of a path, with the text that it led to. */
export interface LatestEdit extends WaitingEdit {
  readonly text: string;
}

type FormerFacts = Pick<WaitingEdit, "blob" | "size">;

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
  #characters = 0;
  #heldCharacters = 0;
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
    return (
      this.#waiting.length >= editsMax || this.#characters >= charactersMax || this.#heldCharacters >= heldMaxCharacters
    );
  }

  /** The bytes that the root will have more than its tables say. */
  get growthBytes(): number {
    return this.#growthBytes;
  }

  /** The newest edit of a path. */
  latest(path: RootPath): LatestEdit | undefined {
    return this.#latest.get(path);
  }

  /** The newest edit of each path. */
  newest(): Iterable<LatestEdit> {
    return this.#latest.values();
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

  /** Durable with the answer that follows. `former`: the version that it was made for. */
  add(edit: LatestEdit, former: FormerFacts): void {
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
    this.hold(seq, edit, former);
  }

  /** What waits again after the object had gone. */
  hold(seq: number, edit: LatestEdit, former: FormerFacts): void {
    const { text: _, ...waiting } = edit;
    this.#seq = seq;
    this.#newest.set(edit.path, seq);
    for (const directory of ancestorsOf(edit.path)) this.#newest.set(directory, seq);
    this.#waiting.push(waiting);
    this.#heldCharacters += edit.text.length - (this.#latest.get(edit.path)?.text.length ?? 0);
    this.#latest.set(edit.path, edit);
    this.#characters += edit.text.length;
    this.#growthBytes += edit.size - former.size;
    const replaced = this.#replaced.get(edit.path);
    if (replaced === undefined) this.#replaced.set(edit.path, [former.blob]);
    else replaced.push(former.blob);
  }

  rows(): JournalRow[] {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    return this.sql
      .exec<StoredRow>(
        "SELECT seq, path, blob, size, lines, at_ms, from_unit, to_unit, given FROM edit_journal ORDER BY seq",
      )
      .toArray()
      .map((row) => ({
        seq: row.seq,
        path: row.path as RootPath,
        blob: row.blob as Sha256,
        size: row.size,
        lines: row.lines,
        atMs: row.at_ms,
        splice: { start: row.from_unit, end: row.to_unit, text: decoder.decode(row.given) },
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
    this.#characters = 0;
    this.#heldCharacters = 0;
    this.#growthBytes = 0;
  }
}
