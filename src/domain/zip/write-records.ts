import { concatBytes } from "./concat-bytes";
import { extraIds } from "./extra-fields";
import { type CentralRecord, centralRecordBytes, localHeaderBytes, signatures } from "./records";

/** The records of a zip archive as bytes, written. Zip64 stands exactly where a value does not fit. */

const max16 = 0xffff;
const max32 = 0xffffffff;
const zip64Version = 45;

/** What `encodeLocalHeader` gives has this many bytes. */
export function localHeaderLength({ name, size, compressedSize }: CentralRecord): number {
  const wide = size >= max32 || compressedSize >= max32 ? 2 : 0;
  return localHeaderBytes + name.length + zip64FieldLength(wide);
}

/** What `encodeCentralRecord` gives has this many bytes. */
export function centralRecordLength({ name, extra, comment, size, compressedSize, offset }: CentralRecord): number {
  const wide = [size, compressedSize, offset].filter((value) => value >= max32).length;
  return centralRecordBytes + name.length + zip64FieldLength(wide) + extra.length + comment.length;
}

function zip64FieldLength(values: number): number {
  return values === 0 ? 0 : 4 + 8 * values;
}

/** The header, the name and a zip64 field where one is needed; the rest of the extra field, of `extraLength` bytes, follows. */
export function encodeLocalHeader(record: CentralRecord, extraLength: number): Uint8Array {
  // A local field has both sizes or none.
  const isWide = record.size >= max32 || record.compressedSize >= max32;
  const zip64 = isWide ? zip64Field([record.size, record.compressedSize]) : new Uint8Array(0);
  const header = new Uint8Array(localHeaderBytes);
  const view = new DataView(header.buffer);
  view.setUint32(0, signatures.local, true);
  view.setUint16(4, versionNeeded(record, isWide), true);
  view.setUint16(6, record.flags, true);
  view.setUint16(8, record.method, true);
  view.setUint16(10, record.dosTime, true);
  view.setUint16(12, record.dosDate, true);
  view.setUint32(14, record.crc, true);
  view.setUint32(18, isWide ? max32 : record.compressedSize, true);
  view.setUint32(22, isWide ? max32 : record.size, true);
  view.setUint16(26, record.name.length, true);
  view.setUint16(28, zip64.length + extraLength, true);
  return concatBytes([header, record.name, zip64]);
}

/** `record.extra` without a zip64 field of its own. */
export function encodeCentralRecord(record: CentralRecord): Uint8Array {
  const wide = [record.size, record.compressedSize, record.offset].filter((value) => value >= max32);
  const zip64 = wide.length > 0 ? zip64Field(wide) : new Uint8Array(0);
  const fixed = new Uint8Array(centralRecordBytes);
  const view = new DataView(fixed.buffer);
  view.setUint32(0, signatures.central, true);
  view.setUint16(4, record.madeBy, true);
  view.setUint16(6, versionNeeded(record, wide.length > 0), true);
  view.setUint16(8, record.flags, true);
  view.setUint16(10, record.method, true);
  view.setUint16(12, record.dosTime, true);
  view.setUint16(14, record.dosDate, true);
  view.setUint32(16, record.crc, true);
  view.setUint32(20, Math.min(record.compressedSize, max32), true);
  view.setUint32(24, Math.min(record.size, max32), true);
  view.setUint16(28, record.name.length, true);
  view.setUint16(30, zip64.length + record.extra.length, true);
  view.setUint16(32, record.comment.length, true);
  view.setUint16(36, record.internalAttributes, true);
  view.setUint32(38, record.externalAttributes, true);
  view.setUint32(42, Math.min(record.offset, max32), true);
  return concatBytes([fixed, record.name, zip64, record.extra, record.comment]);
}

export interface DirectoryFacts {
  readonly count: number;
  readonly size: number;
  /** As stated: without the length of a prefix. */
  readonly offset: number;
  /** The same, absolute. */
  readonly position: number;
  readonly comment: Uint8Array;
}

/** What follows the central directory. */
export function encodeEnd({ count, size, offset, position, comment }: DirectoryFacts): Uint8Array {
  const end = new Uint8Array(22);
  const view = new DataView(end.buffer);
  view.setUint32(0, signatures.end, true);
  view.setUint16(8, Math.min(count, max16), true);
  view.setUint16(10, Math.min(count, max16), true);
  view.setUint32(12, Math.min(size, max32), true);
  view.setUint32(16, Math.min(offset, max32), true);
  view.setUint16(20, comment.length, true);
  const isWide = count >= max16 || size >= max32 || offset >= max32;
  if (!isWide) return concatBytes([end, comment]);
  return concatBytes([zip64End(count, size, offset), zip64Locator(position + size), end, comment]);
}

function zip64End(count: number, size: number, offset: number): Uint8Array {
  const record = new Uint8Array(56);
  const view = new DataView(record.buffer);
  view.setUint32(0, signatures.zip64End, true);
  setUint64(view, 4, 44);
  view.setUint16(12, zip64Version, true);
  view.setUint16(14, zip64Version, true);
  setUint64(view, 24, count);
  setUint64(view, 32, count);
  setUint64(view, 40, size);
  setUint64(view, 48, offset);
  return record;
}

function zip64Locator(position: number): Uint8Array {
  const record = new Uint8Array(20);
  const view = new DataView(record.buffer);
  view.setUint32(0, signatures.zip64Locator, true);
  setUint64(view, 8, position);
  view.setUint32(16, 1, true);
  return record;
}

function zip64Field(values: readonly number[]): Uint8Array {
  const field = new Uint8Array(4 + 8 * values.length);
  const view = new DataView(field.buffer);
  view.setUint16(0, extraIds.zip64, true);
  view.setUint16(2, 8 * values.length, true);
  for (const [index, value] of values.entries()) setUint64(view, 4 + 8 * index, value);
  return field;
}

function versionNeeded(record: CentralRecord, isWide: boolean): number {
  return isWide ? Math.max(record.versionNeeded, zip64Version) : record.versionNeeded;
}

function setUint64(view: DataView, at: number, value: number): void {
  view.setUint32(at, value % 2 ** 32, true);
  view.setUint32(at + 4, Math.floor(value / 2 ** 32), true);
}
