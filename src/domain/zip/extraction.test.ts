// Entries and their data: kinds, encryption, methods, local against central, checksums, lying sizes, streams that end early or late; small and streamed.
import { deflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { bytesOf, concat, crcOf, type EntrySpec, zipOf } from "../../../test/harness/zip-builder";
import { opened, openInMemory } from "../../../test/harness/zip-core";
import type { ZipLimits } from "./zip-limits";

async function flawOf(entry: EntrySpec | EntrySpec[], limits: Partial<ZipLimits> = {}): Promise<string> {
  const result = await openInMemory(zipOf(Array.isArray(entry) ? entry : [entry]), limits);
  if (result.ok) return "opened";
  const { error } = result;
  return "reason" in error ? `${error.kind}: ${error.reason}` : error.kind;
}

/** Incompressible enough for any ratio, and more than is inflated at once. */
const large = new Uint8Array(3_000_000).map((_, at) => (at * 2654435761) >>> 13);
const small = bytesOf("some text that is worth a little deflating, some text ".repeat(4));

const gzipHeader = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0);

function gzipTrailer(content: Uint8Array): Uint8Array {
  const trailer = new DataView(new ArrayBuffer(8));
  trailer.setUint32(0, crcOf(content), true);
  trailer.setUint32(4, content.length, true);
  return new Uint8Array(trailer.buffer);
}

describe("kinds", () => {
  it.each([
    ["a symbolic link of Unix", 0x0314, 0o120777, "symlink"],
    ["a symbolic link of macOS", 0x1314, 0o120755, "symlink"],
    ["a device", 0x0314, 0o060600, "special_file"],
    ["a pipe", 0x0314, 0o010600, "special_file"],
    ["a socket", 0x0314, 0o140600, "special_file"],
  ])("skips %s and makes no directories for it", async (_, madeBy, mode, reason) => {
    const { archive, files } = await opened(
      zipOf([{ name: "d/x", data: "/etc/passwd", madeBy, externalAttributes: mode * 65536 }]),
    );
    expect(archive.warnings).toEqual([{ entry: "d/x", reason }]);
    expect(files.size + archive.directories.size).toBe(0);
  });

  it("takes the type of Unix hosts alone, and directories by type or name", async () => {
    const { archive } = await opened(
      zipOf([
        { name: "dos", madeBy: 0x0014, externalAttributes: 0o120777 * 65536 },
        { name: "dir", externalAttributes: 0o040755 * 65536 },
        { name: "setuid", externalAttributes: 0o104755 * 65536 },
      ]),
    );
    expect(archive.entries.map(({ kind }) => kind)).toEqual(["file", "directory", "file"]);
  });

  it.each([0, 6, 13])("refuses encryption by flag bit %i, also of what would be skipped", async (bit) => {
    const flags = 1 << bit;
    expect(await flawOf({ name: "s", data: "x", flags })).toBe('invalid: encrypted entries are not supported: "s"');
    expect(await flawOf({ name: "\r", data: "x", flags })).toMatch(/encrypted/);
  });

  it.each([1, 9, 12, 14, 93, 95, 99])("refuses method %i", async (method) => {
    expect(await flawOf({ name: "m", data: "x", method })).toBe(`invalid: method ${method} of "m" is not supported`);
  });

  it("refuses sizes that cannot be", async () => {
    expect(await flawOf({ name: "a", data: "abc", method: 0, central: { size: 2 } })).toMatch(/sizes of stored/);
    expect(await flawOf({ name: "a", raw: new Uint8Array(0), method: 8, central: { size: 5 } })).toMatch(/no data/);
    expect(await flawOf({ name: "d/", data: "x", method: 0 })).toBe('invalid: directory "d/" has data');
  });
});

