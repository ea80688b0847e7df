// Hostile archives through zipfs_open of a running server: each refused with its code and leaving nothing, or skipped with its warning.
import { deflateRawSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildZip, bytesOf, concat, type EntrySpec, fields, zip64Extra, zipOf } from "../harness/zip-builder";
import { ZipRoot } from "./zip-root";

const text = "some words, some words, ".repeat(10);
const raw = deflateRawSync(bytesOf(text));
const link = { externalAttributes: 0o120777 * 65536, data: "/etc/passwd" };
const wide = { size: 0xffffffff, compressedSize: 0xffffffff };

const largeText = bytesOf(Array.from({ length: 300_000 }, (_, at) => `${at * 7919} `).join(""));
const largeRaw = deflateRawSync(largeText);

function large(entry: Partial<EntrySpec>): Uint8Array {
  return zipOf([{ name: "a", data: largeText, ...entry }]);
}

function lies(lie: { size: number }) {
  return { local: lie, central: lie };
}

function one(entry: EntrySpec): Uint8Array {
  return zipOf([entry]);
}

const plain = buildZip([
  { name: "a", data: text },
  { name: "b", data: text, method: 0 },
]);

/** One archive for every way in. */
const refused: [string, string, () => Uint8Array][] = [
  ["a slip through ..", "PATH_TRAVERSAL", () => one({ name: "../evil", data: "x" })],
  ["a slip in the middle", "PATH_TRAVERSAL", () => one({ name: "a/../../evil", data: "x" })],
  ["a slip by backslash", "PATH_TRAVERSAL", () => one({ name: "..\\evil", data: "x" })],
  ["an absolute name", "PATH_TRAVERSAL", () => one({ name: "/etc/cron.d/x", data: "x" })],
  ["a UNC name", "PATH_TRAVERSAL", () => one({ name: "\\\\host\\share", data: "x" })],
  ["a drive letter", "PATH_TRAVERSAL", () => one({ name: "C:\\x", data: "x" })],
  [
    "a slip among skipped entries",
    "PATH_TRAVERSAL",
    () =>
      zipOf([
        { name: "l", ...link },
        { name: "../x", ...link },
      ]),
  ],
  ["a NUL in a name", "ZIP_INVALID", () => one({ name: "a\0.txt", data: "x" })],
  ["an empty name", "ZIP_INVALID", () => one({ name: "", data: "x" })],
  ["a name that is not the UTF-8 it says", "ZIP_INVALID", () => one({ name: new Uint8Array([0xff]), flags: 0x800 })],
  ["a name of 256 bytes", "ZIP_INVALID", () => one({ name: "n".repeat(256) })],
  ["61 levels", "ZIP_INVALID", () => one({ name: `${"d/".repeat(60)}x` })],
  [
    "a file that is a directory too",
    "ZIP_INVALID",
    () =>
      zipOf([
        { name: "a", data: "x" },
        { name: "a/b", data: "y" },
      ]),
  ],
  ["no bytes", "ZIP_INVALID", () => new Uint8Array(0)],
  ["no archive", "ZIP_INVALID", () => bytesOf("hello world, this is text")],
  ["bytes after the archive", "ZIP_INVALID", () => concat([plain.bytes, bytesOf("!")])],
  ["two end records", "ZIP_INVALID", () => zipOf([{ name: "a", data: text }], { comment: zipOf([]) })],
  ["another disk", "ZIP_INVALID", () => zipOf([], { end: { disk: 2 } })],
  ["a count too high", "ZIP_INVALID", () => zipOf([{ name: "a" }], { end: { count: 2 } })],
  ["a count too low", "ZIP_INVALID", () => zipOf([{ name: "a" }, { name: "b" }], { end: { count: 1 } })],
  ["a directory outside of the file", "ZIP_INVALID", () => zipOf([{ name: "a" }], { end: { offset: 0xfffffff0 } })],
  [
    "a zip64 record that is not there",
    "ZIP_INVALID",
    () => concat([fields("I", 0x07064b50, "I", 0, "Q", 7, "I", 1), zipOf([]).subarray(0)]),
  ],
  ["a zip64 count that lies", "ZIP_INVALID", () => zipOf([{ name: "a" }], { zip64: { count: 9 } })],
  ["a zip64 size beyond 2^53", "ZIP_INVALID", () => zipOf([{ name: "a" }], { zip64: { size: 2 ** 60 } })],
  ["a zip64 size that is missing", "ZIP_INVALID", () => one({ name: "a", data: "x", central: wide })],
  [
    "a zip64 size that lies",
    "ZIP_BOMB_DETECTED",
    () => one({ name: "a", data: "x", method: 0, extra: zip64Extra(2 ** 50, 2 ** 50), central: wide }),
  ],
  ["encryption", "ZIP_INVALID", () => one({ name: "a", data: "x", flags: 1 })],
  ["strong encryption", "ZIP_INVALID", () => one({ name: "a", data: "x", flags: 0x41 })],
  ["a masked directory", "ZIP_INVALID", () => one({ name: "a", data: "x", flags: 1 << 13 })],
  ["method 14", "ZIP_INVALID", () => one({ name: "a", data: "x", method: 14 })],
  ["stored sizes that differ", "ZIP_INVALID", () => one({ name: "a", data: "xyz", method: 0, central: { size: 2 } })],
  [
    "a size without data",
    "ZIP_INVALID",
    () => one({ name: "a", raw: new Uint8Array(0), method: 8, central: { size: 9 } }),
  ],
  ["a directory with data", "ZIP_INVALID", () => one({ name: "d/", data: "x", method: 0 })],
  [
    "another name in the local header",
    "ZIP_INVALID",
    () => one({ name: "a", data: text, local: { name: bytesOf("b") } }),
  ],
  ["another method in the local header", "ZIP_INVALID", () => one({ name: "a", data: text, local: { method: 0 } })],
  ["another checksum in the local header", "ZIP_INVALID", () => one({ name: "a", data: text, local: { crc: 3 } })],
  ["a wrong checksum", "ZIP_INVALID", () => one({ name: "a", data: text, local: { crc: 3 }, central: { crc: 3 } })],
  [
    "a size that is too small",
    "ZIP_BOMB_DETECTED",
    () => one({ name: "a", data: text, local: { size: 99 }, central: { size: 99 } }),
  ],
  [
    "a size that is too large",
    "ZIP_INVALID",
    () => one({ name: "a", data: text, local: { size: 300 }, central: { size: 300 } }),
  ],
  [
    "a stream that ends early",
    "ZIP_INVALID",
    () => one({ name: "a", data: text, raw: concat([raw, bytesOf("junk")]) }),
  ],
  ["a stream that is cut", "ZIP_INVALID", () => one({ name: "a", data: text, raw: raw.subarray(0, raw.length - 2) })],
  [
    "data that is no stream",
    "ZIP_INVALID",
    () => one({ name: "a", data: text, raw: new Uint8Array(raw.length).fill(6) }),
  ],
  [
    "records that overlap",
    "ZIP_BOMB_DETECTED",
    () =>
      zipOf([
        { name: "a", data: text, method: 0 },
        { name: "b", data: text, method: 0, central: { offset: 0 } },
      ]),
  ],
  [
    "a record within another",
    "ZIP_BOMB_DETECTED",
    () =>
      zipOf([
        { name: "a", data: text, method: 0, central: { size: 300, compressedSize: 300 } },
        { name: "b", data: text, method: 0 },
      ]),
  ],
  [
    "a record that runs into the directory",
    "ZIP_INVALID",
    () => one({ name: "a", data: text, method: 0, central: { size: 300, compressedSize: 300 } }),
  ],
  // The same lies about an entry that is inflated piece by piece.
  ["a large entry with a wrong checksum", "ZIP_INVALID", () => large({ local: { crc: 3 }, central: { crc: 3 } })],
  ["a large entry whose size is too small", "ZIP_BOMB_DETECTED", () => large(lies({ size: 1_500_000 }))],
  ["a large entry whose size is too large", "ZIP_INVALID", () => large(lies({ size: largeText.length + 1 }))],
  ["a large stream that ends early", "ZIP_INVALID", () => large({ raw: concat([largeRaw, bytesOf("junk")]) })],
  ["a large stream that is cut", "ZIP_INVALID", () => large({ raw: largeRaw.subarray(0, largeRaw.length - 2) })],
  ["a large entry that is no stream", "ZIP_INVALID", () => large({ raw: new Uint8Array(largeRaw.length).fill(6) })],
  [
    "a large stream that is broken in its middle",
    "ZIP_INVALID",
    () => large({ raw: largeRaw.map((byte, at) => (at === largeRaw.length >> 1 ? byte ^ 0xff : byte)) }),
  ],
  ["large data that was changed", "ZIP_INVALID", () => large({ method: 0, raw: largeText.with(1_000_000, 1) })],
  ["1000 to 1", "ZIP_BOMB_DETECTED", () => one({ name: "a", data: new Uint8Array(5_000_000) })],
  ["300 MiB declared", "ZIP_BOMB_DETECTED", () => one({ name: "a", data: text, central: { size: 300 * 1024 * 1024 } })],
  [
    "20 000 entries",
    "ZIP_BOMB_DETECTED",
    () => zipOf(Array.from({ length: 20_000 }, (_, index) => ({ name: `${index}` }))),
  ],
];

