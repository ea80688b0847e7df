// Uploaded bytes are files like all others: text tools, subscriptions, history, snapshots and leases see them, and the other way round.
import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { Watcher } from "../subscriptions/watcher";
import { binary, FilesRoot, ifMatch, mib, sha256 } from "./files-root";

let root: FilesRoot;
beforeEach(async () => {
  root = await FilesRoot.signIn({ era: "2026-07-28" });
});

/** A tool of another family; gives its structured answer. */
async function call(tool: string, args: object) {
  return (await root.call(tool, args)).body.result.structuredContent;
}

describe("the text tools", () => {
  it("MCP-012 MCP-015 read and edit an uploaded text, and the edit is what GET gives", async () => {
    for (const lines of [3, 200_000]) {
      const text = "größe 😀\n".repeat(lines);
      const path = `/text-${lines}`;
      const hash = await root.store(path, text);
      const read = await root.ok("text.read", { path, lines: [-2, 0] });
      expect(read).toEqual({ content: "größe 😀\n".repeat(2), hash, total_lines: lines });
      const edited = await root.ok("text.append", { path, hash, content: "end\n" });
      expect(edited).toEqual({ hash: sha256(`${text}end\n`), total_lines: lines + 1 });
      const answer = await root.get(path);
      expect([answer.headers.get("etag"), answer.bytes.toString() === `${text}end\n`]).toEqual([
        `"${edited.hash}"`,
        true,
      ]);
    }
  });

  it("MCP-004 call uploaded bytes that are no text NOT_TEXT, small and large", async () => {
    for (const size of [100, 2 * mib]) {
      const path = `/binary-${size}`;
      await root.store(path, binary(size));
      expect((await root.refused("text.read", { path })).code).toBe("NOT_TEXT");
    }
    const late = Buffer.concat([Buffer.alloc(mib, "a"), Buffer.from([0xff]), Buffer.alloc(mib, "a")]);
    await root.store("/late", late);
    expect((await root.refused("text.read", { path: "/late" })).details?.offset).toBe(mib);
  });

  it("MCP-052 point to /files for what is too large for them, and that works", async () => {
    const text = "x".repeat(9 * mib);
    const hash = await root.store("/large.txt", text);
    const refused = await root.refused("text.read", { path: "/large.txt" });
    expect([refused.code, refused.message]).toEqual(["TOO_LARGE", expect.stringContaining("GET /files/large.txt")]);
    expect((await root.get("/large.txt")).headers.get("etag")).toBe(`"${hash}"`);
  });

  it("MCP-011 remove it, and create what PUT then must not overwrite", async () => {
    const hash = await root.store("/a", binary(10));
    await root.ok("file.remove", { path: "/a", hash });
    expect((await root.get("/a")).status).toBe(404);
    await root.ok("file.create", { path: "/a", content: "created\n" });
    expect((await root.put("/a", "x")).status).toBe(428);
    expect((await root.put("/a", "x", ifMatch(sha256("created\n")))).status).toBe(200);
  });

  it("MCP-034 know the versions that uploads replaced: a stale edit gets the diff", async () => {
    const first = await root.store("/a.md", "one\n");
    expect((await root.put("/a.md", "one\ntwo\n", ifMatch(first))).status).toBe(200);
    const refused = await root.refused("text.append", { path: "/a.md", hash: first, content: "three\n" });
    expect(refused.code).toBe("HASH_MISMATCH");
    expect(refused.details).toMatchObject({
      current_hash: sha256("one\ntwo\n"),
      diff: expect.stringContaining("+two"),
    });
  });
});

describe("watchers", () => {
  it("MCP-020 hear of uploads: of a new file with its directories, of a new version, of no change", async () => {
    const filter = { resourcesListChanged: true, resourceSubscriptions: ["list://", "list://up"] };
    const watcher = await Watcher.listen(root.url, root.token, filter);
    try {
      const hash = await root.store("/up/a", "one");
      expect((await watcher.words(3)).sort()).toEqual(["list_changed", "updated list://", "updated list://up"]);
      expect((await root.put("/up/a", binary(2 * mib), ifMatch(hash))).status).toBe(200);
      expect(await watcher.words(1)).toEqual(["updated list://up"]);
      // Neither what is refused nor what changes nothing is told.
      expect((await root.put("/up/a", "x")).status).toBe(428);
      await root.store("/up/b", "two");
      expect((await watcher.words(2)).sort()).toEqual(["list_changed", "updated list://up"]);
      expect(watcher.untaken()).toEqual([]);
    } finally {
      watcher.close();
    }
  });
});

describe("snapshots and leases", () => {
  it("a snapshot keeps the bytes that were uploaded when a later upload replaces them", async () => {
    const hash = await root.store("/a.bin", "first\n");
    const { snapshot_id: snapshotId } = await call("snapshot.create", { repo_root: ".", paths: ["."] });
    expect(snapshotId).toBeTypeOf("string");
    expect((await root.put("/a.bin", "second\n", ifMatch(hash))).status).toBe(200);
    const file = await call("snapshot.file", {
      repo_root: ".",
      path: "a.bin",
      mode: "snapshot",
      snapshot_id: snapshotId,
    });
    expect(JSON.stringify(file)).toContain("first");
  });
});

describe("usage", () => {
  it("counts uploaded bytes, and root.info tells the limit of one file", async () => {
    const hash = await root.store("/a", binary(3000));
    await root.store(`/${randomUUID()}`, binary(2 * mib));
    const info = await call("root.info", {});
    expect(info.used).toEqual({ files: 2, bytes: 3000 + 2 * mib });
    expect(info.limits.upload_bytes).toBe(100 * mib);
    expect((await root.put("/a", binary(1000), ifMatch(hash))).status).toBe(200);
    expect((await call("root.info", {})).used).toEqual({ files: 2, bytes: 1000 + 2 * mib });
  });
});
