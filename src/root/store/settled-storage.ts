/** The storage, seen with all edits in its tables: those that still wait in the journal are brought there before anybody looks. */
export interface SettledStorage {
  readonly sql: SettledSql;
  transactionSync<T>(work: () => T): T;
}

export interface SettledSql extends SqlStorage {
  /** For what is known in memory and would otherwise be told without a look at the tables. */
  settle(): void;
}

/** `settle` comes before each look. */
export function settledStorage(storage: DurableObjectStorage, settle: () => void): SettledStorage {
  const { sql } = storage;
  const settled = {
    settle,
    exec(query: string, ...bindings: SqlStorageValue[]) {
      settle();
      return sql.exec(query, ...bindings);
    },
    get databaseSize() {
      return sql.databaseSize;
    },
  };
  return {
    sql: settled as SettledSql,
    transactionSync(work) {
      // Before the transaction: were it undone, what was settled in it would be undone too.
      settle();
      return storage.transactionSync(work);
    },
  };
}
