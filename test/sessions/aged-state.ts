// Makes rows of a stopped server old, so that a test need not wait a day for a token to expire.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Lets every access token of this user expire a second before `nowMs`; says how many there were. */
export function expireTokens(state: string, userId: string, nowMs: number): number {
  const folder = join(state, "v3", "do", "holdfast-AuthStore");
  const expiredAtS = Math.floor(nowMs / 1000) - 1;
  let changed = 0;
  for (const name of readdirSync(folder)) {
    if (!/^[0-9a-f]{64}\.sqlite$/.test(name)) continue;
    const database = new DatabaseSync(join(folder, name));
    try {
      const rows = database.prepare(
        "UPDATE entries SET value = json_set(value, '$.expiresAt', ?) WHERE key >= ? AND key < ?",
      );
      changed += Number(rows.run(expiredAtS, `token:${userId}:`, `token:${userId};`).changes);
    } finally {
      database.close();
    }
  }
  return changed;
}
