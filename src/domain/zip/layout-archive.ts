import { isOverRatio } from "./check-totals";
import type { ArchiveIndex, IndexedEntry } from "./entry-index";
import { nearestDirectory } from "./entry-index";
import { dosTimeOf } from "./entry-times";
import { extraIds, withoutExtras } from "./extra-fields";
import type { SyncItem, WorkspaceFile } from "./plan-sync";
import { type CentralRecord, flagBits } from "./records";
import { centralRecordLength, encodeEnd, localHeaderLength } from "./write-records";

/** What new data becomes; the same for the same content. */
export interface PackedData {
  readonly method: 0 | 8;
  readonly crc: number;
  readonly size: number;
  readonly compressedSize: number;
}

/** One run of bytes of the new archive. */
export type Segment =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  /** Records become bytes when they are written: ten thousand of them as bytes are megabytes. */
  | { readonly kind: "local"; readonly record: CentralRecord; readonly extraLength: number }
  | { readonly kind: "central"; readonly record: CentralRecord }
  /** From the archive that the session stands on, unchanged. */
  | { readonly kind: "copy"; readonly offset: number; readonly length: number }
  /** A local extra field of it, without the blocks of these ids. */
  | { readonly kind: "extra"; readonly offset: number; readonly length: number; readonly without: readonly number[] }
  /** Content of a file, packed. */
  | { readonly kind: "data"; readonly hash: string; readonly packed: PackedData };

export interface Layout {
  readonly segments: readonly Segment[];
  readonly size: number;
  readonly directorySize: number;
  /** The index of the new archive. */
  readonly index: ArchiveIndex;
  /** For each of its entries, the one whose data it has unchanged; null where the data is new. */
  readonly copied: readonly (IndexedEntry | null)[];
}

/** Blocks that say sizes of their own, and those that say the time of former data. */
export const droppedWhenCopied = [extraIds.zip64];
export const droppedWhenReplaced = [extraIds.zip64, extraIds.timestamp, extraIds.ntfsTimes];

const unixMadeBy = (3 << 8) | 20;
const newFileAttributes = 0o100644 * 65536;
const newDirectoryAttributes = 0o040755 * 65536 + 0x10;
const noBytes = new Uint8Array(0);

/** Stored where deflating does not make it smaller, or so small that the archive could not be opened again. */
export function packedAs(data: Omit<PackedData, "method">, ratio: number): PackedData {
  const isWorse = data.compressedSize >= data.size || isOverRatio(data, ratio);
  return isWorse ? storedAs(data) : { ...data, method: 8 };
}

export function storedAs({ crc, size }: Pick<PackedData, "crc" | "size">): PackedData {
  return { method: 0, crc, size, compressedSize: size };
}

/** Where everything goes. `packed` tells what the data of a file becomes, and in which method it was before. */
export function layoutArchive(
  former: ArchiveIndex,
  items: readonly SyncItem[],
  directories: { has(path: string): boolean },
  packed: (file: WorkspaceFile, formerMethod: number | null) => PackedData,
): Layout {
  const segments: Segment[] = [];
  const entries: IndexedEntry[] = [];
  let position = 0;
  const add = (segment: Segment, length: number) => {
    if (length > 0) segments.push(segment);
    position += length;
  };
  add({ kind: "copy", offset: 0, length: former.prefixLength }, former.prefixLength);
  for (const item of items) {
    const written = writtenEntry(item, packed);
    const { record, extraSource, extraLength, extraDrop, data } = written;
    const placed = { ...record, offset: position - former.base };
    add({ kind: "local", record: placed, extraLength }, localHeaderLength(placed));
    const extraOffset = position;
    if (extraSource !== null) {
      const { extraOffset: offset, extraLength: length } = extraSource;
      add({ kind: "extra", offset, length, without: extraDrop }, extraLength);
    }
    add(data, record.compressedSize);
    entries.push({ ...indexed(item, directories), record: placed, extraOffset, ...extrasOf(item, extraLength) });
  }
  const directoryAt = position;
  for (const { record } of entries) add({ kind: "central", record }, centralRecordLength(record));
  const directorySize = position - directoryAt;
  const end = encodeEnd({
    count: entries.length,
    size: directorySize,
    offset: directoryAt - former.base,
    position: directoryAt,
    comment: former.comment,
  });
  add({ kind: "bytes", bytes: end }, end.length);
  const copied = items.map((item) => (item.kind === "copied" ? item.entry : null));
  return { segments, size: position, directorySize, index: { ...former, entries }, copied };
}

