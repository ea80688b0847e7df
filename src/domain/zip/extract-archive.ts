import { zipReadChunkBytes } from "../limits";
import { quote } from "../quote";
import { err, ok, type Result } from "../result";
import { ArchiveReader } from "./archive-reader";
import { checkLocal, localDiffers } from "./check-local";
import type { Codec } from "./codec";
import type { Container, ReadRange } from "./end-record";
import { type IndexedEntry, nearestDirectory } from "./entry-index";
import { EntryMeter, ExtractionBudget } from "./entry-meter";
import { shownName } from "./entry-name";
import { entryTimeMs } from "./entry-times";
import { extraIds, findExtra, withoutExtras } from "./extra-fields";
import { droppedWhenCopied, droppedWhenReplaced } from "./layout-archive";
import type { OpenedArchive } from "./open-archive";
import type { PlannedEntry } from "./plan-entries";
import { localHeaderBytes, readLocalHeader } from "./records";
import { type ArchiveFlaw, bomb, invalid } from "./zip-errors";
import type { ZipLimits } from "./zip-limits";

/** Takes the bytes of one file. */
export interface FileSink {
  write(piece: Uint8Array): void | Promise<void>;
  /** All bytes came and were right; gives the content hash. */
  finish(): Promise<string>;
  /** The entry is not what it says; nothing of it may stay. */
  abort(): Promise<void>;
}

/** Up to this size an entry is inflated at once. */
const wholeMaxBytes = 1024 * 1024;

export interface ExtractedEntry extends IndexedEntry {
  readonly timeMs: number | null;
}

/**
 * Reads every entry, in the order of their places, so that the archive is read once from front to back whatever order its
 * directory has (zipfs.md §3.6, §3.7). Gives the entry index in archive order.
 */
export async function extractArchive(
  read: ReadRange,
  size: number,
  archive: OpenedArchive,
  limits: ZipLimits,
  codec: Codec,
  openSink: (entry: PlannedEntry) => FileSink,
  onEntry: (done: number, total: number) => void | Promise<void> = () => undefined,
): Promise<Result<ExtractedEntry[], ArchiveFlaw>> {
  const reader = new ArchiveReader(read, size, zipReadChunkBytes);
  const budget = new ExtractionBudget(limits.extractedBytes);
  const byPlace = archive.entries.toSorted((a, b) => a.offset - b.offset);
  const extracted = new Map<PlannedEntry, ExtractedEntry>();
  for (const [index, entry] of byPlace.entries()) {
    const next = byPlace[index + 1];
    const local = await readLocal(reader, entry, next, archive);
    if (!local.ok) return local;
    let hash: string | null = null;
    if (entry.kind === "file") {
      const meter = new EntryMeter(entry.record, limits, budget);
      const content = await extractContent(reader, entry, local.value.dataOffset, codec, meter, openSink(entry));
      if (!content.ok) return content;
      hash = content.value;
    }
    const { dataOffset: _, ...rest } = local.value;
    extracted.set(entry, { ...rest, hash });
    const told = onEntry(index + 1, byPlace.length);
    if (told !== undefined) await told;
  }
  return ok(archive.entries.map((entry) => extracted.get(entry) as ExtractedEntry));
}

/** Absolute places, and the local extra field. */
interface DataPlace {
  readonly extra: Uint8Array;
  readonly extraOffset: number;
  readonly dataOffset: number;
}

type LocalFacts = Omit<ExtractedEntry, "hash"> & { readonly dataOffset: number };

async function readLocal(
  reader: ArchiveReader,
  entry: PlannedEntry,
  next: PlannedEntry | undefined,
  archive: OpenedArchive,
): Promise<Result<LocalFacts, ArchiveFlaw>> {
  const place = await findData(reader, entry, next, archive.container);
  if (!place.ok) return place;
  const { extra, extraOffset, dataOffset } = place.value;
  const { record } = entry;
  const isTimedCentrally = findExtra(record.extra, extraIds.timestamp) !== null;
  return ok({
    kind: entry.kind,
    path: entry.path,
    reason: entry.reason,
    anchor: entry.kind === "skipped" ? nearestDirectory(entry.path, archive.directories) : null,
    record,
    extraOffset,
    extraLength: extra.length,
    keptWhenCopied: withoutExtras(extra, droppedWhenCopied).length,
    keptWhenReplaced: withoutExtras(extra, droppedWhenReplaced).length,
    timeMs: isTimedCentrally ? entry.timeMs : entryTimeMs(record.dosDate, record.dosTime, extra),
    dataOffset,
  });
}

