import { zipWarningsMax, zipWarningsMaxUnits } from "../limits";
import type { PlannedEntry } from "./plan-entries";

/** What `zipfs_open` says of an entry that became no file. */
export interface Warning {
  readonly entry: string;
  readonly reason: string;
}

/** zipfs.md §3: in archive order, as many as an answer takes by their number and by their length; of the rest, how many there are. */
export function warningsOf(entries: readonly Pick<PlannedEntry, "kind" | "name" | "reason">[]): Warning[] {
  const shown: Warning[] = [];
  let left = 0;
  let units = 0;
  for (const { kind, name, reason: skipped } of entries) {
    const reason = kind === "shadowed" ? "duplicate" : skipped;
    if (reason === null) continue;
    if (left > 0 || shown.length === zipWarningsMax) {
      left++;
      continue;
    }
    // As they go over the wire: a name may be nothing but characters that JSON escapes.
    units += JSON.stringify(name).length;
    if (shown.length > 0 && units > zipWarningsMaxUnits) left++;
    else shown.push({ entry: name, reason });
  }
  return left === 0 ? shown : [...shown, { entry: "", reason: `${left} more` }];
}
