/** The quotas of a root at their edges. The counters are set near the limits by SQL, so `check` is not asked here. */
import { describe, expect, it } from "vitest";
import { directoriesMax, filesMax, rootBytesMax } from "../../src/domain/limits";
import { freshRoot, okValue, type TestRoot } from "./root";

describe("the quota of files", () => {
  it("lets the last one in and refuses the next, with what is used and what is allowed", async () => {
    const root = freshRoot();
    await setUsage(root, { files: filesMax - 1 });
    const hash = okValue(await root.create("/last", "x"));
    expect(await root.create("/next", "x")).toMatchObject({
      ok: false,
      error: { code: "TOO_LARGE", details: { path: "/next", max: filesMax } },
    });
    expect(await root.list("/")).toMatchObject({ total: 1 });

    expect(okValue(await root.append("/last", hash, "more"))).toMatchObject({ alreadyApplied: false });
    okValue(await root.remove("/last", okValue(await root.read("/last")).hash));
    okValue(await root.create("/next", "x"));
  });
});

describe("the quota of bytes", () => {
  it("lets a file fill it exactly and refuses one byte more", async () => {
    const root = freshRoot();
    await setUsage(root, { bytes: rootBytesMax - 10 });
    expect(await root.create("/a", "12345678901")).toMatchObject({
      ok: false,
      error: { code: "TOO_LARGE", details: { size: rootBytesMax + 1, max: rootBytesMax } },
    });
    okValue(await root.create("/a", "1234567890"));
    expect((await root.usage()).bytes).toBe(rootBytesMax);
  });

  it("refuses an edit that grows the file and allows one that shrinks it or keeps its size", async () => {
    const root = freshRoot();
    const hash = okValue(await root.create("/a", "one\ntwo\n"));
    await setUsage(root, { bytes: rootBytesMax });
    expect(await root.append("/a", hash, "x")).toMatchObject({ ok: false, error: { code: "TOO_LARGE" } });
    const same = okValue(await root.edit("/a", hash, { kind: "replace", lines: [1, 2], old: "one", new: "ONE" }));
    okValue(await root.edit("/a", same.hash, { kind: "replace", lines: [1, 2], old: "ONE", new: "" }));
    expect((await root.usage()).bytes).toBe(rootBytesMax - 4);
  });

  it("counts a content as often as files have it, and not its former versions", async () => {
    const root = freshRoot();
    okValue(await root.create("/a", "12345"));
    const hash = okValue(await root.create("/b", "12345"));
    expect((await root.usage()).bytes).toBe(10);
    okValue(await root.append("/b", hash, "6"));
    expect((await root.usage()).bytes).toBe(5 + 7);
  });

  it("leaves nothing of a large file that it refuses", async () => {
    const root = freshRoot();
    await setUsage(root, { bytes: rootBytesMax });
    expect(await root.create("/large", "x".repeat(1024 * 1024 + 1))).toMatchObject({ ok: false });
    expect(await root.sql("SELECT hash FROM blobs")).toEqual([]);
    const known = await root.sql<{ r2_key: string }>("SELECT r2_key FROM stray_objects");
    expect(await root.objectKeys()).toEqual(known.map((row) => row.r2_key));
    expect(await root.alarmAt()).not.toBeNull();
  });
});

describe("the quota of directories", () => {
  it("counts those that a file would need and not those that are there", async () => {
    const root = freshRoot();
    okValue(await root.create("/a/b/one", "x"));
    await setUsage(root, { directories: directoriesMax - 1 });
    expect(await root.create("/c/d/file", "x")).toMatchObject({
      ok: false,
      error: { code: "TOO_LARGE", details: { max: directoriesMax } },
    });
    okValue(await root.create("/c/file", "x"));
    expect((await root.usage()).directories).toBe(directoriesMax);
    expect(await root.create("/e/file", "x")).toMatchObject({ ok: false, error: { code: "TOO_LARGE" } });
    okValue(await root.create("/a/b/two", "x"));
    okValue(await root.create("/three", "x"));
  });
});

async function setUsage(
  root: TestRoot,
  usage: { files?: number; directories?: number; bytes?: number },
): Promise<void> {
  const { files, directories, bytes } = { ...(await root.usage()), ...usage };
  await root.sql("UPDATE usage SET files = ?, directories = ?, bytes = ?", files, directories, bytes);
}
