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
export function centralRecordLength(record: CentralRecord): number {
  const { name, extra, comment } = record;
  return centralRecordBytes + name.length + zip64FieldLength(wideValues(record).length) + extra.length + comment.length;
}

function wideValues({ size, compressedSize, offset }: CentralRecord): readonly number[] {
  const isNarrow = size < max32 && compressedSize < max32 && offset < max32;
  return isNarrow ? [] : [size, compressedSize, offset].filter((value) => value >= max32);
}

function zip64FieldLength(values: number): number {
  return values === 0 ? 0 : 4 + 8 * values;
}

/** The header, the name and a zip64 field where one is needed; the rest of the extra field, of `extraLength` bytes, follows. */
export function encodeLocalHeader(record: CentralRecord, extraLength: number): Uint8Array {
  // A local field has both sizes or none.
  const isWide = record.size >= max32 || record.compressedSize >= max32;
  const zip64 = isWide ? zip64Field([record.size, record.compressedSize]) : noBytes;
  const { bytes, view, at } = records.take(localHeaderLength(record));
  view.setUint32(at, signatures.local, true);
  view.setUint16(at + 4, versionNeeded(record, isWide), true);
  view.setUint16(at + 6, record.flags, true);
  view.setUint16(at + 8, record.method, true);
  view.setUint16(at + 10, record.dosTime, true);
  view.setUint16(at + 12, record.dosDate, true);
  view.setUint32(at + 14, record.crc, true);
  view.setUint32(at + 18, isWide ? max32 : record.compressedSize, true);
  view.setUint32(at + 22, isWide ? max32 : record.size, true);
  view.setUint16(at + 26, record.name.length, true);
  view.setUint16(at + 28, zip64.length + extraLength, true);
  bytes.set(record.name, localHeaderBytes);
  bytes.set(zip64, localHeaderBytes + record.name.length);
  return bytes;
}

/** `record.extra` without a zip64 field of its own. */
export function encodeCentralRecord(record: CentralRecord): Uint8Array {
  const { name, extra, comment } = record;
  const wide = wideValues(record);
  const zip64 = wide.length > 0 ? zip64Field(wide) : noBytes;
  const { bytes, view, at } = records.take(centralRecordLength(record));
  view.setUint32(at, signatures.central, true);
  view.setUint16(at + 4, record.madeBy, true);
  view.setUint16(at + 6, versionNeeded(record, wide.length > 0), true);
  view.setUint16(at + 8, record.flags, true);
  view.setUint16(at + 10, record.method, true);
  view.setUint16(at + 12, record.dosTime, true);
  view.setUint16(at + 14, record.dosDate, true);
  view.setUint32(at + 16, record.crc, true);
  view.setUint32(at + 20, Math.min(record.compressedSize, max32), true);
  view.setUint32(at + 24, Math.min(record.size, max32), true);
  view.setUint16(at + 28, name.length, true);
  view.setUint16(at + 30, zip64.length + extra.length, true);
  view.setUint16(at + 32, comment.length, true);
  view.setUint16(at + 36, record.internalAttributes, true);
  view.setUint32(at + 38, record.externalAttributes, true);
  view.setUint32(at + 42, Math.min(record.offset, max32), true);
  let end = centralRecordBytes;
  for (const part of [name, zip64, extra, comment]) {
    bytes.set(part, end);
    end += part.length;
  }
  return bytes;
}

const sharedBytes = 64 * 1024;

/** Records share memory, many to a buffer: a buffer for each would cost more time than what is written into it. */
class RecordSpace {
  private view = new DataView(new ArrayBuffer(0));
  private used = 0;

  /** `length` bytes of zeros, and where they begin in the view. */
  take(length: number): { readonly bytes: Uint8Array; readonly view: DataView; readonly at: number } {
    if (this.used + length > this.view.byteLength) {
      this.view = new DataView(new ArrayBuffer(Math.max(length, sharedBytes)));
      this.used = 0;
    }
    const { view, used: at } = this;
    this.used += length;
    return { bytes: new Uint8Array(view.buffer, at, length), view, at };
  }
}

const records = new RecordSpace();
const noBytes = new Uint8Array(0);

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
