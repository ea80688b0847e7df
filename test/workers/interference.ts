/** Stands between a user's object and its storage, so that a test can count calls, let one fail, or hold one up. */

export interface StorageCall {
  /** Of the calls since the test began to interfere; the first is 0. */
  readonly index: number;
  readonly name: string;
  /** Before the call does anything, or after it has taken effect. */
  readonly moment: "before" | "after";
}

/** May throw. Only calls to R2, to D1 and to the alarm wait for a promise; those to SQLite are synchronous. */
export type Interference = (call: StorageCall) => void | Promise<void>;

interface Watch {
  readonly interfere: Interference;
  calls: number;
}

const watches = new Map<string, Watch>();

/** Lets `interfere` see every storage call of the object until `work` is done. */
export async function interfering<T>(objectId: string, interfere: Interference, work: () => Promise<T>): Promise<T> {
  watches.set(objectId, { interfere, calls: 0 });
  try {
    return await work();
  } finally {
    watches.delete(objectId);
  }
}

const watchedStates = new WeakSet<DurableObjectState>();

/** The state with its storage watched. The runtime takes its own objects only, so the methods are put over on these. */
export function watchedState(state: DurableObjectState): DurableObjectState {
  if (watchedStates.has(state)) return state;
  watchedStates.add(state);
  const id = state.id.toString();
  const { storage } = state;
  const { sql } = storage;
  const { exec } = sql;
  const { transactionSync, getAlarm, setAlarm } = storage;
  putOver(sql, "exec", (...given: Parameters<typeof exec>) =>
    around(
      id,
      `exec ${beginningOf(given[0])}`,
      () => exec.apply(sql, given),
      // A statement takes effect as a whole only when its rows have been taken, and one that is not read to its end keeps the transaction open.
      (cursor) => cursor.toArray(),
    ),
  );
  putOver(storage, "transactionSync", (work: () => unknown) =>
    around(id, "transaction", () => transactionSync.call(storage, work)),
  );
  putOver(storage, "getAlarm", () => aroundAsync(id, "getAlarm", () => getAlarm.call(storage)));
  putOver(storage, "setAlarm", (dueMs: number) => aroundAsync(id, "setAlarm", () => setAlarm.call(storage, dueMs)));
  return state;
}

/** The bucket with the calls that a user's object makes watched. */
export function watchedBucket(bucket: R2Bucket, id: string): R2Bucket {
  const watched = {
    put: (key: string, bytes: Uint8Array | ReadableStream, options?: R2PutOptions) =>
      aroundAsync(id, "R2 put", () => bucket.put(key, bytes, options)),
    get: (key: string, options?: R2GetOptions) =>
      aroundAsync(
        id,
        "R2 get",
        () => bucket.get(key, options),
        (object) => object?.arrayBuffer(),
      ),
    delete: (keys: string[]) => aroundAsync(id, "R2 delete", () => bucket.delete(keys)),
  };
  return watched as unknown as R2Bucket;
}

/** The database with the calls that a user's object makes watched. */
export function watchedDatabase(database: D1Database, id: string): D1Database {
  const originals = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  const watchedStatement = (statement: D1PreparedStatement, name: string): D1PreparedStatement => {
    const watched = {
      bind: (...values: unknown[]) => watchedStatement(statement.bind(...values), name),
      run: () => aroundAsync(id, name, () => statement.run()),
      all: () => aroundAsync(id, name, () => statement.all()),
      first: () => aroundAsync(id, name, () => statement.first()),
    } as unknown as D1PreparedStatement;
    originals.set(watched, statement);
    return watched;
  };
  const watched = {
    prepare: (query: string) => watchedStatement(database.prepare(query), `D1 ${beginningOf(query)}`),
    batch: (statements: D1PreparedStatement[]) =>
      aroundAsync(id, "D1 batch", () => database.batch(statements.map((one) => originals.get(one) ?? one))),
  };
  return watched as unknown as D1Database;
}

function beginningOf(query: string): string {
  return query.trim().split(/\s+/, 3).join(" ");
}

function putOver(target: object, name: string, method: (...given: never[]) => unknown): void {
  Object.defineProperty(target, name, { value: method, configurable: true });
}

/** `drop` deals with the result that a failure keeps from the caller. */
function around<T>(id: string, name: string, call: () => T, drop: (result: T) => unknown = () => {}): T {
  const watch = watches.get(id);
  if (watch === undefined) return call();
  const index = watch.calls++;
  void watch.interfere({ index, name, moment: "before" });
  const result = call();
  try {
    void watch.interfere({ index, name, moment: "after" });
  } catch (error) {
    drop(result);
    throw error;
  }
  return result;
}

async function aroundAsync<T>(
  id: string,
  name: string,
  call: () => Promise<T>,
  drop: (result: T) => unknown = () => {},
): Promise<T> {
  const watch = watches.get(id);
  if (watch === undefined) return call();
  const index = watch.calls++;
  await watch.interfere({ index, name, moment: "before" });
  const result = await call();
  try {
    await watch.interfere({ index, name, moment: "after" });
  } catch (error) {
    await drop(result);
    throw error;
  }
  return result;
}
