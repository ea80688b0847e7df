/**
 * Edits that wait in the journal: they are there for everyone who looks, and after the object had gone. Faults while they come into the
 * tables are in faults/settle.test.ts; that they make the same tables as one by one in journal-model.test.ts; which edits wait in journal-bounds.test.ts.
 */
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { clock } from "./clock";
import { freshRoot, okValue } from "./root";
import { chainOf, contentOf, waitingIn } from "./waiting";

beforeEach(() => {
  clock.reset();
});
afterAll(() => {
  vi.useRealTimers();
});

describe("edits that wait", () => {
  it("are rows of the journal, and in no table until somebody looks there", async () => {
    const root = freshRoot();
    await chainOf(root, "/a", "0\n", ["1\n", "2\n"]);
    expect(await waitingIn(root)).toBe(2);
    expect(await root.usage()).toMatchObject({ bytes: 6 });
    expect(await waitingIn(root)).toBe(0);
  });

  it("are there after the object had gone, with their history", async () => {
    const root = freshRoot();
    const [first = "", second = "", third = ""] = await chainOf(root, "/a", "0\n", ["1\n", "2\n"]);
    await root.evict();
    expect(await waitingIn(root)).toBe(2);
    expect(okValue(await root.read("/a"))).toMatchObject({ content: "0\n1\n2\n", hash: third, totalLines: 3 });
    expect(okValue(await root.append("/a", second, "2\n"))).toMatchObject({ alreadyApplied: true, hash: third });
    expect(await root.append("/a", first, "x")).toMatchObject({
      error: { code: "HASH_MISMATCH", details: { current_hash: third, diff: expect.stringContaining("+1\n+2\n") } },
    });
    await root.evict();
    expect(await contentOf(root, "/a")).toBe("0\n1\n2\n");
    await root.expectSound();
  });

  it("are read after the object had gone, also while the file is about to go", async () => {
    const root = freshRoot();
    const [, , third = ""] = await chainOf(root, "/a", "0\n", ["1\n", "2\n"]);
    await root.evict();
    const answers = await root.attempt((inside) => Promise.all([inside.read("/a"), inside.remove("/a", third)]));
    expect(answers).toMatchObject([{ value: { content: "0\n1\n2\n", hash: third } }, { ok: true }]);
    await root.expectSound();
  });

  it("go on waiting after the object had gone, in several files by turns", async () => {
    const root = freshRoot();
    const paths = ["/a", "/b/c", "/d"];
    const hashes = new Map<string, string>();
    for (const path of paths) hashes.set(path, okValue(await root.create(path, `${path}\n`)));
    for (let round = 0; round < 30; round++) {
      for (const path of paths) {
        hashes.set(path, okValue(await root.append(path, hashes.get(path) ?? "", `${round}\n`)).hash);
      }
      if (round === 10) await root.evict();
    }
    expect(await waitingIn(root)).toBe(3 * 30);
    await root.evict();
    expect(await waitingIn(root)).toBe(3 * 30);
    const lines = Array.from({ length: 30 }, (_, round) => `${round}\n`).join("");
    for (const path of paths) expect(await contentOf(root, path)).toBe(`${path}\n${lines}`);
    await root.expectSound();
  });

  it("are 256 at most", async () => {
    const root = freshRoot();
    const pieces = Array.from({ length: 300 }, (_, number) => `${number}\n`);
    await chainOf(root, "/a", "", pieces);
    expect(await waitingIn(root)).toBe(44);
    await root.evict();
    expect(await contentOf(root, "/a")).toBe(pieces.join(""));
    await root.expectSound();
    expect(await root.sql("SELECT 1 FROM versions")).toHaveLength(19);
    expect(await root.sql("SELECT 1 FROM blobs WHERE condemned_at_ms IS NULL")).toHaveLength(20);
  });

  it("lead there and back again", async () => {
    const root = freshRoot();
    const hash = okValue(await root.create("/a", "A\n"));
    const other = okValue(await root.rewrite("/a", hash, "B\n")).hash;
    expect(okValue(await root.rewrite("/a", other, "A\n")).hash).toBe(hash);
    expect(await waitingIn(root)).toBe(2);
    await root.evict();
    expect(await root.sql("SELECT blob FROM versions")).toEqual([{ blob: other }]);
    expect(await root.usage()).toMatchObject({ files: 1, bytes: 2 });
    await root.expectSound();
  });

  it("keep characters of every kind, and the marks and ends of lines", async () => {
    const root = freshRoot();
    const pieces = ["größe 😀\r\n", "\ufeffmark inside\n", "𝒳 \u2028 \ufffd\r", "\n\n", "e\u0301", " open end"];
    const beginning = "\ufeff日本\r\n";
    await chainOf(root, "/a", beginning, pieces);
    const current = okValue(await root.read("/a"));
    const replaced = okValue(
      await root.edit("/a", current.hash, { kind: "replace", lines: [1, 0], old: "größe 😀\r", new: "👩‍👩‍👧\r" }),
    );
    okValue(await root.edit("/a", replaced.hash, { kind: "insert", line: 2, anchor: "👩‍👩‍👧\r", content: "\ufeff😀" }));
    const expected = `${beginning}\ufeff😀\n👩‍👩‍👧\r\n\ufeffmark inside\n𝒳 \u2028 \ufffd\r\n\n\ne\u0301\n open end`;
    expect(await waitingIn(root)).toBe(pieces.length + 2);
    expect(await contentOf(root, "/a")).toBe(expected);
    await root.evict();
    expect(await contentOf(root, "/a")).toBe(expected);
    await root.expectSound();
  });
});
