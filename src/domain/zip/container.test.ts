// The container: end record, zip64, prefix data, counts, overlap, limits and their order, truncation and damage anywhere. Not covered: names.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { counts, seed } from "../../../test/counts";
import {
  type ArchiveSpec,
  buildZip,
  concat,
  type EntrySpec,
  fields,
  timestampExtra,
  zip64Extra,
  zipOf,
} from "../../../test/harness/zip-builder";
import { opened, openInMemory } from "../../../test/harness/zip-core";
import { dosTimeOf, entryTimeMs } from "./entry-times";
import { parseZipLimits, type ZipLimits } from "./zip-limits";

const two: EntrySpec[] = [
  { name: "a.txt", data: "hello ".repeat(50) },
  { name: "b/c.txt", data: "stored", method: 0 },
];

async function flawOf(bytes: Uint8Array, limits: Partial<ZipLimits> = {}): Promise<string> {
  const result = await openInMemory(bytes, limits);
  if (result.ok) return "opened";
  const { error } = result;
  if (error.kind === "escape") return `escape: ${error.entry}`;
  return error.kind === "limit"
    ? `limit: ${error.what} ${error.value} ${error.limit}`
    : `${error.kind}: ${error.reason}`;
}

describe("a right archive", () => {
  it("gives its files", async () => {
    const { files, archive } = await opened(zipOf(two));
    expect(new TextDecoder().decode(files.get("a.txt"))).toBe("hello ".repeat(50));
    expect(new TextDecoder().decode(files.get("b/c.txt"))).toBe("stored");
    expect([...archive.directories.keys()]).toEqual(["b"]);
    expect(archive).toMatchObject({ fileCount: 2, fileBytes: 306, warnings: [] });
  });

  it.each<[string, ArchiveSpec]>([
    ["a comment", { comment: new TextEncoder().encode("of the archive") }],
    ["the longest comment", { comment: new Uint8Array(65_535).fill(65) }],
    ["data before it, counted", { prefix: new Uint8Array(500) }],
    ["data before it, not counted", { prefix: new Uint8Array(500), prefixUncounted: true }],
    ["zip64 end records", { zip64: true }],
    [
      "zip64 end records and data before it, not counted",
      { zip64: true, prefix: new Uint8Array(77), prefixUncounted: true },
    ],
    ["a gap before the directory", { gap: new Uint8Array(30) }],
  ])("may have %s", async (_, spec) => {
    expect([...(await opened(zipOf(two, spec))).files.keys()]).toEqual(["a.txt", "b/c.txt"]);
  });

  it("may have no entries, and descriptors, and zip64 sizes", async () => {
    expect((await opened(zipOf([]))).files.size).toBe(0);
    const wide = { size: 0xffffffff, compressedSize: 0xffffffff };
    const { files } = await opened(
      zipOf([
        { name: "d", data: "x".repeat(90), descriptor: true },
        { name: "w", data: "wide", method: 0, extra: zip64Extra(4, 4), central: wide, local: wide },
      ]),
    );
    expect([...files.keys()]).toEqual(["d", "w"]);
  });

  it("is read by ranges of at most 4 MiB, once from front to back", async () => {
    const data = new Uint8Array(900_000).map((_, at) => (at * 7919) >> 5);
    const names = Array.from({ length: 24 }, (_, index) => ({ name: `f${index}`, data, method: 0 }));
    const { reads } = await opened(zipOf(names));
    expect(Math.max(...reads.map(({ length }) => length))).toBeLessThanOrEqual(4 * 1024 * 1024);
    expect(reads.length).toBeLessThan(24);
    expect(reads.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(1.1 * 24 * 900_000);
  });

  it("tells times: the extended timestamp, else DOS as UTC, else none", async () => {
    const { times } = await opened(
      zipOf([
        { name: "dos", time: new Date("2024-02-29T23:59:58Z") },
        { name: "unix", extra: timestampExtra(1_700_000_001) },
        { name: "local", extra: new Uint8Array(0), localExtra: timestampExtra(1_600_000_001) },
        { name: "zero", extra: timestampExtra(0) },
        { name: "none", time: new Date("1980-00-00") },
        // Its flags say that it has no time of change.
        {
          name: "unsaid",
          time: new Date("2024-02-29T23:59:58Z"),
          extra: timestampExtra(5).map((byte, at) => (at === 4 ? 2 : byte)),
        },
      ]),
    );
    expect([...times.values()]).toEqual([
      Date.UTC(2024, 1, 29, 23, 59, 58),
      1_700_000_001_000,
      1_600_000_001_000,
      null,
      null,
      Date.UTC(2024, 1, 29, 23, 59, 58),
    ]);
    const { dosDate } = dosTimeOf(Date.UTC(2024, 1, 29));
    for (const [hour, minute, twoSeconds] of [
      [24, 0, 0],
      [0, 60, 0],
      [0, 0, 30],
    ] as const) {
      expect(entryTimeMs(dosDate, (hour << 11) | (minute << 5) | twoSeconds, new Uint8Array(0))).toBeNull();
    }
  });
});

describe("a wrong container is refused", () => {
  const { bytes, directoryOffset, endOffset } = buildZip(two);

  it.each<[string, Uint8Array, string]>([
    ["no bytes", new Uint8Array(0), "invalid: it is empty"],
    ["no end record", new Uint8Array(1000), "invalid: it has no end record"],
    ["trailing bytes", concat([bytes, new Uint8Array(1)]), "invalid: it has no end record"],
    ["another disk", zipOf(two, { end: { disk: 1 } }), "invalid: it has no end record"],
    ["two end records", zipOf(two, { comment: zipOf([]) }), "invalid: ambiguous end record"],
    [
      "a directory beyond the end",
      zipOf(two, { end: { offset: 1 << 20 } }),
      "invalid: the central directory is not where the end record says",
    ],
    [
      "fewer records than stated",
      zipOf(two, { end: { count: 3 } }),
      "invalid: the end record states 3 entries, the central directory has 2",
    ],
    [
      "more records than stated",
      zipOf(two, { end: { count: 1 } }),
      "invalid: the end record states 1 entries, the central directory has 2",
    ],
    [
      "a directory that is cut",
      zipOf(two, { end: { size: endOffset - directoryOffset - 1 } }),
      "invalid: a central record has no signature",
    ],
    [
      "no zip64 end record",
      zipOf(two, { zip64: { locatorOffset: 3 }, prefix: new Uint8Array(9) }).map((byte, at, all) =>
        at === all.length - 98 ? 0 : byte,
      ),
      "invalid: its zip64 end record is missing",
    ],
    [
      "a zip64 count that lies",
      zipOf(two, { zip64: { count: 7 } }),
      "invalid: the end record states 7 entries, the central directory has 2",
    ],
    [
      "a zip64 offset that lies",
      zipOf(two, { zip64: { offset: 1e12 } }),
      "invalid: the central directory is not where the end record says",
    ],
    ["a zip64 size of 2^60", zipOf(two, { zip64: { size: 2 ** 60 } }), "invalid: a zip64 value is too large"],
    [
      "a zip64 value that is missing",
      zipOf([{ name: "a", data: "x", central: { size: 0xffffffff } }]),
      "invalid: a zip64 value is missing",
    ],
    [
      "a record in the directory",
      zipOf([{ name: "a", data: "x", method: 0, central: { compressedSize: 900, size: 900 } }]),
      'invalid: "a" runs into the central directory',
    ],
  ])("%s", async (_, archive, flaw) => {
    expect(await flawOf(archive)).toBe(flaw);
  });

  it("cut off anywhere, and never read out of bounds", async () => {
    for (let length = 0; length < bytes.length; length++) {
      expect(await flawOf(bytes.subarray(0, length)), `${length} bytes`).toMatch(/^invalid: /);
    }
  });

  it("with a damaged byte: refused, or the same files, never an exception", async () => {
    const names = [...(await opened(bytes)).files.keys()];
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
        const result = await openInMemory(bytes.map((byte, index) => (index === at ? byte ^ flip : byte)));
        if (result.ok && at < directoryOffset) expect([...result.value.files.keys()]).toEqual(names);
      }),
      { seed, numRuns: counts.zipDamages },
    );
  }, 300_000);
});

