import { err, ok, type Result } from "../result";
import type { Container, ReadRange } from "./end-record";
import { type CentralRecord, readCentralRecord } from "./records";
import { type ArchiveFlaw, bomb, invalid } from "./zip-errors";
import type { ZipLimits } from "./zip-limits";

/** All records in archive order. They must be as many as stated and fill the directory exactly (zipfs.md §3.3). */
export async function readCentralDirectory(
  read: ReadRange,
  container: Container,
  limits: Pick<ZipLimits, "entries">,
): Promise<Result<CentralRecord[], ArchiveFlaw>> {
  const bytes = await read(container.directoryOffset, container.directorySize);
  const records: CentralRecord[] = [];
  for (let at = 0; at < bytes.length; ) {
    const next = readCentralRecord(bytes, at);
    if (!next.ok) return next;
    if (records.length === limits.entries) {
      const count = Math.max(container.count, limits.entries + 1);
      return err(bomb(`file count (${count}) exceeds limit (${limits.entries})`));
    }
    records.push(next.value.record);
    at += next.value.length;
  }
  if (records.length === container.count) return ok(records);
  return err(invalid(`the end record states ${container.count} entries, the central directory has ${records.length}`));
}
