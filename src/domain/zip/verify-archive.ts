import { zipReadChunkBytes } from "../limits";
import { equalBytes } from "../native-bytes";
import { quote } from "../quote";
import { err, ok, type Result } from "../result";
import { ArchiveReader } from "./archive-reader";
import type { Codec } from "./codec";
import type { ReadRange } from "./end-record";
import type { IndexedEntry } from "./entry-index";
import { EntryMeter, ExtractionBudget } from "./entry-meter";
import { shownName } from "./entry-name";
import { extractContent, type FileSink, findData } from "./extract-archive";
import type { Layout } from "./layout-archive";
import { openArchive } from "./open-archive";
import type { PlannedEntry } from "./plan-entries";
import { localHeaderBytes, readLocalHeader } from "./records";
import { type ArchiveFlaw, invalid } from "./zip-errors";
import type { ZipLimits } from "./zip-limits";

/** Two ranges are compared in parts of this size. */
const comparedBytes = 1024 * 1024;

/** The archive that was written, and the one that its unchanged entries come from. */
export interface Written {
  readonly read: ReadRange;
  readonly former: ReadRange;
  readonly formerSize: number;
}

/**
 * Opens a new archive like one of a stranger and holds it against what it should be (zipfs.md §6.5): the same entries in the same order; new
 * data inflates to its hash; unchanged data is byte for byte that of the former archive, which was inflated and checked when it was opened.
 */
export async function verifyArchive(
  { read, former, formerSize }: Written,
  layout: Layout,
  limits: ZipLimits,
  codec: Codec,
  openSink: () => FileSink,
): Promise<Result<null, ArchiveFlaw>> {
  const archive = await openArchive(read, layout.size, limits);
  if (!archive.ok) return archive;
  const { entries, container } = archive.value;
  const expected = layout.index.entries;
  const isSame =
    entries.length === expected.length &&
    entries.every(({ kind, path }, index) => kind === expected[index]?.kind && path === expected[index].path);
  if (!isSame) return err(invalid("its entries are not those of the workspace"));
  const reader = new ArchiveReader(read, layout.size, zipReadChunkBytes);
  const formerReader = new ArchiveReader(former, formerSize, zipReadChunkBytes);
  const budget = new ExtractionBudget(limits.extractedBytes);
  if (!(await isSameRange(reader, 0, formerReader, 0, layout.index.prefixLength))) {
    return err(invalid("what stands before it is not what it was"));
  }
  // A layout puts one entry after the other, so their order is that of their places.
  for (const [index, entry] of entries.entries()) {
    const place = await findData(reader, entry, entries[index + 1], container);
    if (!place.ok) return place;
    const { dataOffset } = place.value;
    const source = layout.copied[index] ?? null;
    if (source !== null) {
      if (await isCopy(reader, dataOffset, formerReader, layout.index.base, source, entry)) continue;
      return err(invalid(`the data of ${quote(shownName(entry.record))} is not what it was`));
    }
    if (entry.kind !== "file") continue;
    const meter = new EntryMeter(entry.record, limits, budget);
    const hash = await extractContent(reader, entry, dataOffset, codec, meter, openSink());
    if (!hash.ok) return hash;
    if (hash.value !== expected[index]?.hash) {
      return err(invalid(`${quote(shownName(entry.record))} has another content than the workspace`));
    }
  }
  return ok(null);
}

/** The place of the former data is read from its own local header, not from the index that the copy was made by. */
async function isCopy(
  reader: ArchiveReader,
  dataOffset: number,
  former: ArchiveReader,
  formerBase: number,
  source: IndexedEntry,
  { record }: PlannedEntry,
): Promise<boolean> {
  const { crc, size, compressedSize, method } = source.record;
  const isSameRecord =
    record.crc === crc && record.size === size && record.compressedSize === compressedSize && record.method === method;
  const start = formerBase + source.record.offset;
  const fixed = former.held(start, localHeaderBytes) ?? (await former.bytes(start, localHeaderBytes));
  const header = fixed === null ? null : readLocalHeader(fixed);
  if (header === null || !isSameRecord) return false;
  const formerOffset = start + localHeaderBytes + header.nameLength + header.extraLength;
  return isSameRange(reader, dataOffset, former, formerOffset, compressedSize);
}

async function isSameRange(
  left: ArchiveReader,
  leftOffset: number,
  right: ArchiveReader,
  rightOffset: number,
  length: number,
): Promise<boolean> {
  for (let at = 0; at < length; at += comparedBytes) {
    const step = Math.min(comparedBytes, length - at);
    const one = left.held(leftOffset + at, step) ?? (await left.bytes(leftOffset + at, step));
    const other = right.held(rightOffset + at, step) ?? (await right.bytes(rightOffset + at, step));
    if (one === null || other === null || !equalBytes(one, other)) return false;
  }
  return true;
}
