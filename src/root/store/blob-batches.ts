import type { Sha256 } from "../../domain/hash";

/** `used_at_ms` is written at most this often, so that a read does not cost a write. */
export const usedStepMs = 24 * 60 * 60 * 1000;

export interface BlobToRead {
  readonly blob: Sha256;
  readonly size: number;
}

/** What is read in one query. */
const batchBlobs = 256;
const batchBytes = 4 * 1024 * 1024;
/** Requests to R2 that are under way at the same time; a Worker may have six connections open. */
const readsAheadMax = 6;

function batchEnd(files: readonly { readonly size: number }[], from: number): number {
  let bytes = 0;
  let to = from;
  while (to < files.length && to - from < batchBlobs) {
    bytes += files[to]?.size ?? 0;
    if (bytes > batchBytes && to > from) break;
    to++;
  }
  return to;
}

/** Contents of many files: those in SQLite with few queries, those in R2 some at a time. */
export class BlobBatches {
  constructor(
    private readonly sql: SqlStorage,
    private readonly readCold: (hash: Sha256, nowMs: number) => Promise<Uint8Array>,
  ) {}

  /** What `column` gives of those that are here, many at a time; the bytes of the others, one at a time, asked for ahead. */
  async *read<Inline>(
    files: readonly BlobToRead[],
    column: string,
    nowMs: number,
  ): AsyncGenerator<readonly (Inline | Uint8Array)[], void> {
    for (let from = 0; from < files.length; ) {
      const to = batchEnd(files, from);
      const batch = files.slice(from, to).map((file) => file.blob);
      const inline = this.inlineContents<Inline>(batch, column, nowMs);
      from = to;
      const warm = inline.filter((content) => content !== null);
      if (warm.length === batch.length) {
        yield warm;
        continue;
      }
      const cold = [...new Set(batch.filter((_, index) => inline[index] === null))];
      const underWay = new Map<Sha256, Promise<Uint8Array>>();
      for (const [index, hash] of batch.entries()) {
        while (underWay.size < readsAheadMax && cold.length > 0) {
          const next = cold.shift() as Sha256;
          const read = this.readCold(next, nowMs);
          // It may fail while another one is waited for; whoever comes to it is told.
          read.catch(() => {});
          underWay.set(next, read);
        }
        yield [inline[index] ?? (await (underWay.get(hash) ?? this.readCold(hash, nowMs)))];
        underWay.delete(hash);
      }
    }
  }

  /** Those that are here without R2, null for the others, in the order asked for. Counts as a use. */
  private inlineContents<Inline>(hashes: readonly Sha256[], column: string, nowMs: number): (Inline | null)[] {
    const rows = this.sql
      .exec(
        `SELECT ${column}, used_at_ms FROM json_each(?) AS asked LEFT JOIN blobs ON hash = asked.value
           LEFT JOIN contents ON contents.id = blobs.id`,
        JSON.stringify(hashes),
      )
      .raw() as Iterable<unknown> as Iterable<[content: Inline | null, usedAtMs: number | null]>;
    const contents: (Inline | null)[] = [];
    const unused: Sha256[] = [];
    for (const [content, usedAtMs] of rows) {
      if (content !== null && (usedAtMs as number) + usedStepMs <= nowMs)
        unused.push(hashes[contents.length] as Sha256);
      contents.push(content);
    }
    if (unused.length > 0) {
      this.sql.exec(
        "UPDATE blobs SET used_at_ms = ? WHERE hash IN (SELECT value FROM json_each(?))",
        nowMs,
        JSON.stringify(unused),
      );
    }
    return contents;
  }
}
