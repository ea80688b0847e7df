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
  const readEnd = await keepingEnd(read, size);
  const container = await readContainer(readEnd, size, limits);
  if (!container.ok) return container;
  const records = await readCentralDirectory(readEnd, container.value, limits);
  if (!records.ok) return records;
  const flaw = checkTotals(records.value, container.value, limits);
  if (flaw !== null) return err(flaw);
  const plan = planEntries(records.value, container.value, limits);
  return plan.ok ? ok({ ...plan.value, container: container.value }) : plan;
}

/** The end record, what leads to it and most central directories lie in what is read at once. */
const endBytes = 1024 * 1024;

async function keepingEnd(read: ReadRange, size: number): Promise<ReadRange> {
  const start = Math.max(0, size - endBytes);
  const end = await read(start, size - start);
  return async (offset, length) =>
    offset < start ? read(offset, length) : end.subarray(offset - start, offset - start + length);
}
