import type { Problems } from "./report";

/** Every lease has its set of touched files, every set what it builds on, and no set is left over. */
export function checkLeases(sql: SqlStorage, problems: Problems): void {
  const ids = (query: string) => sql.exec<{ id: string | number }>(query).toArray();
  const lost = ids("SELECT id FROM leases WHERE touched_set NOT IN (SELECT id FROM touched_sets)");
  for (const { id } of lost) problems.add("leases", `lease ${id} has no set of touched files`);
  const baseless = ids(
    "SELECT id FROM touched_sets WHERE base IS NOT NULL AND base NOT IN (SELECT id FROM touched_sets)",
  );
  for (const { id } of baseless) problems.add("leases", `touched set ${id} builds on one that is gone`);
  const left = ids(
    `SELECT id FROM touched_sets WHERE id NOT IN (SELECT touched_set FROM leases)
        AND id NOT IN (SELECT base FROM touched_sets WHERE base IS NOT NULL)`,
  );
  for (const { id } of left) problems.add("leases", `touched set ${id} belongs to no lease`);
  const stray = ids("SELECT DISTINCT set_id AS id FROM touched WHERE set_id NOT IN (SELECT id FROM touched_sets)");
  for (const { id } of stray) problems.add("leases", `touched files name the set ${id}, which is gone`);
}
