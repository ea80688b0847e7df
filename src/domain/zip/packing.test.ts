// The new archive of a sync: what is copied raw, replaced, dropped, carried and appended, in which order; that it opens again; that it is deterministic.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { counts, seed } from "../../../test/counts";
import {
  bytesOf,
  type EntrySpec,
  extraBlock,
  timestampExtra,
  zip64Extra,
  zipOf,
} from "../../../test/harness/zip-builder";
import { type InMemory, opened, packed, sha256 } from "../../../test/harness/zip-core";
import { shownName } from "./entry-name";
import { encodeCentralRecord, encodeEnd, encodeLocalHeader } from "./write-records";

const text = bytesOf("the same words over and over, ".repeat(40));

function namesOf({ archive }: InMemory): string[] {
  return archive.entries.map(({ record }) => shownName(record));
}

/** The raw bytes of an entry's data. */
function dataOf(bytes: Uint8Array, { index }: InMemory, path: string): Uint8Array {
  const entry = index.entries.findLast((one) => one.path === path);
  if (entry === undefined) throw new Error(`no entry ${path}`);
  const start = entry.extraOffset + entry.extraLength;
  return bytes.slice(start, start + entry.record.compressedSize);
}

async function repacked(bytes: Uint8Array, change: (files: Map<string, Uint8Array>, directories: Set<string>) => void) {
  const before = await opened(bytes);
  const files = new Map(before.files);
  const directories = new Set(before.archive.directories.keys());
  change(files, directories);
  const result = await packed(bytes, before.index, { files, directories });
  return { before, result, after: await opened(result) };
}

const rich: EntrySpec[] = [
  { name: "mimetype", data: "application/epub+zip", method: 0 },
  { name: "d/" },
  { name: "link", data: "d/x", externalAttributes: 0o120777 * 65536 },
  {
    name: "d/x",
    data: text,
    extra: timestampExtra(1_700_000_000),
    localExtra: extraBlock(0xcafe, bytesOf("hi")),
    comment: "of x",
    externalAttributes: 0o104755 * 65536,
  },
  { name: "dup", data: "one" },
  { name: "streamed", data: text, descriptor: true },
  { name: "dup", data: "two" },
  {
    name: "wide",
    data: "w",
    method: 0,
    extra: zip64Extra(1, 1),
    central: { size: 0xffffffff, compressedSize: 0xffffffff },
    local: { size: 0xffffffff, compressedSize: 0xffffffff },
  },
  { name: "gone", data: "g" },
  { name: new Uint8Array([0x82]), data: "cp437" },
];

