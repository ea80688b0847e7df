/** The platform takes this many bound values in one statement. */
const boundMax = 100;

/**
 * Inserts many rows with few statements, inside a transaction: most of the cost of a small one is that of its call. `into` is a table with
 * the columns that every row has a value for.
 *
 * `OR FAIL`: a row that is refused ends the transaction as ever. Without it SQLite would note for every statement how to undo that one
 * alone, and write each page that it touches once more.
 */
export function insertRows(sql: SqlStorage, into: string, rows: readonly (readonly SqlStorageInput[])[]): void {
  const columns = rows[0]?.length ?? 0;
  if (columns === 0) return;
  const rowsMax = Math.floor(boundMax / columns);
  const row = `(${Array.from({ length: columns }, () => "?").join(", ")})`;
  const statement = (count: number) => `INSERT OR FAIL INTO ${into} VALUES ${Array(count).fill(row).join(", ")}`;
  const longest = statement(rowsMax);
  for (let at = 0; at < rows.length; at += rowsMax) {
    const some = rows.slice(at, at + rowsMax);
    sql.exec(some.length === rowsMax ? longest : statement(some.length), ...some.flat());
  }
}

type SqlStorageInput = SqlStorageValue | ArrayBufferView;
