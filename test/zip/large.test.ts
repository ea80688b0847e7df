// Size: ten thousand entries, files that do not fit into memory at once, progress while it goes on.
import { beforeAll, describe, expect, it } from "vitest";
import { counts } from "../counts";
import { noise } from "../harness/noise";
import { eras } from "../harness/tool-root";
import { zipOf } from "../harness/zip-builder";
import { opened } from "../harness/zip-core";
import { ZipRoot } from "./zip-root";

let root: ZipRoot;
beforeAll(async () => {
  root = await ZipRoot.signIn({ era: "2026-07-28" });
});

const partBytes = (counts.deep ? 20 : 5) * 1024 * 1024;

describe("a large archive", () => {
  it("of 10 000 entries opens, takes an edit, syncs and closes", { timeout: 300_000 }, async () => {
    const entries = Array.from({ length: 10_000 }, (_, index) => ({
      name: `d${index % 100}/f${index}`,
      data: `${index}`,
    }));
    const { file_count: files } = await root.opened("many", entries);
    expect(files).toBe(10_000);
    await root.ok("zipfs_write", { session: "many", path: "d1/f1", content: "changed" });
    expect(await root.ok("zipfs_sync", { session: "many" })).toMatchObject({ files_modified: 1 });
    const after = await opened(await root.bytes("/in/many.zip"));
    expect(after.files.size).toBe(10_000);
    expect(new TextDecoder().decode(after.files.get("d1/f1"))).toBe("changed");
    await root.ok("zipfs_write", { session: "many", path: "one-more", content: "x" });
    expect((await root.refused("zipfs_sync", { session: "many" })).code).toBe("LIMIT_EXCEEDED");
    expect(await root.ok("zipfs_close", { session: "many" })).toMatchObject({ discarded: { added: 1 } });
  });

  it(`of ${(3 * partBytes) / 1024 / 1024} MiB in large files opens, syncs and keeps every byte`, {
    timeout: 300_000,
  }, async () => {
    const parts = [1, 2, 3].map((seed) => ({
      name: `part${seed}`,
      data: noise(partBytes, seed),
      method: seed === 1 ? 0 : 8,
    }));
    await root.put("/in/big.zip", zipOf(parts));
    await root.ok("zipfs_open", { path: "/in/big.zip", name: "big" });
    await root.ok("zipfs_write", { session: "big", path: "small", content: "x" });
    const { path: workspace } = await root.ok("zipfs_path", { session: "big" });
    await root.put(`${workspace}/part4`, noise(5 * 1024 * 1024, 4));
    await root.ok("zipfs_sync", { session: "big" });
    const { files } = await opened(await root.bytes("/in/big.zip"));
    for (const { name, data } of parts) expect(Buffer.compare(files.get(name) ?? Buffer.alloc(0), data), name).toBe(0);
    expect(Buffer.compare(files.get("part4") ?? Buffer.alloc(0), noise(5 * 1024 * 1024, 4))).toBe(0);
    await root.ok("zipfs_close", { session: "big" });
  });
});

describe.each(eras)("progress in the %s era", (era) => {
  it("of an open and a sync is told to a client that asks, every notice before the answer, and to no other", async () => {
    const asking = await ZipRoot.signIn({ era });
    const entries = Array.from({ length: 120 }, (_, index) => ({ name: `f${index}`, data: noise(5000, index + 1) }));
    await asking.put("/p.zip", zipOf(entries));
    const opening = await noticesOf(asking, "zipfs_open", { path: "/p.zip", name: "p" });
    expect(opening.at(-1)).toEqual({ progressToken: "t", progress: 120, total: 120 });
    expect(opening.length).toBeGreaterThan(20);
    await asking.ok("zipfs_write", { path: "f1", content: "x" });
    const syncing = await noticesOf(asking, "zipfs_sync", {});
    expect(syncing.at(-1)?.progress).toBe((await asking.bytes("/p.zip")).length);
    for (const notices of [opening, syncing]) {
      const steps = notices.map(({ progress }) => progress);
      expect(steps).toEqual([...new Set(steps)].sort((a, b) => a - b));
    }
    await asking.ok("zipfs_write", { path: "f2", content: "y" });
    expect((await asking.call("zipfs_sync", {})).text).not.toContain("notifications/progress");
  });
});

interface Notice {
  readonly progressToken: string;
  readonly progress: number;
  readonly total: number;
}

async function noticesOf(asking: ZipRoot, name: string, args: object): Promise<Notice[]> {
  const { text } = await asking.request("tools/call", { name, arguments: args, _meta: { progressToken: "t" } });
  const messages = [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data]) => JSON.parse(data ?? ""));
  expect(messages.at(-1).result?.isError ?? false).toBe(false);
  return messages.filter(({ method }) => method === "notifications/progress").map(({ params }) => params);
}
