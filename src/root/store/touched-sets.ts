import { type Sha256, sha256Hex } from "../../domain/hash";
import { touchedMax } from "../../domain/limits";
import type { RootPath } from "../../domain/path";
import { err, ok, type Result } from "../../domain/result";
import { jsonLists } from "./json-lists";

/** A set that builds on more than this many others is written out anew. */
const depthMax = 16;
/** A list of so many paths becomes a set of its own, which others build on when they have seen the very same list. */
const listMin = 16;

interface SetRow extends Record<string, SqlStorageValue> {
  id: number;
  base: number | null;
  depth: number;
  /** At least the number of different paths: a path may stand in several sets of a chain. */
  paths_max: number;
}

/** All sets that make up one: itself and those it builds on. */
const chain = `WITH RECURSIVE chain (id, base) AS (
   SELECT id, base FROM touched_sets WHERE id = ?1
   UNION ALL SELECT sets.id, sets.base FROM touched_sets sets JOIN chain ON sets.id = chain.base)`;

/** Which files were seen under a lease. Inheriting costs nothing: the new set builds on the old one, which is sealed by that. */
export class TouchedSets {
  constructor(private readonly sql: SqlStorage) {}

  /** A new set of these paths; the error is their number if they are more than TOUCHED_MAX. */
  createOf(paths: readonly RootPath[]): Result<number, number> {
    if (paths.length < listMin) {
      const id = this.insert(null, 0, 0);
      this.add(id, paths);
      return ok(id);
    }
    const distinct = new Set(paths).size;
    if (distinct > touchedMax) return err(distinct);
    const digest = digestOf(paths);
    return ok(this.createOn(this.listOf(digest) ?? this.row(this.insertList(paths, digest))));
  }

  /** A new set with everything that `base` has now. */
  create(base: number | null): number {
    return base === null ? this.insert(null, 0, 0) : this.createOn(this.row(base));
  }

  private createOn({ id: base, depth, paths_max: pathsMax }: SetRow): number {
    if (depth < depthMax) return this.insert(base, depth + 1, pathsMax);
    const id = this.insert(null, 0, 0);
    this.add(id, this.paths(base));
    return id;
  }

  /** The set to write to in place of `id`: itself, or one on top of it if others build on it. */
  writable(id: number): number {
    return this.isBase(id) ? this.create(id) : id;
  }

  /** If the set would have more than TOUCHED_MAX paths, nothing is added, and the error is their number. */
  add(id: number, paths: readonly RootPath[]): Result<null, number> {
    if (paths.length === 0 || (paths.length >= listMin && this.hasList(id, digestOf(paths)))) return ok(null);
    let pathsMax = this.row(id).paths_max + paths.length;
    if (pathsMax > touchedMax) {
      pathsMax = new Set([...this.paths(id), ...paths]).size;
      if (pathsMax > touchedMax) return err(pathsMax);
    }
    for (const list of jsonLists(paths)) {
      this.sql.exec("INSERT OR IGNORE INTO touched (set_id, path) SELECT ?, value FROM json_each(?)", id, list);
    }
    this.sql.exec("UPDATE touched_sets SET paths_max = ? WHERE id = ?", pathsMax, id);
    return ok(null);
  }

  /** Every path once, in the order of its bytes. */
  paths(id: number): RootPath[] {
    return this.sql
      .exec<{ path: string }>(
        `${chain} SELECT DISTINCT path FROM touched WHERE set_id IN (SELECT id FROM chain) ORDER BY path`,
        id,
      )
      .toArray()
      .map((row) => row.path as RootPath);
  }

  /** Drops a set that no lease has any more, and what only it was built on. */
  drop(id: number): void {
    for (let next: number | null = id; next !== null; ) {
      const leased = this.sql.exec("SELECT 1 FROM leases WHERE touched_set = ? LIMIT 1", next).toArray().length > 0;
      if (leased || this.isBase(next)) return;
      const { base } = this.row(next);
      this.sql.exec("DELETE FROM touched WHERE set_id = ?", next);
      this.sql.exec("DELETE FROM touched_sets WHERE id = ?", next);
      next = base;
    }
  }

  private listOf(digest: string): SetRow | null {
    const rows = this.sql
      .exec<SetRow>("SELECT id, base, depth, paths_max FROM touched_sets WHERE digest = ?", digest)
      .toArray();
    return rows[0] ?? null;
  }

  private insertList(paths: readonly RootPath[], digest: string): number {
    const id = this.insert(null, 0, 0);
    this.add(id, paths);
    this.sql.exec("UPDATE touched_sets SET digest = ? WHERE id = ?", digest, id);
    return id;
  }

  private hasList(id: number, digest: string): boolean {
    const list = this.listOf(digest);
    if (list === null) return false;
    return this.sql.exec(`${chain} SELECT 1 FROM chain WHERE id = ?2`, id, list.id).toArray().length > 0;
  }

  private isBase(id: number): boolean {
    return this.sql.exec("SELECT 1 FROM touched_sets WHERE base = ? LIMIT 1", id).toArray().length > 0;
  }

  private row(id: number): SetRow {
    return this.sql.exec<SetRow>("SELECT id, base, depth, paths_max FROM touched_sets WHERE id = ?", id).one();
  }

  private insert(base: number | null, depth: number, pathsMax: number): number {
    return this.sql
      .exec<{ id: number }>(
        "INSERT INTO touched_sets (base, depth, paths_max) VALUES (?, ?, ?) RETURNING id",
        base,
        depth,
        pathsMax,
      )
      .one().id;
  }
}

/** Of lists that come again. */
const digests = new WeakMap<readonly RootPath[], Sha256>();

/** Stands for the list: no path has a NUL. */
function digestOf(paths: readonly RootPath[]): Sha256 {
  const digest = digests.get(paths) ?? sha256Hex(paths.join("\0"));
  digests.set(paths, digest);
  return digest;
}
