// Sizes: 8 MiB of a text file, 256 KiB of a read without lines, 16 MiB of an answer. Not here: the limit of a request's body.
import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { TextRoot } from "./text-root";

const mib = 1024 * 1024;
const kib = 1024;
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

let root: TextRoot;
beforeAll(async () => {
  root = await TextRoot.signIn();
});

const tooLarge = (path: string, tool: string, size: number) => ({
  code: "TOO_LARGE",
  message: `${path} has ${size} bytes; the limit of ${tool} is 8388608. Use PUT/GET /files${path} for large files.`,
  details: { path, size, max: 8 * mib },
});

describe("8 MiB", () => {
  it("MCP-010 MCP-052 is what file.create takes, and no byte more, in either encoding", async () => {
    const full = "x".repeat(8 * mib);
    expect(await root.create("/full", full)).toBe(sha256(full));
    expect(await root.refused("file.create", { path: "/over", content: `${full}x` })).toEqual(
      tooLarge("/over", "file.create", 8 * mib + 1),
    );
    // Bytes count, not characters.
    const wide = "é".repeat(4 * mib);
    expect(await root.create("/wide", wide)).toBe(sha256(wide));
    expect((await root.refused("file.create", { path: "/wide2", content: `${wide}x` })).details?.size).toBe(
      8 * mib + 1,
    );
    const bytes = Buffer.alloc(8 * mib + 1, 7);
    const base64 = { path: "/b", content: bytes.toString("base64"), encoding: "base64" };
    expect(await root.refused("file.create", base64)).toEqual(tooLarge("/b", "file.create", 8 * mib + 1));
    const fitting = { ...base64, content: bytes.subarray(1).toString("base64") };
    expect((await root.ok("file.create", fitting)).hash).toBe(
      createHash("sha256").update(bytes.subarray(1)).digest("hex"),
    );
    expect((await root.refused("text.read", { path: "/over" })).code).toBe("NOT_FOUND");
  });

  it("is what an edit may make of a file; one that would make more changes nothing", async () => {
    const path = "/grows";
    const line = `${"y".repeat(kib - 1)}\n`;
    const text = line.repeat(8 * kib - 1);
    const hash = await root.create(path, text);
    const over = `${"y".repeat(kib)}\n`;
    expect(await root.refused("text.append", { path, hash, content: over })).toEqual(
      tooLarge(path, "text.append", 8 * mib + 1),
    );
    expect(await root.refused("text.insert", { path, hash, line: 1, anchor: line, content: over })).toEqual(
      tooLarge(path, "text.insert", 8 * mib + 1),
    );
    expect(await root.refused("text.replace", { path, hash, lines: [1, 2], old: line, new: `${line}${over}` })).toEqual(
      tooLarge(path, "text.replace", 8 * mib + 1),
    );
    const filled = await root.ok("text.append", { path, hash, content: line });
    expect(filled).toEqual({ hash: sha256(text + line), total_lines: 8 * kib });
    const { content } = await root.read(path, [-2, 0]);
    expect(content).toBe(line + line);
  });

  it("MCP-033 an edit chain over the sizes at which storage changes keeps every byte", async () => {
    const path = "/crossing";
    let text = `${"z".repeat(mib - 2)}\n`;
    let hash = await root.create(path, text);
    for (const content of ["a", "b\n", "c\n"]) {
      hash = (await root.ok("text.append", { path, hash, content })).hash;
      text += content === "b\n" ? `\n${content}` : content;
      expect(hash).toBe(sha256(text));
    }
    const { hash: back } = await root.ok("text.replace", { path, hash, lines: [1, 0], old: "a\nb\nc", new: "" });
    expect(back).toBe(sha256(`${"z".repeat(mib - 2)}\n`));
  });
});

describe("a read without lines", () => {
  it("MCP-012 gives up to 256 KiB whole", async () => {
    const text = "abc\n".repeat(64 * kib);
    await root.create("/whole", text);
    expect(await root.read("/whole")).toEqual({ content: text, hash: sha256(text), total_lines: 64 * kib });
  });

  it("MCP-012 of one byte more gives the first whole lines, and says where to go on", async () => {
    const text = `${"abc\n".repeat(64 * kib)}x`;
    const hash = await root.create("/longer", text);
    const first = await root.read("/longer");
    expect(first).toEqual({
      content: text.slice(0, 256 * kib),
      hash,
      total_lines: 64 * kib + 1,
      truncated: true,
      next_line: 64 * kib + 1,
    });
    expect(await root.read("/longer", [64 * kib + 1, 0])).toEqual({ content: "x", hash, total_lines: 64 * kib + 1 });
    // With lines the slice comes whole, whatever its size.
    expect((await root.read("/longer", [1, 0])).content).toBe(text);
  });

  it("MCP-012 cuts at a line, not within a character or a line, and the parts join to the file", async () => {
    const line = `${"é😀".repeat(100)}\n`;
    const text = line.repeat(1000);
    const hash = await root.create("/parts", text);
    const first = await root.read("/parts");
    const size = Buffer.byteLength(first.content);
    expect(size).toBeLessThanOrEqual(256 * kib);
    expect(size + Buffer.byteLength(line)).toBeGreaterThan(256 * kib);
    expect(first.next_line).toBe(size / Buffer.byteLength(line) + 1);
    const rest = await root.read("/parts", [first.next_line ?? 0, 0]);
    expect(first.content + rest.content).toBe(text);
    expect([first.hash, rest.hash]).toEqual([hash, hash]);
  });

  it("MCP-012 gives at least one line, also one longer than that; a file of one line comes whole", async () => {
    const long = "l".repeat(300 * kib);
    await root.create("/two", `${long}\nsecond\n`);
    expect(await root.read("/two")).toMatchObject({
      content: `${long}\n`,
      total_lines: 2,
      truncated: true,
      next_line: 2,
    });
    await root.create("/one", `${long}\n`);
    expect(await root.read("/one")).toEqual({ content: `${long}\n`, hash: sha256(`${long}\n`), total_lines: 1 });
  });
});

describe("an answer over 16 MiB of JSON", () => {
  it("MCP-052 is refused with what to ask for instead, and a smaller part of the same file comes", async () => {
    const path = "/control";
    // Six characters of JSON for each byte, and that twice.
    const line = `${"\u0001".repeat(mib - 1)}\n`;
    await root.create(path, line.repeat(2));
    const refusal = await root.refused("text.read", { path, lines: [1, 0] });
    expect(refusal.code).toBe("TOO_LARGE");
    expect(refusal.message).toMatch(
      /^The answer would have \d+ bytes of JSON; the limit is 16777216\. Ask for less at once, such as fewer lines or a smaller part; a whole file comes with .*\.$/,
    );
    expect(refusal.details).toEqual({ size: expect.any(Number), max: 16 * mib });
    expect((await root.read(path, [2, 3])).content).toBe(line);
  });
});
