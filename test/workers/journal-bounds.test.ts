/** Which edits wait and which do not: their sizes, the quota, the alarm. What happens to those that wait: journal.test.ts. */
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { blobSettleMs, rootBytesMax } from "../../src/domain/limits";
import { clock } from "./clock";
import { freshRoot, okValue } from "./root";
import { chainOf, contentOf, waitingIn } from "./waiting";

beforeEach(() => {
  clock.reset();
});
afterAll(() => {
  vi.useRealTimers();
});

describe("an edit that does not wait", () => {
  const long = `${"x".repeat(16 * 1024)}\n`;
  const large = "a line of a large file\n".repeat(46_000);

  it.each([
    ["gives more than 16 Ki characters", long],
    ["leads to more than 1 MiB", large],
    ["brings a NUL", "\0\n"],
  ])("because it %s comes after those that do, and before those that follow", async (_, content) => {
    const root = freshRoot();
    const before = await chainOf(root, "/a", "0\n", ["1\n", "2\n"]);
    const { hash } = okValue(await root.append("/a", before.at(-1) ?? "", content));
    expect(await waitingIn(root)).toBe(0);
    if (content === "\0\n") return await root.expectSound();
    const last = okValue(await root.rewrite("/a", hash, "short\n")).hash;
    okValue(await root.append("/a", last, "more\n"));
    expect(await waitingIn(root)).toBe(content === large ? 1 : 2);
    await root.evict();
    expect(await contentOf(root, "/a")).toBe("short\nmore\n");
    const versions = await root.sql<{ blob: string }>("SELECT blob FROM versions ORDER BY seq");
    expect(versions.map(({ blob }) => blob)).toEqual([...before, hash, last]);
    await root.expectSound();
  });

  it("is one of exactly 16 Ki characters no more than one of a few", async () => {
    const root = freshRoot();
    await chainOf(root, "/a", "", ["x".repeat(16 * 1024)]);
    expect(await waitingIn(root)).toBe(1);
  });
});

describe("what waits", () => {
  it("has 32 Mi characters at most, counted as the texts that the edits led to", async () => {
    const root = freshRoot();
    const beginning = `${"x".repeat(999)}\n`.repeat(1000);
    const pieces = Array.from({ length: 40 }, (_, number) => `${number}\n`);
    const work = await root.attempt((inside) => chainOf(inside, "/a", beginning, pieces));
    expect(work).toHaveLength(41);
    // 34 of a million each are more.
    expect(await waitingIn(root)).toBe(6);
    await root.evict();
    expect(okValue(await root.read("/a", [1, 0])).content).toBe(beginning + pieces.join(""));
    await root.expectSound();
  });

  it("counts in the quota of bytes", async () => {
    const root = freshRoot();
    const hash = okValue(await root.create("/a", "0\n"));
    await root.sql("UPDATE usage SET bytes = ?", rootBytesMax - 5);
    const first = okValue(await root.append("/a", hash, "12\n")).hash;
    expect(await root.append("/a", first, "345")).toMatchObject({ ok: false, error: { code: "TOO_LARGE" } });
    okValue(await root.append("/a", first, "3\n"));
    expect((await root.usage()).bytes).toBe(rootBytesMax);
  });

  it("comes into the tables with the alarm", async () => {
    const root = freshRoot();
    const hashes = await chainOf(root, "/a", "0\n", ["1\n", "2\n"]);
    clock.advance(blobSettleMs);
    expect(await root.ring()).toBe(true);
    expect(await waitingIn(root)).toBe(0);
    clock.advance(blobSettleMs);
    expect(await root.ring()).toBe(true);
    const copied = await root.sql<{ hash: string }>("SELECT hash FROM blobs WHERE r2_key IS NOT NULL");
    expect(copied.map(({ hash }) => hash).sort()).toEqual([...hashes].sort());
    await root.expectSound();
  });
});
