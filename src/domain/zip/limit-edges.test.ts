// Values exactly at a limit, and one over: paths, the place of the end record, the central directory, zip64, inflating. Of whole archives
// with their counts and totals: container.test.ts.
import { deflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { bytesOf, type EntrySpec, fields, type RecordLies, zip64Extra, zipOf } from "../../../test/harness/zip-builder";
import { openInMemory } from "../../../test/harness/zip-core";
import { parseWorkspacePath } from "./workspace-path";
import type { ZipLimits } from "./zip-limits";

async function flawOf(bytes: Uint8Array, limits: Partial<ZipLimits> = {}): Promise<string> {
  const result = await openInMemory(bytes, limits);
  if (result.ok) return "opened";
  return "reason" in result.error ? `${result.error.kind}: ${result.error.reason}` : result.error.kind;
}

/** A path of so many bytes, in names of 99. */
function nested(bytes: number): string {
  return `${"x".repeat(99)}/`.repeat(9).slice(0, 899).padEnd(bytes, "y");
}

const text = bytesOf("some words, some words, ".repeat(10));

describe("zipfs.md §2.2: a workspace path", () => {
  it.each([
    ["a name", "n".repeat(255), "n".repeat(256)],
    ["a name in bytes", `${"é".repeat(127)}n`, "é".repeat(128)],
    ["the path", nested(900), nested(901)],
    ["its depth", "d/".repeat(60), "d/".repeat(61)],
  ])("has a limit for %s", (_, most, over) => {
    expect(parseWorkspacePath(most).ok).toBe(true);
    expect(parseWorkspacePath(over)).toMatchObject({ ok: false, error: { code: "INVALID_PARAMS" } });
  });

  it("is refused for every control character and a backslash, wherever it stands; traversal comes first", () => {
    const controls = Array.from({ length: 32 }, (_, code) => String.fromCharCode(code));
    for (const one of [...controls, "\u007f", "\\"]) {
      for (const path of [one, `a${one}`, `a/${one}/b`]) {
        expect(parseWorkspacePath(path), JSON.stringify(path)).toMatchObject({ error: { code: "INVALID_PARAMS" } });
      }
      expect(parseWorkspacePath(`../${one}`)).toMatchObject({ error: { code: "PATH_TRAVERSAL" } });
    }
    expect(parseWorkspacePath("\u0080\u00a0").ok).toBe(true);
  });

  it("with a name that git keeps for itself may be read and not written", () => {
    for (const name of [".git", ".Git", "GIT~1", ".git ", ".git::$INDEX_ALLOCATION", ".g\u200cit"]) {
      expect(parseWorkspacePath(`a/${name}/x`).ok, name).toBe(true);
      expect(parseWorkspacePath(`a/${name}/x`, true), name).toMatchObject({ error: { code: "INVALID_PARAMS" } });
    }
    for (const name of [".gitignore", "git", "GIT~2"]) expect(parseWorkspacePath(name, true).ok, name).toBe(true);
  });
});

describe("zipfs.md §3.3: the container", () => {
  const one: EntrySpec[] = [{ name: "a", data: text }];

  it("has its end record in the last 65 557 bytes", async () => {
    const longest = zipOf(one, { comment: new Uint8Array(65_535).fill(65) });
    expect(await flawOf(longest)).toBe("opened");
  });

  it("takes no end record of another disk for a second one", async () => {
    const other = zipOf([], { end: { disk: 1 } });
    expect(await flawOf(zipOf(one, { comment: other }))).toBe("opened");
  });

  it("has a central directory of at most MAX_CENTRAL_DIRECTORY_BYTES", async () => {
    const size = 46 + 1;
    expect(await flawOf(zipOf(one), { directoryBytes: size })).toBe("opened");
    expect(await flawOf(zipOf(one), { directoryBytes: size - 1 })).toBe(
      `bomb: central directory (${size} bytes) exceeds limit (${size - 1} bytes)`,
    );
  });

  it("takes zip64 values up to 2^53, in the order of what is missing, and no others", async () => {
    const wide = 0xffffffff;
    const entry = (central: RecordLies, ...values: number[]) =>
      zipOf([{ name: "a", data: text, method: 0, extra: zip64Extra(...values), localExtra: bytesOf(""), central }]);
    const { length } = text;
    expect(await flawOf(entry({ size: wide }, length))).toBe("opened");
    expect(await flawOf(entry({ compressedSize: wide }, length))).toBe("opened");
    expect(await flawOf(entry({ offset: wide }, 0))).toBe("opened");
    expect(await flawOf(entry({ size: wide, compressedSize: wide, offset: wide }, length, length, 0))).toBe("opened");
    expect(await flawOf(entry({ size: wide, offset: wide }, length))).toMatch(/^invalid: a zip64 value/);
    expect(await flawOf(entry({ size: wide }, 2 ** 53))).toMatch(/^invalid: a zip64 value/);
    expect(await flawOf(entry({ offset: wide }, 2 ** 53))).toMatch(/^invalid: a zip64 value/);
    expect(await flawOf(entry({ offset: wide }, 2 ** 52))).toMatch(/^invalid: "a" runs into the central directory/);
    // What is in the header itself counts, whatever the field says besides.
    expect(await flawOf(entry({}, 1, 1, 1))).toBe("opened");
  });

  it("is refused where it says that it has more disks", async () => {
    const locator = zipOf(one, { zip64: true });
    locator.set(fields("I", 2), locator.length - 22 - 4);
    expect(await flawOf(locator)).toBe("invalid: it spans more than one disk");
    const record = zipOf(one);
    // The disk that a central record names.
    record.set(fields("H", 1), record.length - 22 - 47 + 34);
    expect(await flawOf(record)).toBe("invalid: it spans more than one disk");
  });
});

describe("zipfs.md §3.2 §3.6: inflating", () => {
  const raw = deflateRawSync(text);
  const declared = (size: number, more: Partial<EntrySpec> = {}) =>
    zipOf([{ name: "a", data: text, raw, local: { size }, central: { size }, ...more }]);

  it("stops beyond a tenth more than declared; up to there it is only wrong", async () => {
    // 240 bytes come out: 219 + 21 are as many, 218 + 21 are one less.
    expect(await flawOf(declared(219))).toBe('invalid: "a" has 240 bytes where 219 are declared');
    expect(await flawOf(declared(218))).toBe('bomb: entry "a" inflates beyond its declared size');
    expect(await flawOf(declared(0))).toBe('bomb: entry "a" inflates beyond its declared size');
  });

  it("stops beyond MAX_RATIO of what is declared as compressed, and beyond what is left of MAX_EXTRACTED_BYTES", async () => {
    const ratio = 235 / raw.length;
    expect(await flawOf(declared(230), { ratio })).toBe('bomb: entry "a" inflates beyond its declared size');
    expect(await flawOf(declared(230), { extractedBytes: 239 })).toBe(
      'bomb: entry "a" inflates beyond its declared size',
    );
    expect(await flawOf(declared(230), { extractedBytes: 240 })).toBe(
      'invalid: "a" has 240 bytes where 230 are declared',
    );
  });

  it("takes one file of exactly MAX_FILE_BYTES", async () => {
    expect(await flawOf(zipOf([{ name: "a", data: text }]), { fileBytes: text.length })).toBe("opened");
    expect(await flawOf(zipOf([{ name: "a", data: text }]), { fileBytes: text.length - 1 })).toBe("limit");
  });

  it("does not trust a descriptor, and holds sizes before the data against the directory only without one", async () => {
    const lies = { crc: 7, size: 7, compressedSize: 7 };
    expect(await flawOf(zipOf([{ name: "a", data: text, descriptor: true, local: lies }]))).toBe("opened");
    expect(await flawOf(zipOf([{ name: "a", data: text, local: lies }]))).toMatch(/^invalid: local and central/);
    expect(await flawOf(zipOf([{ name: "a", data: text, descriptor: true, central: { crc: 7 } }]))).toBe(
      'invalid: the checksum of "a" is wrong',
    );
  });
});