describe("local against central", () => {
  it.each<[string, EntrySpec["local"]]>([
    ["signature", { signature: 0x04034b51 }],
    ["name", { name: bytesOf("x.tXt") }],
    ["method", { method: 0 }],
    ["encryption", { flags: 1 }],
    ["checksum", { crc: 1 }],
    ["size", { size: 1 }],
    ["compressed size", { compressedSize: 1 }],
  ])("refuses another %s", async (_, local) => {
    const flaw = 'invalid: local and central records of "x.txt" differ';
    expect(await flawOf({ name: "x.txt", data: small, local: local ?? {} })).toBe(flaw);
  });

  it("ignores sizes before the data when a descriptor follows, and does not trust the descriptor", async () => {
    expect(
      await flawOf({ name: "x", data: small, descriptor: true, local: { crc: 5, size: 7, compressedSize: 9 } }),
    ).toBe("opened");
  });
});

describe.each([
  ["small", small],
  ["streamed", large],
])("the data of a %s entry", (_, data) => {
  const raw = deflateRawSync(data);
  const size = data.length;

  it("comes out as it went in, deflated or stored", async () => {
    for (const method of [0, 8]) {
      const { files } = await opened(zipOf([{ name: "x", data, method }]));
      expect(Buffer.compare(files.get("x") ?? new Uint8Array(0), data)).toBe(0);
    }
  });

  it.each<[string, EntrySpec, RegExp]>([
    [
      "a wrong checksum",
      { name: "x", data, central: { crc: 1 }, local: { crc: 1 } },
      /^invalid: the checksum of "x" is wrong$/,
    ],
    [
      "a stored byte changed",
      { name: "x", data, method: 0, raw: data.map((byte, at) => (at === 9 ? byte ^ 1 : byte)) },
      /^invalid: the checksum/,
    ],
    [
      "one byte more than declared",
      { name: "x", data, central: { size: size - 1 }, local: { size: size - 1 } },
      /bytes where \d+ are declared$/,
    ],
    [
      "one byte less than declared",
      { name: "x", data, central: { size: size + 1 }, local: { size: size + 1 } },
      /bytes where \d+ are declared$/,
    ],
    [
      "more than a tenth over what is declared",
      { name: "x", data, central: { size: size >> 1 }, local: { size: size >> 1 } },
      /^bomb: entry "x" inflates beyond its declared size$/,
    ],
    [
      "bytes after the end of the stream",
      { name: "x", data, raw: concat([raw, new Uint8Array(5)]) },
      /ends before its stated size$/,
    ],
    [
      "checksum, size and zeros after the end of the stream, as in a gzip file with padding",
      { name: "x", data, raw: concat([raw, gzipTrailer(data), new Uint8Array(9)]) },
      /ends before its stated size$/,
    ],
    [
      "an empty stream and the header of a gzip file before the real one",
      { name: "x", data, raw: concat([deflateRawSync(""), new Uint8Array(8), gzipHeader, raw]) },
      /ends before its stated size$|has 0 bytes where/,
    ],
    [
      "many bytes after the end of the stream",
      { name: "x", data, raw: concat([raw, new Uint8Array(200_000)]) },
      /ends before its stated size$/,
    ],
    ["a stream that is cut", { name: "x", data, raw: raw.subarray(0, raw.length - 1) }, /is cut off$/],
    [
      "a stream that is cut in the middle",
      { name: "x", data, raw: raw.subarray(0, raw.length >> 1) },
      /is cut off$|bytes where/,
    ],
    ["no deflate stream at all", { name: "x", data, raw: new Uint8Array(raw.length).fill(7) }, /cannot be inflated$/],
  ])("is refused with %s", async (_title, entry, flaw) => {
    expect(await flawOf(entry)).toMatch(flaw);
  });

  it("stops at the total of the archive", async () => {
    const lying = { size: Math.floor(size / 1.05) };
    const entry = { name: "x", data, central: lying, local: lying };
    expect(await flawOf(entry, { extractedBytes: lying.size })).toMatch(/^bomb: entry "x" inflates/);
  });
});

describe("an empty deflate stream", () => {
  it("is an empty file; the same with a byte too many is not", async () => {
    const empty = deflateRawSync(new Uint8Array(0));
    expect(await flawOf({ name: "e", method: 8 })).toBe("opened");
    expect(await flawOf({ name: "e", method: 8, raw: concat([empty, new Uint8Array(1)]) })).toMatch(/ends before/);
    expect(crcOf(new Uint8Array(0))).toBe(0);
  });
});
