// What the records of a new archive say, entry by entry: which extra fields stay, times, and what a new directory is.
// Order, places and raw bytes: packing.test.ts.
import { describe, expect, it } from "vitest";
import {
  bytesOf,
  concat,
  extraBlock,
  timestampExtra,
  unicodePathExtra,
  zipOf,
} from "../../../test/harness/zip-builder";
import { opened, packed } from "../../../test/harness/zip-core";
import { dosTimeOf, entryTimeMs } from "./entry-times";

const ids = { zip64: 0x0001, ntfs: 0x000a, timestamp: 0x5455, unicodePath: 0x7075, unknown: 0xcafe };
/** One of each kind, as it may stand in either record. */
const all = concat([
  extraBlock(ids.zip64, new Uint8Array(16)),
  timestampExtra(1_600_000_000),
  extraBlock(ids.ntfs, new Uint8Array(32)),
  unicodePathExtra("x", 0),
  extraBlock(ids.unknown, bytesOf("stays")),
]);

function idsOf(extra: Uint8Array): number[] {
  const view = new DataView(extra.buffer, extra.byteOffset, extra.byteLength);
  const found: number[] = [];
  for (let at = 0; at < extra.length; at += 4 + view.getUint16(at + 2, true)) found.push(view.getUint16(at, true));
  return found;
}

/** The extra fields of the first entry after a sync, in the local header and in the central record. */
async function extrasAfter(content: string): Promise<{ local: number[]; central: number[] }> {
  const bytes = zipOf([{ name: "x", data: "old", extra: all, localExtra: all }]);
  const before = await opened(bytes);
  const result = await packed(bytes, before.index, { files: new Map([["x", bytesOf(content)]]), directories: [] });
  const [entry] = (await opened(result)).index.entries;
  if (entry === undefined) throw new Error("no entry");
  const local = result.slice(entry.extraOffset, entry.extraOffset + entry.extraLength);
  return { local: idsOf(local), central: idsOf(entry.record.extra) };
}

describe("zipfs.md §6.5: the extra fields of an entry", () => {
  it("stay in both records where it is unchanged, but for zip64 fields that nothing needs", async () => {
    const kept = [ids.timestamp, ids.ntfs, ids.unicodePath, ids.unknown];
    expect(await extrasAfter("old")).toEqual({ local: kept, central: kept });
  });

  it("stay in both records where it is modified, except 0x0001, 0x5455 and 0x000A", async () => {
    const kept = [ids.unicodePath, ids.unknown];
    expect(await extrasAfter("new")).toEqual({ local: kept, central: kept });
  });
});

describe("zipfs.md §6.5: a new entry", () => {
  it("of an empty directory is dir/, of mode 0755, made by Unix, without extra field", async () => {
    const bytes = zipOf([]);
    const former = (await opened(bytes)).index;
    const after = await opened(await packed(bytes, former, { files: new Map(), directories: ["é"] }));
    expect(after.index.entries).toHaveLength(1);
    expect(after.index.entries[0]?.record).toMatchObject({
      name: bytesOf("é/"),
      flags: 0x800,
      madeBy: 0x0314,
      externalAttributes: 0o040755 * 65536 + 0x10,
      method: 0,
      size: 0,
      extra: new Uint8Array(0),
    });
  });

  it.each([
    [Date.UTC(1970, 0, 1), Date.UTC(1980, 0, 1)],
    [Date.UTC(2026, 1, 3, 4, 5, 6), Date.UTC(2026, 1, 3, 4, 5, 6)],
    [Date.UTC(2026, 1, 3, 23, 59, 59, 999), Date.UTC(2026, 1, 3, 23, 59, 58)],
    [Date.UTC(2107, 11, 31, 23, 59, 59), Date.UTC(2107, 11, 31, 23, 59, 58)],
    [Date.UTC(2300, 0, 1), Date.UTC(2107, 11, 31, 23, 59, 58)],
  ])("has its time in UTC as DOS time, clamped to 1980–2107: %d is %d", (ms, said) => {
    const { dosDate, dosTime } = dosTimeOf(ms);
    expect(entryTimeMs(dosDate, dosTime, new Uint8Array(0))).toBe(said);
  });
});
