import type { Chore } from "../alarm-clock";

/** Longer than any access token lives: after that, the token is refused for its age. */
const rememberMs = 25 * 60 * 60 * 1000;

/** Grants and tokens that were revoked while copies of their facts may still be remembered by Workers. */
export class Revocations implements Chore {
  /** Rows as `grant token`; null until asked for. Every call asks, and only this object changes them. */
  #known: Set<string> | null = null;

  constructor(private readonly sql: SqlStorage) {}

  add(grantId: string, tokenId: string | undefined, nowMs: number): void {
    this.sql.exec(
      "INSERT OR REPLACE INTO revocations (grant_id, token_id, at_ms) VALUES (?, ?, ?)",
      grantId,
      tokenId ?? "",
      nowMs,
    );
    this.#known = null;
  }

  has(grantId: string, tokenId: string | undefined): boolean {
    this.#known ??= this.load();
    if (this.#known.size === 0) return false;
    return this.#known.has(keyOf(grantId, "")) || this.#known.has(keyOf(grantId, tokenId ?? ""));
  }

  run(nowMs: number): void {
    this.sql.exec("DELETE FROM revocations WHERE at_ms <= ?", nowMs - rememberMs);
    this.#known = null;
  }

  nextDueMs(): number | null {
    const oldest = this.sql.exec<{ ms: number | null }>("SELECT min(at_ms) AS ms FROM revocations").one().ms;
    return oldest === null ? null : oldest + rememberMs;
  }

  private load(): Set<string> {
    const rows = this.sql.exec<{ grant_id: string; token_id: string }>("SELECT grant_id, token_id FROM revocations");
    return new Set(rows.toArray().map((row) => keyOf(row.grant_id, row.token_id)));
  }
}

function keyOf(grantId: string, tokenId: string): string {
  return `${grantId} ${tokenId}`;
}
