import { canonicalFingerprint, type Fingerprint } from "../../domain/fingerprint";
import type { LeaseId } from "../../domain/lease";
import { leaseMarkerMs, leasesMax, leaseTtlMs } from "../../domain/limits";
import type { RootPath } from "../../domain/path";
import { ok, type Result } from "../../domain/result";
import type { Chore } from "../alarm-clock";
import { TouchedSets } from "./touched-sets";

export interface Lease {
  readonly id: LeaseId;
  /** Canonical JSON. */
  readonly fingerprint: string;
  readonly expired: boolean;
}

interface LeaseRow extends Record<string, SqlStorageValue> {
  fingerprint: string;
  issued_at_ms: number;
  touched_set: number;
}

/** Leases on the live tree (seed 002 §2.3). Callers open the transaction. */
export class Leases implements Chore {
  private readonly sets: TouchedSets;
  /** Leases there are, or more: those of an undone transaction count as well. Null until asked for. */
  private count: number | null = null;

  constructor(private readonly sql: SqlStorage) {
    this.sets = new TouchedSets(sql);
  }

  find(id: LeaseId, nowMs: number): Lease | null {
    const row = this.row(id);
    if (row === undefined) return null;
    return { id, fingerprint: row.fingerprint, expired: row.issued_at_ms + leaseTtlMs <= nowMs };
  }

  /** A new lease that has seen what `heirOf` had seen, and `touched`. If that is too much, nothing is issued, and the error is its number. */
  issue(
    fingerprint: Fingerprint,
    touched: readonly RootPath[],
    heirOf: LeaseId | null,
    nowMs: number,
  ): Result<LeaseId, number> {
    const base = heirOf === null ? null : (this.row(heirOf)?.touched_set ?? null);
    const set = base === null ? this.sets.createOf(touched) : this.inherit(base, touched);
    if (!set.ok) return set;
    const id = crypto.randomUUID() as LeaseId;
    this.sql.exec(
      "INSERT INTO leases (id, fingerprint, issued_at_ms, touched_set) VALUES (?, ?, ?, ?)",
      id,
      canonicalFingerprint(fingerprint),
      nowMs,
      set.value,
    );
    this.makeRoom();
    return ok(id);
  }

  /** After one was issued. To look for those beyond the limit takes longer the more there are. */
  private makeRoom(): void {
    this.count = this.count === null ? this.counted() : this.count + 1;
    if (this.count <= leasesMax) return;
    this.end("ORDER BY issued_at_ms DESC LIMIT -1 OFFSET ?", leasesMax);
    this.count = this.counted();
  }

  private counted(): number {
    return this.sql.exec<{ n: number }>("SELECT count(*) AS n FROM leases").one().n;
  }

  /** Notes what was seen under the lease. If that is too much, nothing is noted, and the error is its number. */
  touch(id: LeaseId, paths: readonly RootPath[]): Result<null, number> {
    const row = this.row(id);
    if (row === undefined) return ok(null);
    const set = this.sets.writable(row.touched_set);
    if (set !== row.touched_set) this.sql.exec("UPDATE leases SET touched_set = ? WHERE id = ?", set, id);
    return this.sets.add(set, paths);
  }

  touched(id: LeaseId): RootPath[] {
    const row = this.row(id);
    return row === undefined ? [] : this.sets.paths(row.touched_set);
  }

  run(nowMs: number): void {
    this.end("WHERE issued_at_ms <= ?", nowMs - leaseTtlMs - leaseMarkerMs);
  }

  nextDueMs(): number | null {
    const oldest = this.sql.exec<{ ms: number | null }>("SELECT min(issued_at_ms) AS ms FROM leases").one().ms;
    return oldest === null ? null : oldest + leaseTtlMs + leaseMarkerMs;
  }

  private inherit(base: number, touched: readonly RootPath[]): Result<number, number> {
    const set = this.sets.create(base);
    const added = this.sets.add(set, touched);
    if (added.ok) return ok(set);
    this.sets.drop(set);
    return added;
  }

  private end(which: string, binding: number): void {
    const rows = this.sql
      .exec<{ id: string; touched_set: number }>(`SELECT id, touched_set FROM leases ${which}`, binding)
      .toArray();
    for (const { id, touched_set: set } of rows) {
      this.sql.exec("DELETE FROM leases WHERE id = ?", id);
      this.sets.drop(set);
    }
  }

  private row(id: LeaseId): LeaseRow | undefined {
    return this.sql
      .exec<LeaseRow>("SELECT fingerprint, issued_at_ms, touched_set FROM leases WHERE id = ?", id)
      .toArray()[0];
  }
}
