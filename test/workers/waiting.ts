import type { RootState } from "../../src/root/root-state";
import type { TestRoot } from "./root";

/** How many edits wait in the journal: as the object has it in memory, which is what its rows say. Nothing is settled by this look. */
export function waitingIn(root: TestRoot): Promise<number> {
  return root.inObject((instance, state) => {
    const { journal } = (instance as unknown as { root: RootState }).root;
    const { n } = state.storage.sql.exec<{ n: number }>("SELECT count(*) AS n FROM edit_journal").one();
    if (n !== journal.waiting.length) throw new Error(`${n} rows, ${journal.waiting.length} in memory`);
    return n;
  });
}
