import { quote } from "../quote";
import type { Container } from "./end-record";
import { shownName } from "./entry-name";
import { type CentralRecord, localHeaderBytes } from "./records";
import { type ArchiveFlaw, bomb, invalid } from "./zip-errors";
import type { ZipLimits } from "./zip-limits";

/** What the central directory alone shows of a bomb: size, ratio, overlap, in this order (zipfs.md §3.1 step 7). */
export function checkTotals(
  records: readonly CentralRecord[],
  container: Container,
  limits: Pick<ZipLimits, "extractedBytes" | "ratio">,
): ArchiveFlaw | null {
  const total = records.reduce((sum, record) => sum + record.size, 0);
  if (total > limits.extractedBytes) {
    return bomb(`total uncompressed size (${total} bytes) exceeds limit (${limits.extractedBytes} bytes)`);
  }
  const dense = records.find((record) => isOverRatio(record, limits.ratio));
  if (dense !== undefined) {
    const ratio = (dense.size / dense.compressedSize).toFixed(2);
    return bomb(`compression ratio (${ratio}:1) exceeds limit (${limits.ratio.toFixed(2)}:1)`);
  }
  return findOverlap(
    records.map((record) => ({ record, extraLength: 0 })),
    container,
  );
}

export function isOverRatio(
  { size, compressedSize }: { size: number; compressedSize: number },
  ratio: number,
): boolean {
  return compressedSize > 0 && size > ratio * compressedSize;
}

export interface Placed {
  readonly record: CentralRecord;
  /** Of the local header; 0 while it is not known. */
  readonly extraLength: number;
}

/** Records that share bytes with each other, or with the central directory. All entries take part. */
export function findOverlap(placed: readonly Placed[], { base, directoryOffset }: Container): ArchiveFlaw | null {
  const sorted = placed.toSorted((a, b) => a.record.offset - b.record.offset);
  for (const [index, { record, extraLength }] of sorted.entries()) {
    const end = base + record.offset + localHeaderBytes + record.name.length + extraLength + record.compressedSize;
    const next = sorted[index + 1]?.record;
    if (next !== undefined && end > base + next.offset) {
      return bomb(`entries ${quote(shownName(record))} and ${quote(shownName(next))} overlap`);
    }
    if (end > directoryOffset) return invalid(`${quote(shownName(record))} runs into the central directory`);
  }
  return null;
}
