// Names of entries: every vector of zip-names.json, alone and in sets, through whole archives. Not covered: what the tools say of them.
import { describe, expect, it } from "vitest";
import { crcOf, unicodePathExtra, zipOf } from "../../../test/harness/zip-builder";
import { openInMemory } from "../../../test/harness/zip-core";
import vectors from "../../../test/vectors/zip-names.json";
import { decodeName } from "./entry-name";
import { flawError } from "./zip-errors";

interface NameVector {
  name_hex: string;
  utf8_flag: boolean;
  outcome: string;
  path?: string;
  reason?: string;
  code?: string;
  unicode_path_extra?: { name_crc32: string; name: string };
}

interface SetVector {
  names: string[];
  outcome: string;
  code?: string;
  files?: string[];
  warnings?: { entry: string; reason: string }[];
}

describe("one name", () => {
  it.each(
    (vectors.entries as NameVector[]).map((vector) => [vector.name_hex.slice(0, 60), vector.outcome, vector] as const),
  )("%s is %s", async (_hex, _outcome, vector) => {
    const name = Uint8Array.from(Buffer.from(vector.name_hex, "hex"));
    const field = vector.unicode_path_extra;
    const extra = field ? unicodePathExtra(field.name, Number.parseInt(field.name_crc32, 16)) : new Uint8Array(0);
    const result = await openInMemory(zipOf([{ name, flags: vector.utf8_flag ? 0x800 : 0, extra }]));
    if (vector.outcome === "refused") {
      expect(result.ok ? null : flawError(result.error, "/x.zip").code).toBe(vector.code);
      return;
    }
    if (!result.ok) throw new Error(JSON.stringify(result.error));
    const { archive } = result.value;
    const [entry] = archive.entries;
    if (vector.outcome === "skipped") {
      expect(result.value.files.size).toBe(0);
      if (vector.reason !== "names_root") {
        expect(entry).toMatchObject({ kind: "skipped", reason: vector.reason });
        expect(archive.warnings).toMatchObject([{ reason: vector.reason }]);
      } else expect([...archive.directories.keys()]).toEqual([]);
      return;
    }
    expect({ kind: entry?.kind, path: entry?.path }).toEqual({
      kind: vector.outcome === "dir" ? "directory" : "file",
      path: vector.path,
    });
  });
});

describe("several names", () => {
  it.each((vectors.sets as SetVector[]).map((set) => [JSON.stringify(set.names), set] as const))(
    "%s",
    async (_, set) => {
      const result = await openInMemory(
        zipOf(set.names.map((name) => ({ name, data: name.endsWith("/") ? "" : "x" }))),
      );
      if (set.outcome === "refused") {
        expect(result.ok ? null : flawError(result.error, "/x.zip").code).toBe(set.code);
        return;
      }
      if (!result.ok) throw new Error(JSON.stringify(result.error));
      expect([...result.value.files.keys()].sort()).toEqual([...(set.files ?? [])].sort());
      expect(result.value.archive.warnings).toEqual(set.warnings);
    },
  );

  it("names at most 100 skipped entries, then how many more there are", async () => {
    const result = await openInMemory(zipOf(Array.from({ length: 103 }, (_, index) => ({ name: `\r${index}` }))));
    const warnings = result.ok ? result.value.archive.warnings : [];
    expect(warnings).toHaveLength(101);
    expect(warnings[0]).toEqual({ entry: "\r0", reason: "control_character" });
    expect(warnings[100]).toEqual({ entry: "", reason: "3 more" });
  });
});

describe("decodeName", () => {
  it("reads every byte of CP437, and takes nothing else for it", () => {
    const high = Uint8Array.from({ length: 128 }, (_, index) => index + 128);
    const text = decodeName({ name: high, flags: 0, extra: new Uint8Array(0) }) ?? "";
    expect([...text]).toHaveLength(128);
    expect(new Set(text).size).toBe(128);
    expect(text.at(0)).toBe("Ç");
    expect(text.at(-1)).toBe("\u00a0");
    expect(text.at(0xe1 - 0x80)).toBe("ß");
  });

  it.each([
    [
      "another version",
      (name: Uint8Array) => unicodePathExtra("x", crcOf(name)).map((byte, at) => (at === 4 ? 2 : byte)),
    ],
    ["an empty name", (name: Uint8Array) => unicodePathExtra("", crcOf(name))],
    [
      "a name that is not UTF-8",
      (name: Uint8Array) => unicodePathExtra("x", crcOf(name)).map((byte, at) => (at === 9 ? 0xff : byte)),
    ],
  ])("leaves a Unicode Path with %s aside", (_, extraOf) => {
    const name = new Uint8Array([0x82]);
    expect(decodeName({ name, flags: 0, extra: extraOf(name) })).toBe("é");
  });
});
