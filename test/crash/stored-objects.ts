// What a stopped or running local server has of its one user in object storage and in the tables of the user's object; and a way to make
// it old, so that a test need not wait an hour for the sweep.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const objectFile = /^[0-9a-f]{64}\.sqlite$/;

function withDatabase<T>(file: string, work: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(file);
  try {
    // The runtime may be writing.
    database.exec("PRAGMA busy_timeout = 10000");
    return work(database);
  } finally {
    database.close();
  }
}

function onlyObject(folder: string): string {
  const [file, ...others] = readdirSync(folder).filter((name) => objectFile.test(name));
  if (file === undefined || others.length > 0) throw new Error(`${folder} has ${others.length} objects more than one`);
  return join(folder, file);
}

const rootFolder = (state: string) => join(state, "v3", "do", "holdfast-RootObject");
const bucketFolder = (state: string) => join(state, "v3", "r2", "miniflare-R2BucketObject");

function column(file: string, query: string): string[] {
  return withDatabase(file, (database) =>
    database
      .prepare(query)
      .all()
      .map((row) => String(Object.values(row)[0])),
  ).sort();
}

/** Keys of all objects in the bucket. */
export function storedKeys(state: string): string[] {
  return column(onlyObject(bucketFolder(state)), "SELECT key FROM _mf_objects");
}

/** Keys of the objects that contents of the user have. */
export function namedKeys(state: string): string[] {
  return column(onlyObject(rootFolder(state)), "SELECT r2_key FROM blobs WHERE r2_key IS NOT NULL");
}

/** Keys that were announced for an object, and that no content has. */
export function strayKeys(state: string): string[] {
  return column(onlyObject(rootFolder(state)), "SELECT r2_key FROM stray_objects");
}

/** Of a stopped server: lets all strays be older by `ms`, and the alarm of the user's object ring at once. */
export function ageStrays(state: string, ms: number): void {
  const nowNs = BigInt(Date.now()) * 1_000_000n;
  withDatabase(onlyObject(rootFolder(state)), (database) => {
    database.prepare("UPDATE stray_objects SET since_ms = since_ms - ?").run(ms);
    // The runtime keeps the time of an alarm twice, and believes the object.
    database.prepare("INSERT OR REPLACE INTO _cf_METADATA (key, value) VALUES (1, ?)").run(nowNs);
  });
  withDatabase(join(rootFolder(state), "metadata.sqlite"), (database) => {
    const set = database.prepare("UPDATE _cf_ALARM SET scheduled_time = ?").run(nowNs);
    if (set.changes !== 1) throw new Error(`${set.changes} alarms were set`);
  });
}
