// What Linux tells of a process.
import { readFileSync } from "node:fs";

/** Null: there is no such process, or no /proc. `isZombie`: it has ended, and waits only for its parent to look. */
export function procStat(pid) {
  try {
    // The name may hold anything; what follows its last parenthesis are the state and numbers.
    const [state, ...rest] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1).split(" ");
    return { isZombie: state === "Z" || state === "X", startTicks: rest[18] };
  } catch {
    return null;
  }
}