interface WrittenEntry {
  /** Its offset is not known yet. */
  readonly record: CentralRecord;
  readonly extraSource: IndexedEntry | null;
  readonly extraDrop: readonly number[];
  readonly extraLength: number;
  readonly data: Segment;
}

function writtenEntry(
  item: SyncItem,
  pack: (file: WorkspaceFile, formerMethod: number | null) => PackedData,
): WrittenEntry {
  switch (item.kind) {
    case "copied": {
      const { entry } = item;
      const { record } = entry;
      const extra = withoutExtras(record.extra, droppedWhenCopied);
      const { extraOffset, extraLength, keptWhenCopied } = entry;
      return {
        record: { ...record, extra, flags: record.flags & ~flagBits.descriptor },
        extraSource: entry,
        extraDrop: droppedWhenCopied,
        extraLength: keptWhenCopied,
        data: { kind: "copy", offset: extraOffset + extraLength, length: record.compressedSize },
      };
    }
    case "replaced": {
      const { entry, file } = item;
      const packed = pack(file, entry.record.method);
      return {
        record: replacedRecord(entry.record, file, packed),
        extraSource: entry,
        extraDrop: droppedWhenReplaced,
        extraLength: entry.keptWhenReplaced,
        data: { kind: "data", hash: file.hash, packed },
      };
    }
    case "new file": {
      const packed = pack(item.file, null);
      return fresh(newRecord(item.path, item.file.timeMs, newFileAttributes, packed), item.file.hash, packed);
    }
    case "new directory": {
      const packed = storedAs({ crc: 0, size: 0 });
      return fresh(newRecord(`${item.path}/`, item.timeMs, newDirectoryAttributes, packed), "", packed);
    }
  }
}

function fresh(record: CentralRecord, hash: string, packed: PackedData): WrittenEntry {
  return { record, extraSource: null, extraDrop: [], extraLength: 0, data: { kind: "data", hash, packed } };
}

function replacedRecord(former: CentralRecord, file: WorkspaceFile, packed: PackedData): CentralRecord {
  return {
    ...former,
    ...packed,
    ...dosTimeOf(file.timeMs),
    versionNeeded: Math.max(packed.method === 8 ? 20 : 10, former.versionNeeded),
    flags: former.flags & flagBits.utf8,
    externalAttributes: withPlainMode(former.externalAttributes),
    extra: withoutExtras(former.extra, droppedWhenReplaced),
  };
}

/** `mode & 0755` (zipfs.md §3.5): no setuid, setgid and sticky bits; the type of the file and DOS attributes stay. */
function withPlainMode(attributes: number): number {
  const mode = attributes >>> 16;
  return ((mode & 0o170000) | (mode & 0o755)) * 65536 + (attributes & 0xffff);
}

function newRecord(name: string, timeMs: number, attributes: number, packed: PackedData): CentralRecord {
  const bytes = new TextEncoder().encode(name);
  return {
    ...packed,
    ...dosTimeOf(timeMs),
    madeBy: unixMadeBy,
    versionNeeded: packed.method === 8 || name.endsWith("/") ? 20 : 10,
    flags: bytes.length === name.length ? 0 : flagBits.utf8,
    internalAttributes: 0,
    externalAttributes: attributes,
    offset: 0,
    name: bytes,
    extra: noBytes,
    comment: noBytes,
  };
}

function indexed(item: SyncItem, directories: { has(path: string): boolean }) {
  if (item.kind === "new file" || item.kind === "replaced") {
    const path = item.kind === "replaced" ? item.entry.path : item.path;
    return { kind: "file", path, reason: null, hash: item.file.hash, anchor: null } as const;
  }
  if (item.kind === "new directory") {
    return { kind: "directory", path: item.path, reason: null, hash: null, anchor: null } as const;
  }
  const { kind, path, reason, hash } = item.entry;
  // The workspace is the archive's own from here on: a skipped entry hangs on what there is now.
  return { kind, path, reason, hash, anchor: kind === "skipped" ? nearestDirectory(path, directories) : null };
}

/** What the local extra field of the new archive is, and would become. */
function extrasOf(item: SyncItem, extraLength: number) {
  if (item.kind !== "copied") return { extraLength, keptWhenCopied: extraLength, keptWhenReplaced: extraLength };
  // The times are still in it, so what another sync would keep of it is as before.
  return { extraLength, keptWhenCopied: extraLength, keptWhenReplaced: item.entry.keptWhenReplaced };
}
