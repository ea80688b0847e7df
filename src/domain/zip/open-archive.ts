import { err, ok, type Result } from "../result";
import { readCentralDirectory } from "./central-directory";
import { checkTotals } from "./check-totals";
import { type Container, type ReadRange, readContainer } from "./end-record";
import { type EntryPlan, planEntries } from "./plan-entries";
import type { ArchiveFlaw } from "./zip-errors";
import type { ZipLimits } from "./zip-limits";

export interface OpenedArchive extends EntryPlan {
  readonly container: Container;
}

/** Everything that can be judged without the data of the entries, in the order of zipfs.md §3.1. */
export async function openArchive(
  read: ReadRange,
  size: number,
  limits: ZipLimits,
): Promise<Result<OpenedArchive, ArchiveFlaw>> {
  const container = await readContainer(read, size, limits);
  if (!container.ok) return container;
  const records = await readCentralDirectory(read, container.value, limits);
  if (!records.ok) return records;
  const flaw = checkTotals(records.value, container.value, limits);
  if (flaw !== null) return err(flaw);
  const plan = planEntries(records.value, container.value, limits);
  return plan.ok ? ok({ ...plan.value, container: container.value }) : plan;
}