describe("a new archive", () => {
  it("keeps order, raw bytes, names, times, attributes, comments, prefix and comment of what is untouched", async () => {
    const bytes = zipOf(rich, { prefix: bytesOf("#!/bin/sh\n"), prefixUncounted: true, comment: bytesOf("archive") });
    const { before, result, after } = await repacked(bytes, (files) => files.delete("gone"));
    expect(namesOf(after)).toEqual(["mimetype", "d/", "link", "d/x", "streamed", "dup", "wide", "é"]);
    for (const path of ["mimetype", "link", "d/x", "streamed", "dup", "wide", "é"]) {
      expect(dataOf(result, after, path), path).toEqual(dataOf(bytes, before, path));
      const old = before.index.entries.findLast((entry) => entry.path === path)?.record;
      const now = after.index.entries.find((entry) => entry.path === path)?.record;
      const { offset: _, extra: __, flags: oldFlags = 0, ...rest } = old ?? {};
      expect(now).toMatchObject({ ...rest, flags: oldFlags & ~8 });
    }
    expect(new TextDecoder().decode(result.subarray(0, 10))).toBe("#!/bin/sh\n");
    expect(new TextDecoder().decode(after.index.comment)).toBe("archive");
    expect(after.archive.container.base).toBe(10);
    expect(after.times.get("d/x")).toBe(1_700_000_000_000);
  });

  it("replaces data in place: new time, plain mode, other extra fields kept; stored stays stored", async () => {
    const { after } = await repacked(zipOf(rich), (files) => {
      files.set("mimetype", bytesOf("application/epub+zip "));
      files.set("d/x", bytesOf(`${new TextDecoder().decode(text)}!`));
    });
    expect(namesOf(after).slice(0, 4)).toEqual(["mimetype", "d/", "link", "d/x"]);
    const [mimetype, , , x] = after.index.entries;
    expect(mimetype?.record.method).toBe(0);
    expect(x?.record).toMatchObject({ method: 8, externalAttributes: 0o100755 * 65536, extra: new Uint8Array(0) });
    expect(x?.extraLength).toBe(6);
    expect(new TextDecoder().decode(x?.record.comment)).toBe("of x");
    expect(after.times.get("d/x")).toBe(Date.UTC(2026, 5, 1, 12, 30, 10));
  });

  it("appends new files by the bytes of their paths, and directories only where they are empty", async () => {
    const { after } = await repacked(zipOf([{ name: "a", data: "a" }]), (files, directories) => {
      for (const path of ["z", "b/c", "～", "😀"]) files.set(path, text);
      for (const path of ["b", "empty", "n", "n/e"]) directories.add(path);
    });
    expect(namesOf(after)).toEqual(["a", "b/c", "empty/", "n/e/", "z", "～", "😀"]);
    expect(after.index.entries[1]?.record).toMatchObject({
      madeBy: 0x0314,
      flags: 0,
      externalAttributes: 0o100644 * 65536,
      method: 8,
    });
    expect(after.index.entries[5]?.record.flags).toBe(0x800);
  });

  it("stores what deflating does not make smaller, or makes too small to be opened again", async () => {
    const noise = new Uint8Array(2000).map((_, at) => (at * at * 31 + at * 17) >> 3);
    const { after } = await repacked(zipOf([{ name: "z", data: text }]), (files) => {
      files.set(
        "noise",
        Uint8Array.from({ length: 300 }, (_, at) => noise[at * 5] ?? 0),
      );
      files.set("zeros", new Uint8Array(2_000_000));
      files.set("empty", new Uint8Array(0));
      files.set("z", new Uint8Array(500_000));
    });
    const methods = Object.fromEntries(after.index.entries.map(({ path, record }) => [path, record.method]));
    expect(methods).toMatchObject({ zeros: 0, empty: 0, z: 0 });
  });

  it("drops skipped entries whose name is taken or whose directory is gone; a file takes the place", async () => {
    const link = { externalAttributes: 0o120777 * 65536, data: "target" };
    const bytes = zipOf([
      { name: "l", ...link },
      { name: "d/x", data: "x" },
      { name: "d/e/l", ...link },
      { name: "free", ...link },
    ]);
    const { after } = await repacked(bytes, (files, directories) => {
      files.set("l", bytesOf("now a file"));
      files.delete("d/x");
      directories.delete("d");
    });
    expect(namesOf(after)).toEqual(["l", "free"]);
    expect(after.archive.entries.map(({ kind }) => kind)).toEqual(["file", "skipped"]);
  });

  it("drops the entry of a directory that is gone, and says one that lost its last file", async () => {
    const { after } = await repacked(zipOf([{ name: "d/" }, { name: "i/x", data: "x" }]), (files, directories) => {
      files.delete("i/x");
      directories.delete("d");
    });
    expect(namesOf(after)).toEqual(["i/"]);
  });

  it("is the same for the same inputs, and after another round without changes", async () => {
    const bytes = zipOf(rich, { prefix: new Uint8Array(33) });
    const change = (files: Map<string, Uint8Array>) => void files.set("new", text);
    const [one, two] = [await repacked(bytes, change), await repacked(bytes, change)];
    expect(one.result).toEqual(two.result);
    expect((await repacked(one.result, () => undefined)).result).toEqual(one.result);
  });

  it("opens again with the same files, whatever was changed", async () => {
    const name = fc.constantFrom("a", "b", "c/d", "c/e", "f/g/h", "é", "k");
    const content = fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.nat(3000).map((size) => new Uint8Array(size).fill(size)),
    );
    const tree = fc.dictionary(name, content, { noNullPrototype: true });
    await fc.assert(
      fc.asyncProperty(tree, tree, fc.boolean(), async (first, second, uncounted) => {
        const entries = Object.entries(first).map(([path, data]) => ({ name: path, data, method: 0 }));
        const bytes = zipOf(entries, uncounted ? { prefix: new Uint8Array(9), prefixUncounted: true } : {});
        const { after } = await repacked(bytes, (files) => {
          files.clear();
          for (const [path, data] of Object.entries(second)) files.set(path, data);
        });
        const hashes = (files: Iterable<[string, Uint8Array]>) =>
          [...files].map(([path, data]) => `${path} ${sha256(data)}`);
        expect(hashes(after.files).sort()).toEqual(hashes(Object.entries(second)).sort());
      }),
      { seed, numRuns: counts.zipRepacks },
    );
  }, 300_000);
});

describe("zip64", () => {
  const record = {
    madeBy: 0x0314,
    versionNeeded: 20,
    flags: 0,
    method: 0,
    dosTime: 0,
    dosDate: 0x21,
    crc: 0,
    compressedSize: 5,
    size: 5,
    internalAttributes: 0,
    externalAttributes: 0,
    offset: 0,
    name: bytesOf("n"),
    extra: new Uint8Array(0),
    comment: new Uint8Array(0),
  };

  it("stands exactly where a value does not fit", () => {
    expect(encodeLocalHeader(record, 0)).toHaveLength(31);
    expect(encodeLocalHeader({ ...record, size: 2 ** 32 }, 0)).toHaveLength(31 + 20);
    expect(encodeCentralRecord(record)).toHaveLength(47);
    expect(encodeCentralRecord({ ...record, offset: 2 ** 32 - 1 })).toHaveLength(47 + 12);
    expect(encodeCentralRecord({ ...record, offset: 2 ** 33, size: 2 ** 34, compressedSize: 2 ** 34 })).toHaveLength(
      47 + 28,
    );
    const end = { count: 65_534, size: 9, offset: 9, position: 9, comment: new Uint8Array(0) };
    expect(encodeEnd(end)).toHaveLength(22);
    expect(encodeEnd({ ...end, count: 65_535 })).toHaveLength(22 + 56 + 20);
  });
});
