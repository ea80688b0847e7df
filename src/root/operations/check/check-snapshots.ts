import type { Snapshots } from "../../snapshots";
import { jsonLists } from "../../store/json-lists";
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
    let lost = 0;
    for (const list of jsonLists(snapshot.value.entries.map((entry) => entry.blob))) {
      lost += sql
        .exec<{ n: number }>(
          "SELECT count(*) AS n FROM json_each(?) WHERE value NOT IN (SELECT hash FROM blobs WHERE pinned = 1)",
          list,
        )
        .one().n;
    }
    if (lost > 0) problems.add("snapshots can be read", `${id} names ${lost} blobs that are not here for ever`);
  }
  return ids.length;
}
