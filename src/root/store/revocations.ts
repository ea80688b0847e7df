import type { Chore } from "../alarm-clock";

/** Longer than any access token lives: after that, the token is refused for its age. */
const rememberMs = 25 * 60 * 60 * 1000;

/** Grants and tokens that were revoked while copies of their facts may still be remembered by Workers. */
export class Revocations implements Chore {
  constructor(private readonly sql: SqlStorage) {}

  add(grantId: string, tokenId: string | undefined, nowMs: number): void {
    this.sql.exec(
      "INSERT OR REPLACE INTO revocations (grant_id, token_id, at_ms) VALUES (?, ?, ?)",
      grantId,
      tokenId ?? "",
      nowMs,
    );
  }

  has(grantId: string, tokenId: string | undefined): boolean {
    return (
      this.sql
        .exec("SELECT 1 FROM revocations WHERE grant_id = ? AND token_id IN ('', ?) LIMIT 1", grantId, tokenId ?? "")
        .toArray().length > 0
    );
  }

  run(nowMs: number): void {
    this.sql.exec("DELETE FROM revocations WHERE at_ms <= ?", nowMs - rememberMs);
  }

  nextDueMs(): number | null {
    const oldest = this.sql.exec<{ ms: number | null }>("SELECT min(at_ms) AS ms FROM revocations").one().ms;
    return oldest === null ? null : oldest + rememberMs;
  }
}
