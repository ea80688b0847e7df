import type { FilterTest, GramFilter } from "../../domain/grep/gram-filter";
import { WarmFilters } from "../../domain/grep/warm-filters";
import type { Sha256 } from "../../domain/hash";
import { grepFiltersMaxBytes, grepWarmFiltersMaxBytes } from "../../domain/limits";
import { jsonLists } from "./json-lists";

export interface TextFilter {
  readonly blob: Sha256;
  readonly bits: GramFilter;
}

/** What a row takes beside the filter itself, its place in the index included. */
const rowBytes = 160;
const searchedMax = 4_096;

/** Filters of texts by content. All of it can be dropped at any time and is then made anew. */
export class TextFilters {
  private readonly warm = new WarmFilters(grepWarmFiltersMaxBytes);
  /** Bytes of all that are stored, or more: what goes with its blob is not noticed. Null while nobody has counted. */
  private storedBytes: number | null = null;
  /** Searched once without a filter. */
  private readonly searched = new Set<Sha256>();

  constructor(private readonly sql: SqlStorage) {}

  /** Brings the filters of these contents to memory, as far as there are any. */
  warmUp(hashes: readonly Sha256[]): void {
    for (const list of jsonLists(hashes.filter((hash) => !this.warm.has(hash)))) {
      const rows = this.sql
        .exec("SELECT hash, bits FROM text_filters WHERE hash IN (SELECT value FROM json_each(?))", list)
        .raw<[hash: Sha256, bits: ArrayBuffer]>();
      for (const [hash, bits] of rows) this.warm.add(hash, new Uint8Array(bits));
    }
  }

  /** Of contents that are warm. */
  has(hash: Sha256): boolean {
    return this.warm.has(hash);
  }

  /** Whether this is not the first time lately that a content without a filter is searched. */
  isSearchedAgain(hash: Sha256): boolean {
    if (this.searched.delete(hash)) return true;
    if (this.searched.size >= searchedMax) this.searched.clear();
    this.searched.add(hash);
    return false;
  }

  /** False: the content lacks what is tested. True also if it has no warm filter. */
  mayPass(hash: Sha256, test: FilterTest): boolean {
    return this.warm.mayPass(hash, test);
  }

  /** Inside a transaction. Contents that are gone in the meantime get none. */
  keep(filters: readonly TextFilter[]): void {
    for (const { blob, bits } of filters) {
      this.sql.exec(
        `INSERT OR IGNORE INTO text_filters (hash, bits)
         SELECT ?1, ?2 WHERE EXISTS (SELECT 1 FROM blobs WHERE hash = ?1)`,
        blob,
        bits,
      );
      this.warm.add(blob, bits);
    }
    this.storedBytes =
      (this.storedBytes ?? this.count()) + filters.reduce((sum, { bits }) => sum + bits.length + rowBytes, 0);
    if (this.storedBytes > grepFiltersMaxBytes) this.makeRoom();
  }

  /** Those made first go first, and more than need be, so that this is rare. */
  private makeRoom(): void {
    this.storedBytes = this.count();
    if (this.storedBytes <= grepFiltersMaxBytes) return;
    this.sql.exec(
      `DELETE FROM text_filters WHERE id IN (
         SELECT id FROM (SELECT id, sum(length(bits) + ${rowBytes}) OVER (ORDER BY id DESC) AS newer FROM text_filters)
          WHERE newer > ?)`,
      grepFiltersMaxBytes / 2,
    );
    this.storedBytes = this.count();
  }

  private count(): number {
    return this.sql
      .exec<{ bytes: number }>(`SELECT coalesce(sum(length(bits) + ${rowBytes}), 0) AS bytes FROM text_filters`)
      .one().bytes;
  }
}
