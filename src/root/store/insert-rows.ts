/** The platform takes this many bound values in one statement. */
const boundMax = 100;

/**
 * Inserts many rows with few statements: most of the cost of a small one is that of its call. `insert` is all before `VALUES`; the rows
 * have one value for each of its columns.
 */
export function insertRows(sql: SqlStorage, insert: string, rows: readonly (readonly SqlStorageInput[])[]): void {
  const columns = rows[0]?.length ?? 0;
  if (columns === 0) return;
  const rowsMax = Math.floor(boundMax / columns);
  const row = `(${Array.from({ length: columns }, () => "?").join(", ")})`;
  for (let at = 0; at < rows.length; at += rowsMax) {
    const some = rows.slice(at, at + rowsMax);
    sql.exec(`${insert} VALUES ${some.map(() => row).join(", ")}`, ...some.flat());
  }
}

type SqlStorageInput = SqlStorageValue | ArrayBufferView;
