// Builds zip archives byte by byte, right ones and wrong ones: everything that a record says can be made to lie.
import { deflateRawSync, crc32 as zlibCrc32 } from "node:zlib";

export interface EntrySpec {
  name: string | Uint8Array;
  data?: string | Uint8Array;
  /** 8 unless the data is empty. */
  method?: 0 | 8 | number;
  /** Bit 11 is set for names that are not ASCII, unless given. */
  flags?: number;
  time?: Date;
  madeBy?: number;
  externalAttributes?: number;
  extra?: Uint8Array;
  localExtra?: Uint8Array;
  comment?: string;
  /** The compressed bytes, where they shall not be those of the data. */
  raw?: Uint8Array;
  /** Sizes and checksum after the data instead of before it. */
  descriptor?: boolean;
  /** What the records say instead of the truth. */
  central?: RecordLies;
  local?: RecordLies & { name?: Uint8Array; signature?: number };
}

export interface RecordLies {
  crc?: number;
  size?: number;
  compressedSize?: number;
  method?: number;
  flags?: number;
  offset?: number;
}

export interface ArchiveSpec {
  prefix?: Uint8Array;
  /** Stated offsets leave the prefix out, as of a self-extractor that was put in front. */
  prefixUncounted?: boolean;
  comment?: Uint8Array;
  /** Between the local records and the central directory. */
  gap?: Uint8Array;
  end?: { count?: number; size?: number; offset?: number; disk?: number };
  /** Zip64 end record and locator. */
  zip64?: { count?: number; size?: number; offset?: number; locatorOffset?: number } | boolean;
  suffix?: Uint8Array;
}

export interface BuiltZip {
  bytes: Uint8Array;
  /** Of each local header, absolute. */
  offsets: number[];
  directoryOffset: number;
  endOffset: number;
}

export function buildZip(entries: readonly EntrySpec[], spec: ArchiveSpec = {}): BuiltZip {
  const prefix = spec.prefix ?? new Uint8Array(0);
  const base = spec.prefixUncounted ? prefix.length : 0;
  const parts: Uint8Array[] = [prefix];
  let position = prefix.length;
  const add = (bytes: Uint8Array) => {
    parts.push(bytes);
    position += bytes.length;
  };
  const offsets: number[] = [];
  const central: Uint8Array[] = [];
  for (const entry of entries) {
    offsets.push(position);
    const made = encodeEntry(entry, position - base);
    add(made.local);
    central.push(made.central);
  }
  add(spec.gap ?? new Uint8Array(0));
  const directoryOffset = position;
  for (const record of central) add(record);
  const size = position - directoryOffset;
  const wide = spec.zip64 === true ? {} : spec.zip64;
  if (wide) {
    const at = position;
    add(
      fields(
        "I",
        0x06064b50,
        "Q",
        44,
        "H",
        45,
        "H",
        45,
        "I",
        0,
        "I",
        0,
        "Q",
        wide.count ?? entries.length,
        "Q",
        wide.count ?? entries.length,
        "Q",
        wide.size ?? size,
        "Q",
        wide.offset ?? directoryOffset - base,
      ),
    );
    add(fields("I", 0x07064b50, "I", 0, "Q", wide.locatorOffset ?? at, "I", 1));
  }
  const endOffset = position;
  const comment = spec.comment ?? new Uint8Array(0);
  const { count, size: endSize, offset, disk = 0 } = spec.end ?? {};
  const said = wide
    ? { count: 0xffff, size: 0xffffffff, offset: 0xffffffff }
    : { count: entries.length, size, offset: directoryOffset - base };
  add(
    fields(
      "I",
      0x06054b50,
      "H",
      disk,
      "H",
      disk,
      "H",
      count ?? said.count,
      "H",
      count ?? said.count,
      "I",
      endSize ?? said.size,
      "I",
      offset ?? said.offset,
      "H",
      comment.length,
    ),
  );
  add(comment);
  add(spec.suffix ?? new Uint8Array(0));
  return { bytes: concat(parts), offsets, directoryOffset, endOffset };
}

/** The bytes alone, for plain archives. */
export function zipOf(entries: readonly EntrySpec[], spec: ArchiveSpec = {}): Uint8Array {
  return buildZip(entries, spec).bytes;
}