describe("bombs, at the limit and one over", () => {
  it("counts every entry, directories included, and says the larger of both counts", async () => {
    const entries = Array.from({ length: 11 }, (_, index) => ({ name: `d${index}/` }));
    expect(await flawOf(zipOf(entries.slice(1)), { entries: 10 })).toBe("opened");
    expect(await flawOf(zipOf(entries), { entries: 10 })).toBe("bomb: file count (11) exceeds limit (10)");
    expect(await flawOf(zipOf(entries, { end: { count: 500 } }), { entries: 10 })).toBe(
      "bomb: file count (500) exceeds limit (10)",
    );
  });

  it("sums declared sizes of all entries, before ratio and overlap", async () => {
    const stored = { name: "a", data: "x".repeat(100), method: 0 };
    expect(await flawOf(zipOf([stored]), { extractedBytes: 100 })).toBe("opened");
    expect(await flawOf(zipOf([stored, { name: "b", data: "y", method: 0 }]), { extractedBytes: 100 })).toBe(
      "bomb: total uncompressed size (101 bytes) exceeds limit (100 bytes)",
    );
    const lying = { name: "a", data: "x", method: 0, central: { size: 999_999_999, offset: 0 } };
    expect(await flawOf(zipOf([lying, { ...lying, name: "b" }]))).toBe(
      "bomb: total uncompressed size (1999999998 bytes) exceeds limit (268435456 bytes)",
    );
  });

  it("refuses 100.01:1, however small, and takes 100:1", async () => {
    const dense = (size: number) => zipOf([{ name: "a", data: "x", raw: new Uint8Array(10), central: { size } }]);
    expect(await flawOf(dense(1001))).toBe("bomb: compression ratio (100.10:1) exceeds limit (100.00:1)");
    expect(await flawOf(dense(1000))).not.toContain("ratio");
    expect(await flawOf(zipOf([{ name: "z", data: new Uint8Array(1_000_000) }]))).toMatch(/^bomb: compression ratio/);
  });

  it("refuses records that share bytes: the same one, one within another, by the directory and by the real local lengths", async () => {
    const data = "0123456789".repeat(5);
    const same = zipOf([
      { name: "a", data, method: 0 },
      { name: "b", data, method: 0, central: { offset: 0 } },
    ]);
    expect(await flawOf(same)).toBe('bomb: entries "a" and "b" overlap');
    const within = zipOf([
      { name: "a", data, method: 0, central: { compressedSize: 60, size: 60 } },
      { name: "b", data, method: 0 },
    ]);
    expect(await flawOf(within)).toBe('bomb: entries "a" and "b" overlap');
    const { bytes } = buildZip([
      { name: "a", data, method: 0 },
      { name: "b", data, method: 0 },
    ]);
    const longer = bytes.slice();
    longer.set(fields("H", 9), 28);
    expect(await flawOf(longer)).toBe('bomb: entries "a" and "b" overlap');
  });

  it("refuses a central directory over its limit before reading it", async () => {
    const bytes = zipOf(two);
    expect(await flawOf(bytes, { directoryBytes: 10 })).toMatch(
      /^bomb: central directory \(\d+ bytes\) exceeds limit \(10 bytes\)$/,
    );
  });

  it("refuses one file over MAX_FILE_BYTES", async () => {
    expect(await flawOf(zipOf(two), { fileBytes: 299 })).toBe('limit: size of entry "a.txt" 300 299');
  });
});

describe("configured limits", () => {
  it("zipfs.md §3.2: are taken up to their ceilings, and not at all when they make no sense", () => {
    const limits = parseZipLimits('{"entries":1e9,"sessions":5,"backups":-1,"ratio":"x","totalBytes":99999999999999}');
    expect(limits).toMatchObject({ entries: 100_000, sessions: 5, backups: 3, ratio: 100, totalBytes: 10_737_418_240 });
    const narrow = parseZipLimits('{"ratio":12.5,"nesting":0,"entries":2.5,"sessions":0}');
    expect(narrow).toMatchObject({ ratio: 12.5, nesting: 0, entries: 10_000, sessions: 32 });
    expect(parseZipLimits('{"ratio":100.5,"nesting":4,"zipBytes":1e12}')).toEqual(parseZipLimits(undefined));
    expect(parseZipLimits("nonsense")).toEqual(parseZipLimits(undefined));
  });
});
