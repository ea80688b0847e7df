// Zip64 end records, their locator, and fields of disks (zipfs.md §3.3). Sizes of entries at the edge of 2^53: limit-edges.test.ts.
import { describe, expect, it } from "vitest";
import { type ArchiveSpec, concat, extraBlock, fields, zip64Extra, zipOf } from "../../../test/harness/zip-builder";
import { openInMemory } from "../../../test/harness/zip-core";

const one = [{ name: "a", data: "text" }];
const endBytes = 22;
const locatorBytes = 20;
const recordBytes = 56;

async function flawOf(bytes: Uint8Array): Promise<string> {
  const result = await openInMemory(bytes);
  if (result.ok) return [...result.value.files.keys()].join();
  return "reason" in result.error ? result.error.reason : result.error.kind;
}

function patched(bytes: Uint8Array, at: number, ...pairs: (string | number)[]): Uint8Array {
  const copy = bytes.slice();
  copy.set(fields(...pairs), at);
  return copy;
}

/** With something before it that its offsets leave out, also that of its zip64 end record. */
function prefixed(prefix: Uint8Array, spec: ArchiveSpec["zip64"] = {}): Uint8Array {
  const locatorOffset = zipOf(one, { zip64: true }).length - endBytes - locatorBytes - recordBytes;
  const zip64 = { locatorOffset, ...(spec as object) };
  return zipOf(one, { prefix, prefixUncounted: true, zip64 });
}

describe("the zip64 end record", () => {
  it("is found right before its locator where the stated offset leaves a prefix out", async () => {
    expect(await flawOf(prefixed(new Uint8Array(500)))).toBe("a");
    const moved = prefixed(new Uint8Array(500));
    expect(await flawOf(patched(moved, moved.length - endBytes - locatorBytes - recordBytes, "I", 0))).toBe(
      "its zip64 end record is missing",
    );
  });

  it("is not what only looks like one at the stated offset", async () => {
    const plain = prefixed(new Uint8Array(0));
    const record = plain.slice(plain.length - endBytes - locatorBytes - recordBytes, -endBytes - locatorBytes);
    const at = plain.length - endBytes - locatorBytes - recordBytes;
    const decoy = patched(record, 24, "Q", 9, "Q", 9);
    expect(await flawOf(prefixed(concat([new Uint8Array(at), decoy, new Uint8Array(100)])))).toBe("a");
  });

  it("may be longer than it need be, where the stated offset is right", async () => {
    const bytes = zipOf(one, { zip64: true });
    const at = bytes.length - endBytes - locatorBytes;
    const longer = concat([bytes.subarray(0, at), new Uint8Array(30), bytes.subarray(at)]);
    expect(await flawOf(patched(longer, at - recordBytes + 4, "Q", 44 + 30))).toBe("a");
    expect(await flawOf(longer)).toBe("its zip64 end record is missing");
  });

  it("says only what the end record does not say itself", async () => {
    const plain = zipOf(one);
    const offset = plain.length - endBytes - 47;
    for (const [end, zip64] of [
      [{ count: 1 }, { count: 9 }],
      [{ size: 47 }, { size: 9 }],
      [{ offset }, { offset: 9 }],
    ] as [ArchiveSpec["end"], ArchiveSpec["zip64"]][]) {
      expect(await flawOf(zipOf(one, { end: end ?? {}, zip64: zip64 ?? {} }))).toBe("a");
    }
  });

  it("is of no use in an extra field that is longer than what there is of it", async () => {
    const extra = Uint8Array.from([1, 0, 16, 0, ...fields("Q", 4)]);
    const malformed = { extra, localExtra: new Uint8Array(0), central: { size: 0xffffffff } };
    expect(await flawOf(zipOf([{ name: "a", data: "text", ...malformed }]))).toBe("a zip64 value is missing");
  });

  it("ends the search: its place counts for data before the archive", async () => {
    const { archive } = await openInMemory(prefixed(new Uint8Array(77))).then((result) => {
      if (!result.ok) throw new Error(JSON.stringify(result.error));
      return result.value;
    });
    expect(archive.container.base).toBe(77);
  });
});

describe("more than one disk is refused", () => {
  const flaw = "it spans more than one disk";
  const wide = zipOf(one, { zip64: true });
  const record = wide.length - endBytes - locatorBytes - recordBytes;
  const plain = zipOf(one);

  it.each([
    ["entries of this disk alone, in the end record", patched(plain, plain.length - endBytes + 8, "H", 2)],
    ["the disk of the zip64 end record, in the locator", patched(wide, record + recordBytes + 4, "I", 1)],
    ["the number of disks, in the locator", patched(wide, record + recordBytes + 16, "I", 2)],
    ["the number of this disk, in the zip64 end record", patched(wide, record + 16, "I", 1)],
    ["the disk of the directory, in the zip64 end record", patched(wide, record + 20, "I", 1)],
    ["entries of this disk alone, in the zip64 end record", patched(wide, record + 24, "Q", 2)],
  ])("by %s", async (_, bytes) => {
    expect(await flawOf(bytes)).toBe(flaw);
  });

  it("by the disk of an entry, also where zip64 says it", async () => {
    const disk = (number: number) => {
      const extra = extraBlock(1, fields("I", number));
      const bytes = zipOf([{ name: "a", data: "text", extra, localExtra: new Uint8Array(0) }]);
      return patched(bytes, bytes.length - endBytes - 47 - extra.length + 34, "H", 0xffff);
    };
    expect(await flawOf(disk(0))).toBe("a");
    expect(await flawOf(disk(1))).toBe(flaw);
    const both = concat([zip64Extra(4).subarray(4), fields("I", 1)]);
    const bytes = zipOf([
      {
        name: "a",
        data: "text",
        extra: extraBlock(1, both),
        localExtra: new Uint8Array(0),
        central: { size: 0xffffffff },
      },
    ]);
    expect(await flawOf(bytes)).toBe("a");
    expect(await flawOf(patched(bytes, bytes.length - endBytes - 47 - both.length - 4 + 34, "H", 0xffff))).toBe(flaw);
  });
});