/** Where an entry has its data, if its local header is what it should be. */
export async function findData(
  reader: ArchiveReader,
  entry: PlannedEntry,
  next: PlannedEntry | undefined,
  container: Container,
): Promise<Result<DataPlace, ArchiveFlaw>> {
  const { record, offset } = entry;
  const fixed = reader.held(offset, localHeaderBytes) ?? (await reader.bytes(offset, localHeaderBytes));
  const header = fixed === null ? null : readLocalHeader(fixed);
  if (header === null) return err(localDiffers(record));
  const { nameLength, extraLength } = header;
  const extraOffset = offset + localHeaderBytes + nameLength;
  const dataOffset = extraOffset + extraLength;
  const end = dataOffset + record.compressedSize;
  if (next !== undefined && end > next.offset) {
    return err(bomb(`entries ${quote(shownName(record))} and ${quote(shownName(next.record))} overlap`));
  }
  if (end > container.directoryOffset) {
    return err(invalid(`${quote(shownName(record))} runs into the central directory`));
  }
  const rest = [offset + localHeaderBytes, nameLength + extraLength] as const;
  const both = reader.held(...rest) ?? (await reader.bytes(...rest)) ?? new Uint8Array(0);
  const extra = both.subarray(nameLength);
  const flaw = entry.kind === "file" ? checkLocal(record, header, both.subarray(0, nameLength), extra) : null;
  if (flaw !== null) return err(flaw);
  return ok({ extra, extraOffset, dataOffset });
}

/** The data of a file, checked on its way to the sink; gives the content hash. */
export async function extractContent(
  reader: ArchiveReader,
  { record }: PlannedEntry,
  dataOffset: number,
  codec: Codec,
  meter: EntryMeter,
  sink: FileSink,
): Promise<Result<string, ArchiveFlaw>> {
  let flaw: ArchiveFlaw | null;
  try {
    flaw = await pump(reader, record, dataOffset, codec, meter, sink);
    if (flaw === null) return ok(await sink.finish());
  } catch (fault) {
    await sink.abort();
    throw fault;
  }
  await sink.abort();
  return err(flaw);
}

async function pump(
  reader: ArchiveReader,
  record: PlannedEntry["record"],
  dataOffset: number,
  codec: Codec,
  meter: EntryMeter,
  sink: FileSink,
): Promise<ArchiveFlaw | null> {
  const { method, compressedSize, size } = record;
  if (method === 0) {
    for await (const piece of reader.stream(dataOffset, compressedSize)) {
      const flaw = meter.take(piece);
      if (flaw !== null) return flaw;
      await sink.write(piece);
    }
    return meter.finish({ state: "finished", consumed: compressedSize });
  }
  if (compressedSize <= wholeMaxBytes && size <= wholeMaxBytes) {
    const range = [dataOffset, compressedSize] as const;
    const data = reader.held(...range) ?? (await reader.bytes(...range)) ?? new Uint8Array(0);
    const inflated = inflatedWhole(data, record, codec, meter.maxBytes);
    if (inflated === "over") return meter.overrun();
    const flaw = meter.take(inflated.bytes) ?? meter.finish(inflated.end);
    if (flaw === null) await sink.write(inflated.bytes);
    return flaw;
  }
  let stopped: ArchiveFlaw | null = null;
  let inflated = 0;
  const end = await codec.inflate(reader.stream(dataOffset, compressedSize), async (piece) => {
    stopped = meter.take(piece);
    if (stopped !== null) return false;
    inflated += piece.length;
    // The verdict on what is longer comes later; the sink takes what was declared.
    if (inflated <= size) await sink.write(piece);
    return true;
  });
  return end === null ? (stopped ?? meter.overrun()) : meter.finish(end);
}

function inflatedWhole(
  data: Uint8Array,
  { size, crc }: PlannedEntry["record"],
  codec: Codec,
  maxBytes: number,
): ReturnType<Codec["inflateWhole"]> {
  const bytes = size <= maxBytes ? codec.inflateExpected(data, size, crc) : null;
  if (bytes === null) return codec.inflateWhole(data, maxBytes);
  return { bytes, end: { state: "finished", consumed: data.length } };
}
