import type { Sha256 } from "../../domain/hash";
import { blobGraceMs } from "../../domain/limits";

export type DepositId = number;

/** One round ends at most this many, so that requests come in between. */
const roundDeposits = 20;

/**
 * Lists of contents that were stored before the transaction that will name them. A content on a list need not be condemned to be found
 * again if that transaction never comes: to condemn and to reprieve it would write its bytes twice more.
 */
export class Deposits {
  constructor(private readonly sql: SqlStorage) {}

  note(hashes: readonly Sha256[], nowMs: number): DepositId {
    return this.sql
      .exec<{ id: number }>(
        "INSERT INTO deposits (hashes, since_ms) VALUES (?, ?) RETURNING id",
        JSON.stringify(hashes),
        nowMs,
      )
      .one().id;
  }

  /** Inside the transaction that names what is on these lists. */
  settle(ids: readonly DepositId[]): void {
    this.sql.exec("DELETE FROM deposits WHERE id IN (SELECT value FROM json_each(?))", JSON.stringify(ids));
  }

  /** Takes these lists away and gives what is on them. */
  take(ids: readonly DepositId[]): Sha256[] {
    const rows = this.sql.exec<{ hash: string }>(
      "SELECT item.value AS hash FROM deposits, json_each(hashes) AS item WHERE deposits.id IN (SELECT value FROM json_each(?))",
      JSON.stringify(ids),
    );
    const hashes = rows.toArray().map(({ hash }) => hash as Sha256);
    this.settle(ids);
    return hashes;
  }

  /** Lists whose contents nobody has named within the grace period. */
  old(nowMs: number): DepositId[] {
    return this.sql
      .exec<{ id: number }>(
        "SELECT id FROM deposits WHERE since_ms <= ? ORDER BY since_ms LIMIT ?",
        nowMs - blobGraceMs,
        roundDeposits,
      )
      .toArray()
      .map(({ id }) => id);
  }

  nextEndMs(): number | null {
    const oldest = this.sql.exec<{ ms: number | null }>("SELECT min(since_ms) AS ms FROM deposits").one().ms;
    return oldest === null ? null : oldest + blobGraceMs;
  }
}
