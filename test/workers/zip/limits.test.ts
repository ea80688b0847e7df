// The limits of zipfs.md §3.2 that an archive alone does not show, at the limit and one over: size of the source, all workspaces, the account,
// sessions. They are lowered as a deployment would lower them. Limits of the archive itself: src/domain/zip/container.test.ts.
import { beforeEach, describe, expect, it } from "vitest";
import { filesMax, rootBytesMax } from "../../../src/domain/limits";
import type { ZipLimits } from "../../../src/domain/zip/zip-limits";
import { zipOf } from "../../harness/zip-builder";
import { freshRoot } from "../root";
import { codeOf, good, noise, ZipObject } from "./zip-object";

let zip: ZipObject;
beforeEach(() => {
  zip = new ZipObject(freshRoot());
});

async function limit(limits: Partial<ZipLimits>): Promise<void> {
  await zip.root.inObject((instance) => {
    const { zip: store } = (instance as unknown as { root: { zip: { limits: ZipLimits } } }).root;
    store.limits = { ...store.limits, ...limits };
  });
}

async function use(usage: { files?: number; bytes?: number }): Promise<void> {
  const { files, bytes } = { ...(await zip.root.usage()), ...usage };
  await zip.root.sql("UPDATE usage SET files = ?, bytes = ?", files, bytes);
}

async function expectNothingOpened(): Promise<void> {
  expect(await zip.sessions()).toEqual([]);
  expect(await zip.root.sql("SELECT path FROM nodes WHERE path LIKE '/.zipfs%'")).toEqual([]);
}

const ten = { name: "a", data: "0123456789", method: 0 };

describe("zipfs.md §3.2", () => {
  it("MAX_ZIP_BYTES: a source of exactly as many bytes opens, one byte more does not", async () => {
    await zip.put([ten]);
    const size = zipOf([ten]).length;
    await limit({ zipBytes: size - 1 });
    expect(await zip.open()).toMatchObject({
      error: {
        code: "LIMIT_EXCEEDED",
        message: `Limit exceeded: size of the archive in bytes (${size}) exceeds ${size - 1}. Split it into smaller archives.`,
      },
    });
    await expectNothingOpened();
    await limit({ zipBytes: size });
    good(await zip.open());
  });

  it("MAX_TOTAL_EXTRACTED: counts what all workspaces hold now, at open and at every write", async () => {
    await zip.put([ten]);
    await limit({ totalBytes: 20 });
    good(await zip.open("one"));
    good(await zip.open("two"));
    expect(await zip.open("three")).toMatchObject({
      error: { code: "LIMIT_EXCEEDED", message: expect.stringContaining("bytes of all workspaces (30) exceeds 20.") },
    });
    good(await zip.closeOf("two"));
    good(await zip.write("b", "0123456789"));
    expect(codeOf(await zip.write("b", "0123456789+"))).toBe("LIMIT_EXCEEDED");
    expect(codeOf(await zip.open("two"))).toBe("LIMIT_EXCEEDED");
    // What shrinks is allowed, whatever there is.
    await limit({ totalBytes: 5 });
    good(await zip.write("b", "012"));
    good(await zip.delete("b"));
    await zip.root.expectSound();
  });

  it("the account: bytes and files of the whole root, at open and at every write", async () => {
    await zip.put([ten]);
    await use({ bytes: rootBytesMax - 9 });
    expect(await zip.open()).toMatchObject({
      error: {
        code: "LIMIT_EXCEEDED",
        message: expect.stringContaining(`bytes of your root (${rootBytesMax + 1}) exceeds ${rootBytesMax}.`),
      },
    });
    await expectNothingOpened();
    await use({ bytes: rootBytesMax - 10, files: filesMax - 1 });
    good(await zip.open());
    expect(codeOf(await zip.write("a", "0123456789+"))).toBe("LIMIT_EXCEEDED");
    good(await zip.write("a", "9876543210"));
    expect(codeOf(await zip.write("new", ""))).toBe("LIMIT_EXCEEDED");
  });

  it("MAX_SESSIONS, zipfs.md §3.1 step 11: holds for opens that run at the same time", async () => {
    await zip.put([{ name: "big", data: noise(1_500_000), method: 0 }]);
    await limit({ sessions: 2 });
    const opened = await Promise.all([zip.open(null), zip.open(null), zip.open(null)]);
    expect(opened.map(codeOf).sort()).toEqual(["LIMIT_EXCEEDED", "ok", "ok"]);
    expect(await zip.sessions()).toHaveLength(2);
    expect(await zip.root.sql("SELECT * FROM nodes WHERE parent = '/.zipfs/workspaces'")).toHaveLength(2);
    await zip.root.expectSound();
  });

  it("MAX_NESTING of 0 lets no archive be opened from a workspace", async () => {
    await zip.put([{ name: "inner.zip", data: zipOf([ten]), method: 0 }]);
    await limit({ nesting: 0 });
    good(await zip.open("outer"));
    expect(codeOf(await zip.open("inner", "/.zipfs/workspaces/outer/contents/inner.zip"))).toBe("LIMIT_EXCEEDED");
    good(await zip.open("again"));
  });
});
