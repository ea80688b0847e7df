import { err, ok, type Result } from "../result";
import { extraIds, findExtra } from "./extra-fields";
import { type ArchiveFlaw, invalid } from "./zip-errors";

/** The records of a zip archive as bytes, read (APPNOTE 4.3). Sizes and offsets are resolved through zip64. */

export const signatures = {
  local: 0x04034b50,
  central: 0x02014b50,
  end: 0x06054b50,
  zip64End: 0x06064b50,
  zip64Locator: 0x07064b50,
} as const;

export const localHeaderBytes = 30;
export const centralRecordBytes = 46;

export const flagBits = {
  encrypted: 1 << 0,
  descriptor: 1 << 3,
  strong: 1 << 6,
  utf8: 1 << 11,
  masked: 1 << 13,
} as const;

const max16 = 0xffff;
const max32 = 0xffffffff;

export interface CentralRecord {
  readonly madeBy: number;
  readonly versionNeeded: number;
  readonly flags: number;
  readonly method: number;
  readonly dosTime: number;
  readonly dosDate: number;
  readonly crc: number;
  readonly compressedSize: number;
  readonly size: number;
  readonly internalAttributes: number;
  readonly externalAttributes: number;
  /** Of the local header, as stated: the length of a prefix is not added. */
  readonly offset: number;
  readonly name: Uint8Array;
  readonly extra: Uint8Array;
  readonly comment: Uint8Array;
}

export interface LocalHeader {
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly compressedSize: number;
  readonly size: number;
  readonly nameLength: number;
  readonly extraLength: number;
}

/** The record at `at`, and how many bytes it takes. The parts are views of `bytes`. */
export function readCentralRecord(
  bytes: Uint8Array,
  at: number,
): Result<{ readonly record: CentralRecord; readonly length: number }, ArchiveFlaw> {
  if (at + centralRecordBytes > bytes.length) return err(invalid("the central directory is cut off"));
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, bytes.length - at);
  if (view.getUint32(0, true) !== signatures.central) return err(invalid("a central record has no signature"));
  const nameEnd = centralRecordBytes + view.getUint16(28, true);
  const extraEnd = nameEnd + view.getUint16(30, true);
  const length = extraEnd + view.getUint16(32, true);
  if (at + length > bytes.length) return err(invalid("a central record runs over the end of the directory"));
  const extra = bytes.subarray(at + nameEnd, at + extraEnd);
  const wide = resolveZip64(
    extra,
    { size: view.getUint32(24, true), compressedSize: view.getUint32(20, true), offset: view.getUint32(42, true) },
    view.getUint16(34, true),
  );
  if (!wide.ok) return wide;
  const record: CentralRecord = {
    madeBy: view.getUint16(4, true),
    versionNeeded: view.getUint16(6, true),
    flags: view.getUint16(8, true),
    method: view.getUint16(10, true),
    dosTime: view.getUint16(12, true),
    dosDate: view.getUint16(14, true),
    crc: view.getUint32(16, true),
    ...wide.value,
    internalAttributes: view.getUint16(36, true),
    externalAttributes: view.getUint32(38, true),
    name: bytes.subarray(at + centralRecordBytes, at + nameEnd),
    extra,
    comment: bytes.subarray(at + extraEnd, at + length),
  };
  return ok({ record, length });
}

/** The fixed part of a local header; null without its signature. Sizes are as stated, see `localSizes`. */
export function readLocalHeader(bytes: Uint8Array): LocalHeader | null {
  if (bytes.length < localHeaderBytes) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (view.getUint32(0, true) !== signatures.local) return null;
  return {
    flags: view.getUint16(6, true),
    method: view.getUint16(8, true),
    crc: view.getUint32(14, true),
    compressedSize: view.getUint32(18, true),
    size: view.getUint32(22, true),
    nameLength: view.getUint16(26, true),
    extraLength: view.getUint16(28, true),
  };
}

/** The sizes of a local header, through its zip64 field where they are not in the header itself; null: the field lacks one. */
export function localSizes(
  header: LocalHeader,
  extra: Uint8Array,
): { readonly size: number; readonly compressedSize: number } | null {
  const { size, compressedSize } = header;
  const resolved = resolveZip64(extra, { size, compressedSize, offset: 0 }, 0);
  return resolved.ok ? resolved.value : null;
}

interface WideValues {
  readonly size: number;
  readonly compressedSize: number;
  readonly offset: number;
}

/** The 0x0001 field holds exactly the values that do not fit, in this order (zipfs.md §3.3). */
function resolveZip64(extra: Uint8Array, values: WideValues, disk: number): Result<WideValues, ArchiveFlaw> {
  const isWide = disk === max16 || [values.size, values.compressedSize, values.offset].includes(max32);
  if (!isWide) return disk === 0 ? ok(values) : err(invalid("it spans more than one disk"));
  const field = findExtra(extra, extraIds.zip64) ?? new Uint8Array(0);
  const view = new DataView(field.buffer, field.byteOffset, field.byteLength);
  let at = 0;
  const wide = (value: number): number | null => {
    if (value !== max32) return value;
    const read = at + 8 <= field.length ? readUint64(view, at) : null;
    at += 8;
    return read;
  };
  const size = wide(values.size);
  const compressedSize = wide(values.compressedSize);
  const offset = wide(values.offset);
  if (size === null || compressedSize === null || offset === null) return err(invalid("a zip64 value is missing"));
  const realDisk = disk === max16 && at + 4 <= field.length ? view.getUint32(at, true) : disk;
  return realDisk === 0 ? ok({ size, compressedSize, offset }) : err(invalid("it spans more than one disk"));
}

/** Null from 2^53, where numbers are no longer exact. */
export function readUint64(view: DataView, at: number): number | null {
  const value = view.getUint32(at + 4, true) * 2 ** 32 + view.getUint32(at, true);
  return Number.isSafeInteger(value) ? value : null;
}
