import { gramFilter } from "../../../domain/grep/gram-filter";
import type { Problems } from "./report";

/** Every filter belongs to a blob, and is what its text makes it, where that is in SQLite: a wrong one would hide matches. */
export function checkFilters(sql: SqlStorage, problems: Problems): void {
  const hashes = sql.exec<{ hash: string }>("SELECT hash FROM text_filters").toArray();
  for (const { hash } of hashes) {
    const row = sql
      .exec<{ text: string | null; bits: ArrayBuffer; known: number }>(
        `SELECT CAST(bytes AS TEXT) AS text, bits, blobs.hash IS NOT NULL AS known
           FROM text_filters LEFT JOIN blobs USING (hash) LEFT JOIN contents ON contents.id = blobs.id WHERE text_filters.hash = ?`,
        hash,
      )
      .one();
    if (row.known === 0) problems.add("filters of texts", `the filter of blob ${hash} is left over`);
    if (row.text !== null && !isEqual(gramFilter(row.text), new Uint8Array(row.bits))) {
      problems.add("filters of texts", `the filter of blob ${hash} is not that of its text`);
    }
  }
}

function isEqual(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index]);
}
