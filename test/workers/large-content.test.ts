/** Text at the sizes where something changes: 256 KiB of one read, 1 MiB in SQLite, 8 MiB of text tools. Over MCP: test/text. */
import { describe, expect, it } from "vitest";
import { freshRoot, okValue, type TestRoot } from "./root";

const kib = 1024;
const mib = 1024 * kib;
/** Lines of different lengths, with characters of several bytes, of exactly so many bytes. */
function textOfBytes(bytes: number): string {
  const period = Array.from({ length: 100 }, (_, index) => `${index} ${"é😀".repeat(index % 13)}\n`).join("");
  const whole = period.repeat(Math.floor(bytes / Buffer.byteLength(period)));
  return whole + "x".repeat(bytes - Buffer.byteLength(whole));
}

describe("a text of 8 MiB", () => {
  it("MCP-012: can be created, read in ranges from both ends and edited", async () => {
    const root = freshRoot();
    const text = textOfBytes(8 * mib);
    const hash = okValue(await root.create("/large", text));
    const lines = text.match(/[^\n]*\n|[^\n]+/g) ?? [];
    const ranges: [number, number][] = [
      [1, 2],
      [-1, 0],
      [lines.length, 0],
      [5000, 5010],
      [-5010, -5000],
      [lines.length + 1, 0],
      [100_000_000, 0],
    ];
    for (const range of ranges) {
      const read = okValue(await root.read("/large", range));
      const [start, end] = [range[0] > 0 ? range[0] - 1 : range[0], range[1] > 0 ? range[1] - 1 : range[1]];
      expect(read.content).toBe(lines.slice(start, end === 0 ? undefined : end).join(""));
      expect(read).toMatchObject({ hash, totalLines: lines.length, nextLine: null });
    }
    const whole = okValue(await root.read("/large", [1, 0]));
    expect(whole.content === text).toBe(true);

    const edited = okValue(
      await root.edit("/large", hash, { kind: "replace", lines: [3, 4], old: lines[2] ?? "", new: "" }),
    );
    expect(edited.totalLines).toBe(lines.length - 1);
    await root.expectSound();
  });

  it("cannot grow: TOO_LARGE with its size, and nothing is stored", async () => {
    const root = freshRoot();
    const hash = okValue(await root.create("/large", textOfBytes(8 * mib)));
    const refused = { ok: false, error: { code: "TOO_LARGE", details: { path: "/large", max: 8 * mib } } };
    expect(await root.append("/large", hash, "y")).toMatchObject(refused);
    expect(await root.edit("/large", hash, { kind: "insert", line: 1, anchor: "0 ", content: "y" })).toMatchObject(
      refused,
    );
    expect(await root.create("/larger", textOfBytes(8 * mib + 1))).toMatchObject({
      ok: false,
      error: { code: "TOO_LARGE", details: { path: "/larger", size: 8 * mib + 1 } },
    });
    expect(okValue(await root.read("/large", [1, 2])).hash).toBe(hash);
    expect(await root.usage()).toMatchObject({ files: 1, bytes: 8 * mib });
    await root.expectSound();
  });
});

