import { fromHex, toHex } from "../native-bytes";
import { concatBytes } from "./concat-bytes";
import type { IndexedEntry } from "./entry-index";
import { withoutExtras } from "./extra-fields";
import { droppedWhenCopied } from "./layout-archive";
import { readCentralRecord } from "./records";
import { encodeCentralRecord } from "./write-records";

/**
 * The entry index of an archive as texts to store, many entries to a text: ten thousand rows of a table take many times as long to write
 * and to read. A part is JSON: what is known of each entry, and their central records one after the other, in hex.
 */

type Row = readonly [
  kind: IndexedEntry["kind"],
  path: string,
  reason: IndexedEntry["reason"],
  hash: string | null,
  anchor: string | null,
  extraOffset: number,
  extraLength: number,
  keptWhenCopied: number,
  keptWhenReplaced: number,
];

interface Part {
  readonly rows: readonly Row[];
  readonly records: string;
}

/** Well below the 2 MB that SQLite takes as one value, also when the longest names and comments follow. */
const partUnits = 250_000;

export function* encodeIndex(entries: readonly IndexedEntry[]): Generator<string> {
  let rows: string[] = [];
  let records: Uint8Array[] = [];
  let units = 0;
  const part = () => `{"rows":[${rows.join(",")}],"records":"${toHex(concatBytes(records))}"}`;
  for (const entry of entries) {
    if (units >= partUnits) {
      yield part();
      [rows, records, units] = [[], [], 0];
    }
    const { record } = entry;
    const bytes = encodeCentralRecord({ ...record, extra: withoutExtras(record.extra, droppedWhenCopied) });
    const row = JSON.stringify(rowOf(entry));
    rows.push(row);
    records.push(bytes);
    units += row.length + 2 * bytes.length;
  }
  if (rows.length > 0) yield part();
}

export function decodeIndex(parts: Iterable<string>): IndexedEntry[] {
  const entries: IndexedEntry[] = [];
  for (const part of parts) {
    const { rows, records } = JSON.parse(part) as Part;
    const bytes = fromHex(records);
    let at = 0;
    for (const row of rows) {
      const central = readCentralRecord(bytes, at);
      if (!central.ok) throw new Error(`the stored record of ${row[1]} cannot be read`);
      at += central.value.length;
      entries.push(entryOf(row, central.value.record));
    }
  }
  return entries;
}

/** Without the central records. */
export interface IndexedPath {
  readonly kind: IndexedEntry["kind"];
  readonly path: string;
  readonly hash: string | null;
}

export function* indexedPaths(parts: Iterable<string>): Generator<IndexedPath> {
  for (const part of parts) {
    for (const [kind, path, , hash] of (JSON.parse(part) as Part).rows) yield { kind, path, hash };
  }
}

function rowOf(entry: IndexedEntry): Row {
  return [
    entry.kind,
    entry.path,
    entry.reason,
    entry.hash,
    entry.anchor,
    entry.extraOffset,
    entry.extraLength,
    entry.keptWhenCopied,
    entry.keptWhenReplaced,
  ];
}

function entryOf(row: Row, record: IndexedEntry["record"]): IndexedEntry {
  const [kind, path, reason, hash, anchor, extraOffset, extraLength, keptWhenCopied, keptWhenReplaced] = row;
  return {
    kind,
    path,
    reason,
    hash,
    anchor,
    record,
    extraOffset,
    extraLength,
    keptWhenCopied,
    keptWhenReplaced,
  };
}
