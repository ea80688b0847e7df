import type { Snapshots } from "../../snapshots";
import type { Problems } from "./report";

/** Every snapshot can be read: its manifest is whole, and each blob that it names is here and will stay. Gives their number. */
export async function checkSnapshots(sql: SqlStorage, snapshots: Snapshots, problems: Problems): Promise<number> {
  const ids = await snapshots.ids();
  for (const id of ids) {
    const snapshot = await snapshots.load(id);
    if (!snapshot.ok) {
      problems.add("snapshots can be read", snapshot.error.message);
      continue;
    }
    const blobs = JSON.stringify(snapshot.value.entries.map((entry) => entry.blob));
    const { n } = sql
      .exec<{ n: number }>(
        "SELECT count(*) AS n FROM json_each(?) WHERE value NOT IN (SELECT hash FROM blobs WHERE pinned = 1)",
        blobs,
      )
      .one();
    if (n > 0) problems.add("snapshots can be read", `${id} names ${n} blobs that are not here for ever`);
  }
  return ids.length;
}