function encodeEntry(entry: EntrySpec, offset: number): { local: Uint8Array; central: Uint8Array } {
  const name = bytesOf(entry.name);
  const data = bytesOf(entry.data ?? "");
  const method = entry.method ?? (data.length === 0 ? 0 : 8);
  const raw = entry.raw ?? (method === 8 ? deflateRawSync(data) : data);
  const isAscii = typeof entry.name !== "string" || name.length === entry.name.length;
  const flags = entry.flags ?? (isAscii ? 0 : 0x800) | (entry.descriptor ? 8 : 0);
  const truth = { crc: zlibCrc32(data), size: data.length, compressedSize: raw.length, method, flags, offset };
  const { central: centralLies = {}, local: localLies = {} } = entry;
  const hidden = entry.descriptor ? { crc: 0, size: 0, compressedSize: 0 } : {};
  const local = { ...truth, ...hidden, ...localLies };
  const said = { ...truth, ...centralLies };
  const { dosDate, dosTime } = dosFields(entry.time ?? new Date("2025-01-30T12:00:00Z"));
  const localName = localLies.name ?? name;
  const localExtra = entry.localExtra ?? entry.extra ?? new Uint8Array(0);
  const extra = entry.extra ?? new Uint8Array(0);
  const comment = bytesOf(entry.comment ?? "");
  return {
    local: concat([
      fields(
        "I",
        localLies.signature ?? 0x04034b50,
        "H",
        20,
        "H",
        local.flags,
        "H",
        local.method,
        "H",
        dosTime,
        "H",
        dosDate,
        "I",
        local.crc,
        "I",
        local.compressedSize,
        "I",
        local.size,
        "H",
        localName.length,
        "H",
        localExtra.length,
      ),
      localName,
      localExtra,
      raw,
      entry.descriptor
        ? fields("I", 0x08074b50, "I", truth.crc, "I", truth.compressedSize, "I", truth.size)
        : new Uint8Array(0),
    ]),
    central: concat([
      fields(
        "I",
        0x02014b50,
        "H",
        entry.madeBy ?? 0x0314,
        "H",
        20,
        "H",
        said.flags,
        "H",
        said.method,
        "H",
        dosTime,
        "H",
        dosDate,
        "I",
        said.crc,
        "I",
        said.compressedSize,
        "I",
        said.size,
        "H",
        name.length,
        "H",
        extra.length,
        "H",
        comment.length,
        "H",
        0,
        "H",
        0,
        "I",
        entry.externalAttributes ?? 0,
        "I",
        said.offset,
      ),
      name,
      extra,
      comment,
    ]),
  };
}

export function extraBlock(id: number, data: Uint8Array): Uint8Array {
  return concat([fields("H", id, "H", data.length), data]);
}

/** A zip64 extra field with these values. */
export function zip64Extra(...values: number[]): Uint8Array {
  return extraBlock(1, concat(values.map((value) => fields("Q", value))));
}

export function unicodePathExtra(name: string, nameCrc: number): Uint8Array {
  return extraBlock(0x7075, concat([new Uint8Array([1]), fields("I", nameCrc), bytesOf(name)]));
}

export function timestampExtra(seconds: number): Uint8Array {
  return extraBlock(0x5455, concat([new Uint8Array([1]), fields("I", seconds >>> 0)]));
}

export function crcOf(bytes: Uint8Array): number {
  return zlibCrc32(bytes);
}

/** Little-endian fields: H 16 bits, I 32 bits, Q 64 bits. */
export function fields(...pairs: (string | number)[]): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < pairs.length; at += 2) {
    const value = Number(pairs[at + 1]);
    const bytes = new Uint8Array(pairs[at] === "H" ? 2 : pairs[at] === "I" ? 4 : 8);
    const view = new DataView(bytes.buffer);
    if (pairs[at] === "H") view.setUint16(0, value, true);
    else if (pairs[at] === "I") view.setUint32(0, value, true);
    else view.setBigUint64(0, BigInt(value), true);
    parts.push(bytes);
  }
  return concat(parts);
}

export function concat(parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts));
}

export function bytesOf(value: string | Uint8Array): Uint8Array {
  return typeof value === "string" ? new TextEncoder().encode(value) : value;
}

function dosFields(time: Date) {
  return {
    dosDate: ((time.getUTCFullYear() - 1980) << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate(),
    dosTime: (time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | (time.getUTCSeconds() >> 1),
  };
}
