// Size: ten thousand entries, files that do not fit into memory at once, progress while it goes on.
import { beforeAll, describe, expect, it } from "vitest";
import { noise } from "../harness/noise";
import { zipOf } from "../harness/zip-builder";
import { opened } from "../harness/zip-core";
import { ZipRoot } from "./zip-root";

let root: ZipRoot;
beforeAll(async () => {
  root = await ZipRoot.signIn({ era: "2026-07-28" });
});

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

  it("of 60 MiB in large files opens, syncs and keeps every byte; progress is told when asked for", {
    timeout: 300_000,
  }, async () => {
    const parts = [1, 2, 3].map((seed) => ({
      name: `part${seed}`,
      data: noise(20 * 1024 * 1024, seed),
      method: seed === 1 ? 0 : 8,
    }));
    await root.put("/in/big.zip", zipOf(parts));
    const answer = await root.request("tools/call", {
      name: "zipfs_open",
      arguments: { path: "/in/big.zip", name: "big" },
      _meta: { progressToken: "p1" },
    });
    expect(answer.body.result.isError, answer.text.slice(-500)).not.toBe(true);
    expect(answer.text).toContain('"notifications/progress"');
    expect(answer.text).toContain('"progressToken":"p1"');
    await root.ok("zipfs_write", { session: "big", path: "small", content: "x" });
    const { workspace_path: workspace } = answer.body.result.structuredContent;
    await root.put(`${workspace}/part4`, noise(5 * 1024 * 1024, 4));
    await root.ok("zipfs_sync", { session: "big" });
    const { files } = await opened(await root.bytes("/in/big.zip"));
    for (const { name, data } of parts) expect(Buffer.compare(files.get(name) ?? Buffer.alloc(0), data), name).toBe(0);
    expect(Buffer.compare(files.get("part4") ?? Buffer.alloc(0), noise(5 * 1024 * 1024, 4))).toBe(0);
    await root.ok("zipfs_close", { session: "big" });
  });
});
