// Of several flaws of one archive, the first in the order of zipfs.md §3.1 is told. Each archive has all flaws from some step on.
import { describe, expect, it } from "vitest";
import { bytesOf, crcOf, type EntrySpec, zipOf } from "../../../test/harness/zip-builder";
import { opened, openInMemory } from "../../../test/harness/zip-core";
import type { ZipLimits } from "./zip-limits";

async function flawOf(entries: EntrySpec[], limits: Partial<ZipLimits> = {}): Promise<string> {
  const result = await openInMemory(zipOf(entries), limits);
  if (result.ok) return "opened";
  const { error } = result;
  if (error.kind === "limit") return error.what;
  return error.kind === "escape" ? `escape of ${error.entry}` : error.reason;
}

const text = "some words, some words, ".repeat(10);
const link = { externalAttributes: 0o120777 * 65536 };

const wrongData: EntrySpec = { name: "w", data: text, local: { crc: 1 }, central: { crc: 1 } };
const tooLarge: EntrySpec = { name: "large", data: "x".repeat(50), method: 0 };
const clash: EntrySpec[] = [{ name: "c" }, { name: "c/d" }];
const wrongSizes: EntrySpec = { name: "s", data: "abc", method: 0, central: { size: 2 } };
const wrongMethod: EntrySpec = { name: "m", data: "x", method: 9 };
const dense: EntrySpec = { name: "z", data: text, central: { size: 100_000 } };
const overlapping: EntrySpec = { name: "o", data: text, central: { offset: 0 } };

describe("zipfs.md §3.1", () => {
  it("steps 6 to 10: the count, totals by size, ratio and overlap, names and kinds, clashes, sizes of files, data", async () => {
    const limits = { fileBytes: 49 };
    const flaws = [wrongMethod, ...clash, wrongData, tooLarge];
    const all = [...flaws, dense, overlapping];
    expect(await flawOf(all, { ...limits, entries: 3, extractedBytes: 10 })).toBe("file count (7) exceeds limit (3)");
    expect(await flawOf(all, { ...limits, extractedBytes: 10 })).toMatch(/^total uncompressed size/);
    expect(await flawOf(all, limits)).toMatch(/^compression ratio/);
    expect(await flawOf([...flaws, overlapping], limits)).toMatch(/overlap$/);
    expect(await flawOf(flaws, limits)).toBe('method 9 of "m" is not supported');
    expect(await flawOf(flaws.slice(1), limits)).toBe('"c" is both a file and a directory');
    expect(await flawOf(flaws.slice(3), limits)).toBe('size of entry "w"');
    expect(await flawOf([wrongData])).toBe('the checksum of "w" is wrong');
  });

  it("step 8: entry by entry in archive order, whatever is wrong with the later ones", async () => {
    expect(await flawOf([wrongMethod, { name: "../x" }])).toMatch(/^method 9/);
    expect(await flawOf([{ name: "../x" }, wrongMethod])).toBe("escape of ../x");
    expect(await flawOf([wrongSizes, { name: "a\0" }])).toMatch(/^the sizes of stored/);
    expect(await flawOf([...clash, { name: "e", data: "x", flags: 1 }])).toMatch(/^encrypted/);
  });

  it("step 8: of one entry its name comes first, then encryption, then what is skipped, then method and sizes", async () => {
    const method = { data: "x", method: 9 };
    expect(await flawOf([{ name: "../x", ...method, flags: 1, ...link }])).toBe("escape of ../x");
    expect(await flawOf([{ name: "l", ...method, flags: 1, ...link }])).toMatch(/^encrypted/);
    expect(await flawOf([{ name: "l", ...method, ...link }])).toBe("opened");
    expect(await flawOf([{ name: "\r", ...method }])).toBe("opened");
    expect(await flawOf([{ ...wrongSizes, method: 9 }])).toMatch(/^method 9/);
  });
});

describe("an archive whose directory has another order than its data", () => {
  /** The data of the first stands behind that of the second. */
  const crossed = (first: string, second: string) => {
    const half = (name: string, data: string, other: string, otherData: string, offset: number): EntrySpec => {
      const local = { name: bytesOf(other), crc: crcOf(bytesOf(otherData)) };
      return { name, data, method: 0, raw: bytesOf(otherData), local, central: { offset } };
    };
    return zipOf([half(first, "11", second, "22", 30 + 1 + 2), half(second, "22", first, "11", 0)]);
  };
  const contents = (files: Map<string, Uint8Array>) =>
    [...files].map(([path, bytes]) => `${path} ${Buffer.from(bytes)}`).sort();

  it("opens, and the order of the directory is that of the archive: of two files of one path its last wins", async () => {
    const { files, archive } = await opened(crossed("p", "q"));
    expect(contents(files)).toEqual(["p 11", "q 22"]);
    expect(archive.entries.map(({ path }) => path)).toEqual(["p", "q"]);
    expect(contents((await opened(crossed("x", "x"))).files)).toEqual(["x 22"]);
  });
});

describe("zipfs.md §3.3: overlap", () => {
  it("takes in entries that are skipped and directories", async () => {
    const skipped = { name: "l", data: text, method: 0, ...link };
    expect(await flawOf([skipped, { name: "o", data: text, method: 0, central: { offset: 0 } }])).toMatch(/overlap$/);
    expect(await flawOf([{ name: "d/" }, { name: "e/", central: { offset: 0 } }])).toMatch(/overlap$/);
  });

  it("takes in the real local lengths of entries that are skipped", async () => {
    const bytes = zipOf([
      { name: "l", data: "to", method: 0, ...link },
      { name: "a", data: text, method: 0 },
    ]);
    // The length of the local extra field of the first.
    bytes[28] = 9;
    const result = await openInMemory(bytes);
    expect(result).toMatchObject({ ok: false, error: { kind: "bomb", reason: 'entries "l" and "a" overlap' } });
    const last = zipOf([{ name: "l", data: "to", method: 0, ...link }]);
    last[28] = 9;
    const reason = '"l" runs into the central directory';
    expect(await openInMemory(last)).toMatchObject({ ok: false, error: { kind: "invalid", reason } });
  });
});