describe("an edit across 1 MiB", () => {
  it("MCP-015: takes a text from SQLite to R2 and back, with every version readable on the way", async () => {
    const root = freshRoot();
    const text = `${textOfBytes(mib - 1)}\n`;
    let hash: string = okValue(await root.create("/file", text));
    expect(await placeOf(root, hash)).toEqual({ warm: 1, outside: 0 });

    hash = okValue(await root.append("/file", hash, "y")).hash;
    expect(await placeOf(root, hash)).toEqual({ warm: 0, outside: 1 });
    expect(okValue(await root.read("/file", [1, 0])).content === `${text}y`).toBe(true);

    const back = okValue(await root.edit("/file", hash, { kind: "replace", lines: [-1, 0], old: "y", new: "" }));
    expect(await placeOf(root, back.hash)).toEqual({ warm: 1, outside: 0 });
    expect(okValue(await root.read("/file", [1, 0])).content === text).toBe(true);
    await root.expectSound();
  });

  it("MCP-034: gives no diff when either side is over 1 MiB, and no current hash then", async () => {
    const root = freshRoot();
    const text = `${textOfBytes(mib - 1)}\n`;
    const first = okValue(await root.create("/file", text));
    const second = okValue(await root.append("/file", first, "y"));
    const stale = await root.append("/file", first, "z");
    expect(stale).toMatchObject({
      ok: false,
      error: { code: "HASH_MISMATCH", details: { path: "/file", hash: first } },
    });
    expect(JSON.stringify(stale)).not.toContain(second.hash);

    const third = okValue(
      await root.edit("/file", second.hash, { kind: "replace", lines: [-1, 0], old: "y", new: "" }),
    );
    expect(third.hash).toBe(first);
    expect(JSON.stringify(await root.append("/file", second.hash, "z"))).not.toContain(first);
    const fourth = okValue(await root.edit("/file", first, { kind: "replace", lines: [1, 2], old: "0 ", new: "O" }));
    expect(await root.append("/file", first, "z")).toMatchObject({
      ok: false,
      error: { details: { current_hash: fourth.hash, diff: expect.stringContaining("-0 \n+O\n") } },
    });
  });

  it("knows a retry of an edit of a large text", async () => {
    const root = freshRoot();
    const first = okValue(await root.create("/file", textOfBytes(2 * mib)));
    const second = okValue(await root.append("/file", first, "more\n"));
    expect(okValue(await root.append("/file", first, "more\n"))).toEqual({ ...second, alreadyApplied: true });
  });
});

describe("a read without lines", () => {
  it("MCP-012: stops at 256 KiB on a line boundary, and reads that go on join to the whole file", async () => {
    const root = freshRoot();
    const text = textOfBytes(mib + 12_345);
    okValue(await root.create("/file", text));
    const first = okValue(await root.read("/file"));
    const firstBytes = new TextEncoder().encode(first.content).length;
    expect(firstBytes).toBeLessThanOrEqual(256 * kib);
    expect(firstBytes).toBeGreaterThan(255 * kib);
    expect(first.content.endsWith("\n")).toBe(true);

    let joined = first.content;
    let next = first.nextLine;
    while (next !== null && next <= first.totalLines) {
      const slice = okValue(await root.read("/file", [next, next + 1500]));
      joined += slice.content;
      next += 1500;
    }
    expect(joined === text).toBe(true);
  });

  it("MCP-012: gives a file of exactly 256 KiB whole, and one byte more only up to its last line", async () => {
    const root = freshRoot();
    okValue(await root.create("/whole", `${"a".repeat(256 * kib - 2)}\nb`));
    expect(okValue(await root.read("/whole"))).toMatchObject({ totalLines: 2, nextLine: null });
    okValue(await root.create("/cut", `${"a".repeat(256 * kib - 2)}\nbc`));
    const cut = okValue(await root.read("/cut"));
    expect(cut).toMatchObject({ totalLines: 2, nextLine: 2 });
    expect(cut.content.length).toBe(256 * kib - 1);
  });

  it("MCP-012: gives at least one line, however long, and says where to go on only if there is more", async () => {
    const root = freshRoot();
    okValue(await root.create("/two", `${"a".repeat(300 * kib)}\nb\n`));
    const two = okValue(await root.read("/two"));
    expect([two.content.length, two.nextLine]).toEqual([300 * kib + 1, 2]);
    okValue(await root.create("/one", "a".repeat(300 * kib)));
    const one = okValue(await root.read("/one"));
    expect([one.content.length, one.nextLine]).toEqual([300 * kib, null]);
  });
});

async function placeOf(root: TestRoot, hash: string) {
  const [row] = await root.sql(
    "SELECT is_inline AS warm, r2_key IS NOT NULL AS outside FROM blobs WHERE hash = ?",
    hash,
  );
  return row;
}