let root: ZipRoot;
beforeAll(async () => {
  root = await ZipRoot.signIn();
});

describe(`${refused.length} hostile archives of seed 003`, () => {
  it.each(refused)("%s: %s, and nothing is left", async (_, code, archive) => {
    await root.put("/h.zip", archive());
    const refusal = await root.refused("zipfs_open", { path: "/h.zip", name: "h" });
    expect(refusal.code, refusal.message).toBe(code);
    expect((await root.ok("zipfs_sessions", {})).sessions).toEqual([]);
    expect((await root.ok("file.list", { path: "/" })).entries).toEqual([{ name: "h.zip", type: "file" }]);
  });

  it("is cut off at every 97th byte: ZIP_INVALID, and nothing is left", async () => {
    const bytes = zipOf(Array.from({ length: 40 }, (_, index) => ({ name: `f${index}.txt`, data: text })));
    for (let length = 0; length < bytes.length; length += 97) {
      await root.put("/h.zip", bytes.subarray(0, length));
      expect((await root.refused("zipfs_open", { path: "/h.zip" })).code, `${length} bytes`).toBe("ZIP_INVALID");
    }
    expect((await root.ok("zipfs_sessions", {})).sessions).toEqual([]);
    expect((await root.ok("file.list", { path: "/" })).entries).toEqual([{ name: "h.zip", type: "file" }]);
  });
});

describe("what is only skipped", () => {
  afterAll(async () => {
    await root.ok("zipfs_prune", { all: true });
  });

  it("is named with its reason, and what is beside it is there", async () => {
    const { warnings, file_count: files } = await root.opened("skips", [
      { name: "good", data: "x" },
      { name: "link", ...link },
      { name: "dev/null", externalAttributes: 0o020666 * 65536 },
      { name: "Icon\r" },
      { name: ".git/hooks/post-checkout", data: "rm -rf" },
      { name: "twice", data: "1" },
      { name: "twice", data: "2" },
    ]);
    expect(files).toBe(2);
    expect(warnings).toEqual([
      { entry: "link", reason: "symlink" },
      { entry: "dev/null", reason: "special_file" },
      { entry: "Icon\r", reason: "control_character" },
      { entry: ".git/hooks/post-checkout", reason: "reserved_name" },
      { entry: "twice", reason: "duplicate" },
    ]);
    expect((await root.ok("zipfs_tree", { session: "skips" })).tree).toBe(".\n├── good\n└── twice");
    expect((await root.ok("zipfs_read", { session: "skips", path: "twice" })).content).toBe("2");
  });
});
