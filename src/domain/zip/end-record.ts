import { indexOfBytes } from "../native-bytes";
import { err, ok, type Result } from "../result";
import { readUint64, signatures } from "./records";
import { type ArchiveFlaw, bomb, invalid } from "./zip-errors";
import type { ZipLimits } from "./zip-limits";

/** Gives the bytes of a range of the archive. Never asked for what lies outside of it, nor for more than 16 MiB at once. */
export type ReadRange = (offset: number, length: number) => Promise<Uint8Array>;

/** Where the central directory lies, and what the end record says of it. */
export interface Container {
  /** Stated entries. */
  readonly count: number;
  /** Absolute. */
  readonly directoryOffset: number;
  readonly directorySize: number;
  /** Added to every stated offset: the length of what stands before the archive. */
  readonly base: number;
  readonly comment: Uint8Array;
}

const endBytes = 22;
/** `signatures.end` as it stands in a file. */
const endSignature = Uint8Array.of(0x50, 0x4b, 5, 6);
const locatorBytes = 20;
const zip64EndBytes = 56;
/** An end record with the longest comment that there can be. */
const searchBytes = endBytes + 0xffff;

/** zipfs.md §3.3: the end record, zip64, prefix data. */
export async function readContainer(
  read: ReadRange,
  size: number,
  limits: Pick<ZipLimits, "directoryBytes">,
): Promise<Result<Container, ArchiveFlaw>> {
  if (size < endBytes) return err(invalid(size === 0 ? "it is empty" : "it has no end record"));
  const tailStart = Math.max(0, size - searchBytes);
  const tail = await read(tailStart, size - tailStart);
  const found = findEndRecords(tail);
  if (found.length === 0) return err(invalid("it has no end record"));
  if (found.length > 1) return err(invalid("ambiguous end record"));
  const at = found[0] as number;
  const view = viewOf(tail.subarray(at));
  const stated: Stated = {
    entriesHere: view.getUint16(8, true),
    entries: view.getUint16(10, true),
    size: view.getUint32(12, true),
    offset: view.getUint32(16, true),
    end: tailStart + at,
  };
  const wide = await resolveEnd(read, stated);
  if (!wide.ok) return wide;
  const { entriesHere, entries, size: directorySize, offset, end } = wide.value;
  if (entriesHere !== entries) return err(invalid("it spans more than one disk"));
  const base = end - directorySize - offset;
  if (base < 0) return err(invalid("the central directory is not where the end record says"));
  if (directorySize > limits.directoryBytes) {
    return err(bomb(`central directory (${directorySize} bytes) exceeds limit (${limits.directoryBytes} bytes)`));
  }
  return ok({
    count: entries,
    directoryOffset: end - directorySize,
    directorySize,
    base,
    comment: tail.slice(at + endBytes),
  });
}

interface Stated {
  readonly entriesHere: number;
  readonly entries: number;
  readonly size: number;
  readonly offset: number;
  /** Where the record begins that follows the central directory. */
  readonly end: number;
}

/** Every place that fits: the comment ends with the file, and it is the only disk. */
function findEndRecords(tail: Uint8Array): number[] {
  const view = viewOf(tail);
  const found: number[] = [];
  for (let at = indexOfBytes(tail, endSignature); at !== -1; at = indexOfBytes(tail, endSignature, at + 1)) {
    if (at + endBytes > tail.length) break;
    const isWhole = at + endBytes + view.getUint16(at + 20, true) === tail.length;
    if (isWhole && view.getUint32(at + 4, true) === 0) found.push(at);
  }
  return found;
}

async function resolveEnd(read: ReadRange, stated: Stated): Promise<Result<Stated, ArchiveFlaw>> {
  const locatorAt = stated.end - locatorBytes;
  if (locatorAt < 0) return ok(stated);
  const locator = viewOf(await read(locatorAt, locatorBytes));
  if (locator.getUint32(0, true) !== signatures.zip64Locator) return ok(stated);
  if (locator.getUint32(4, true) !== 0 || locator.getUint32(16, true) > 1) {
    return err(invalid("it spans more than one disk"));
  }
  const offset = readUint64(locator, 8);
  if (offset === null) return err(invalid("a zip64 value is too large"));
  const record = (await readZip64End(read, offset, locatorAt)) ?? (await readZip64End(read, locatorAt - 56, locatorAt));
  if (record === null) return err(invalid("its zip64 end record is missing"));
  const { view, at } = record;
  if (view.getUint32(16, true) !== 0 || view.getUint32(20, true) !== 0) {
    return err(invalid("it spans more than one disk"));
  }
  const values = [24, 32, 40, 48].map((field) => readUint64(view, field));
  if (values.includes(null)) return err(invalid("a zip64 value is too large"));
  const [entriesHere, entries, size, start] = values as [number, number, number, number];
  return ok({
    entriesHere: stated.entriesHere === 0xffff ? entriesHere : stated.entriesHere,
    entries: stated.entries === 0xffff ? entries : stated.entries,
    size: stated.size === 0xffffffff ? size : stated.size,
    offset: stated.offset === 0xffffffff ? start : stated.offset,
    end: at,
  });
}

/** The record, if one begins at `at` and ends where the locator begins. */
async function readZip64End(read: ReadRange, at: number, locatorAt: number) {
  if (at < 0 || at + zip64EndBytes > locatorAt) return null;
  const view = viewOf(await read(at, zip64EndBytes));
  if (view.getUint32(0, true) !== signatures.zip64End) return null;
  const length = readUint64(view, 4);
  return length !== null && at + 12 + length === locatorAt ? { view, at } : null;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
