// context.build_cache over MCP: what it makes, what it refuses and in which order, replacement, dry runs, snapshots, progress. Not here: which globs match, concurrency, failing storage.
import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { modernMessage, openSession, postMcp } from "../harness/raw-mcp";
import { ContextRoot, type Era, eras } from "./context-root";

const sha256 = (text: string) => `sha256:${createHash("sha256").update(text).digest("hex")}`;

async function read(root: ContextRoot, path: string): Promise<string> {
  return (await root.files.read(path)).content;
}

async function snapshotOf(root: ContextRoot, path: string): Promise<string> {
  const { body } = await root.files.call("snapshot.create", { paths: [path] });
  return body.result.structuredContent.snapshot_id;
}

describe.each(eras)("context.build_cache in %s", (era) => {
  let root: ContextRoot;
  beforeAll(async () => {
    root = await ContextRoot.signIn({ era });
    await root.put("/docs", { "Guide.md": "Reset the pump\n", "sub/a.md": "pump", "note.txt": "x", "empty.md": "" });
  });

  it("writes the portable layout, byte for byte, and says what inspect will say", async () => {
    const built = await root.ok("build_cache", { cache: "manual", sources: "/docs" });
    const documents = [
      { id: "empty.md", source: "empty.md", content: "" },
      { id: "guide.md", source: "Guide.md", content: "Reset the pump\n" },
      { id: "sub/a.md", source: "sub/a.md", content: "pump" },
    ].map((one) => ({
      ...one,
      version: sha256(one.content),
      file: `documents/${sha256(one.content).slice(7, 19)}.json`,
    }));
    const config = '{"version":"1","hash_algorithm":"sha256"}';
    const cache_version = sha256(config + documents.map(({ id, version }) => `${id}:${version}`).join(""));
    const manifest = await read(root, "/caches/manual/manifest.json");
    const index = await read(root, "/caches/manual/index.json");
    expect(built).toEqual({
      cache: "manual",
      path: "/caches/manual",
      cache_version,
      document_count: 3,
      total_bytes: manifest.length + index.length,
      content_bytes: 19,
      skipped: [],
      unchanged: false,
      dry_run: false,
    });
    expect(Object.keys(built)).toEqual([
      ...["cache", "path", "cache_version", "document_count", "total_bytes"],
      ...["content_bytes", "skipped", "unchanged", "dry_run"],
    ]);
    const { created_at } = JSON.parse(manifest);
    expect(created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const expected = {
      cache_version,
      build_config: JSON.parse(config),
      created_at,
      document_count: 3,
      documents: documents.map(({ id, version, file }) => ({ id, version, file })),
    };
    expect(manifest).toBe(JSON.stringify(expected, null, 2));
    expect(index).toBe(JSON.stringify(Object.fromEntries(documents.map(({ id, file }) => [id, file])), null, 2));
    for (const { id, version, source, content, file } of documents) {
      const text = JSON.stringify({ id, version, source, content, metadata: {} });
      expect(await read(root, `/caches/manual/${file}`)).toBe(text);
    }
    const { cache_version: version, document_count, total_bytes } = built;
    expect(await root.ok("inspect_cache", { cache: "manual" })).toEqual({
      cache_version: version,
      document_count,
      total_bytes,
      valid: true,
    });
    const verified = await root.ok("verify_cache", { cache: "manual" });
    expect(verified).toMatchObject({ cache: "manual", valid: true, problems: [], problems_truncated: false });
    const resolved = await root.ok("resolve", { cache: "manual", query: "reset pump", budget: 4 });
    expect(resolved.documents.map(({ id }: { id: string }) => id)).toEqual(["sub/a.md", "empty.md"]);
  });

  it("unchanged: writes nothing for the same sources, with force or without, and keeps created_at", async () => {
    await root.ok("build_cache", { cache: "same", sources: "/docs" });
    const before = await root.files.read("/caches/same/manifest.json");
    for (const more of [{}, { force: true }, { dry_run: true }]) {
      const again = await root.ok("build_cache", { cache: "same", sources: "/docs", ...more });
      expect(again).toMatchObject({ unchanged: true, dry_run: "dry_run" in more });
      expect(again.total_bytes).toBe((await root.ok("inspect_cache", { cache: "same" })).total_bytes);
    }
    expect(await root.files.read("/caches/same/manifest.json")).toEqual(before);
  });

  it("cache_exists: other content needs force, and so does a cache of the same version that is damaged", async () => {
    const { cache_version } = await root.ok("build_cache", { cache: "kept", sources: "/docs" });
    const other = { cache: "kept", sources: "/docs/sub" };
    expect(await root.refused("build_cache", other)).toEqual({
      code: "io_error",
      message: "I/O error occurred",
      details: {
        reason: "cache_exists",
        message: expect.stringContaining("force: true"),
        cache: "kept",
        cache_version,
      },
    });
    expect((await root.refused("build_cache", { ...other, dry_run: true })).details?.reason).toBe("cache_exists");
    await root.put("/caches/kept/documents", { "orphan.json": "{}" });
    const damaged = await root.refused("build_cache", { cache: "kept", sources: "/docs" });
    expect(damaged.details).toMatchObject({ reason: "cache_exists", cache_version });
    expect((await root.ok("build_cache", { cache: "kept", sources: "/docs", force: true })).unchanged).toBe(false);
    expect((await root.ok("verify_cache", { cache: "kept" })).valid).toBe(true);
  });

  it("force replaces everything at the target: files, directories, whatever stands in the way", async () => {
    await root.put("/caches/junk", {
      "note.txt": "n",
      "manifest.json/inner.txt": "a directory where a file must be",
      documents: "a file where a directory must be",
      "old/deep/x": "x",
      "void/": "",
    });
    const refused = await root.refused("build_cache", { cache: "junk", sources: "/docs" });
    expect(refused.details).toMatchObject({ reason: "cache_exists", cache_version: "" });
    await root.ok("build_cache", { cache: "junk", sources: "/docs", force: true });
    const { entries } = await root.files.ok("file.list", { path: "/caches/junk" });
    expect(entries.map(({ name }) => name)).toEqual(["documents", "index.json", "manifest.json"]);
    expect((await root.ok("verify_cache", { cache: "junk" })).valid).toBe(true);
    await root.put("/caches/junk/documents/sub", { "x.json": "{}" });
    await root.ok("build_cache", { cache: "junk", sources: "/docs/sub", force: true });
    expect((await root.files.ok("file.list", { path: "/caches/junk/documents" })).total).toBe(1);
    expect((await root.ok("verify_cache", { cache: "junk" })).valid).toBe(true);
  });

  it("cache_exists: a file in place of the cache is not replaced, even by force", async () => {
    await root.put("/caches", { taken: "a file" });
    const { details } = await root.refused("build_cache", { cache: "taken", sources: "/docs", force: true });
    expect(details).toMatchObject({ reason: "cache_exists", cache: "taken", cache_version: "" });
    expect(await read(root, "/caches/taken")).toBe("a file");
  });

  it("dry_run says the same and writes nothing", async () => {
    const dry = await root.ok("build_cache", { cache: "dry", sources: "/docs", dry_run: true });
    expect((await root.ok("list_caches", {})).caches.map(({ path }: { path: string }) => path)).not.toContain("dry");
    const built = await root.ok("build_cache", { cache: "dry", sources: "/docs" });
    expect(dry).toEqual({ ...built, dry_run: true });
  });

  it("source_missing, source_not_directory: with the path", async () => {
    expect((await root.refused("build_cache", { cache: "x", sources: "/nowhere" })).details).toMatchObject({
      reason: "source_missing",
      path: "/nowhere",
    });
    const file = await root.refused("build_cache", { cache: "x", sources: "/docs/Guide.md" });
    expect([file.code, file.details?.reason, file.details?.path]).toEqual([
      "io_error",
      "source_not_directory",
      "/docs/Guide.md",
    ]);
  });

  it("checks arguments, source, sizes, UTF-8, ids, contents and target in this order", async () => {
    const own = await ContextRoot.signIn({ era });
    const files = {
      "bad.md": new Uint8Array([0xff, 0xfe]),
      "A.md": "one",
      "a.md": "two",
      "b.md": "same",
      "c.md": "same",
    };
    await own.put("/s", files);
    await own.put("/caches/t", { "manifest.json": "{}" });
    await own.files.create("/s/nul.md", new Uint8Array([0x61, 0x00, 0x62]));
    const reason = async (args: object) =>
      (await own.refused("build_cache", { cache: "t", sources: "/s", ...args })).details?.reason;
    expect(await reason({ sources: "/none", include: [] })).toBe("invalid_argument");
    expect(await reason({ sources: "/none" })).toBe("source_missing");
    expect(await reason({})).toBe("invalid_utf8");
    expect(await reason({ on_invalid_utf8: "skip" })).toBe("duplicate_id");
    expect(await reason({ on_invalid_utf8: "skip", exclude: ["A.md"] })).toBe("duplicate_content");
    const skips = { on_invalid_utf8: "skip", on_duplicate_content: "skip", exclude: ["A.md"] };
    expect(await reason(skips)).toBe("cache_exists");
    const built = await own.ok("build_cache", { cache: "t", sources: "/s", ...skips, force: true });
    expect(built).toMatchObject({
      document_count: 3,
      skipped: [
        { path: "/s/bad.md", reason: "invalid_utf8" },
        { path: "/s/c.md", reason: "duplicate_content" },
      ],
    });
    // Valid UTF-8, though no text; it comes back as it was.
    const { documents } = await own.ok("resolve", { cache: "t", query: "a\u0000b", budget: 100 });
    expect(documents[0]).toMatchObject({ id: "nul.md", content: "a\u0000b", score: 1 });
  });

  it("too_large: a document that JSON would blow up to more than a cache may hold", async () => {
    const own = await ContextRoot.signIn({ era });
    await own.files.create("/s/control.md", new Uint8Array(5_000_000).fill(1));
    const { details } = await own.refused("build_cache", { cache: "t", sources: "/s" });
    expect(details).toMatchObject({ reason: "too_large", limit: 24 * 1024 * 1024, path: "/s/control.md" });
    expect(await own.ok("list_caches", {})).toEqual({ caches: [] });
  });

  it("a snapshot gives the same version for ever, names itself as provenance, and knows only what it captured", async () => {
    const own = await ContextRoot.signIn({ era });
    await own.put("/docs", { "a.md": "first", "b.md": "second" });
    const snapshot_id = await snapshotOf(own, "docs");
    const build = { cache: "snap", sources: "/docs", snapshot_id };
    const { value: built, meta } = await own.call("build_cache", build);
    expect(meta).toMatchObject({ "holdfast/provenance": { snapshot_id } });
    const live = await own.call("build_cache", { cache: "live", sources: "/docs" });
    expect(live.value.cache_version).toBe(built.cache_version);
    expect(live.meta ?? {}).not.toHaveProperty("holdfast/provenance");

    const { hash } = await own.files.read("/docs/a.md");
    await own.files.ok("text.append", { path: "/docs/a.md", hash, content: " changed" });
    await own.put("/docs", { "c.md": "third" });
    expect((await own.ok("build_cache", { ...build, cache: "later" })).cache_version).toBe(built.cache_version);
    expect((await own.ok("build_cache", build)).unchanged).toBe(true);
    const after = await own.ok("build_cache", { cache: "live", sources: "/docs", force: true });
    expect(after.cache_version).not.toBe(built.cache_version);
    expect(after.document_count).toBe(3);

    const reason = async (args: object) =>
      (await own.refused("build_cache", { cache: "z", snapshot_id, ...args })).details?.reason;
    expect(await reason({ sources: "/docs/c" })).toBe("source_missing");
    expect(await reason({ sources: "/docs/a.md" })).toBe("source_not_directory");
    expect(await reason({ snapshot_id: `sha256:${"0".repeat(64)}` })).toBe("source_missing");
    expect(await reason({ snapshot_id: "latest" })).toBe("invalid_argument");
    expect((await own.ok("build_cache", { cache: "all", snapshot_id })).document_count).toBe(2);
  });

  it("keeps the history of the files it replaces, so that a stale hash is told what changed", async () => {
    const own = await ContextRoot.signIn({ era });
    await own.put("/docs", { "a.md": "first" });
    await own.ok("build_cache", { cache: "h", sources: "/docs" });
    const path = "/caches/h/index.json";
    const { hash } = await own.files.read(path);
    await own.put("/docs", { "b.md": "second" });
    await own.ok("build_cache", { cache: "h", sources: "/docs", force: true });
    const refused = await own.files.refused("text.append", { path, hash, content: "x" });
    expect(refused.code).toBe("HASH_MISMATCH");
    expect(refused.details).toHaveProperty("diff");
  });

  it("a cache uploaded file by file resolves as the one it was taken from", async () => {
    const own = await ContextRoot.signIn({ era });
    await root.ok("build_cache", { cache: "origin", sources: "/docs" });
    const { entries } = await root.files.ok("file.list", { path: "/caches/origin/documents" });
    for (const file of ["manifest.json", "index.json", ...entries.map(({ name }) => `documents/${name}`)]) {
      await own.put("/caches/copy", { [file]: await read(root, `/caches/origin/${file}`) });
    }
    const ask = { query: "pump the reset", budget: 100 };
    const copy = await own.text("resolve", { cache: "copy", ...ask });
    expect(copy).toBe(await root.text("resolve", { cache: "origin", ...ask }));
    expect((await own.ok("verify_cache", { cache: "copy" })).valid).toBe(true);
  });

  it("reports progress of a large build to a client that asks for it, and to no other", async () => {
    const own = await ContextRoot.signIn({ era });
    const hands = Array.from({ length: 10 }, (_, hand) => hand);
    await Promise.all(
      hands.map(async (hand) => {
        for (let n = hand; n < 250; n += hands.length) await own.files.create(`/many/${n}.md`, `document ${n}`);
      }),
    );
    const answer = await withProgress(own, era, { cache: "many", sources: "/many" });
    const messages = [...answer.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? ""));
    const progress = messages.filter(({ method }) => method === "notifications/progress").map(({ params }) => params);
    expect(progress.map((one) => [one.progressToken, one.progress, one.total])).toEqual([
      ["t", 100, 250],
      ["t", 200, 250],
      ["t", 250, 250],
    ]);
    expect(messages.at(-1).result.structuredContent.document_count).toBe(250);
    const silent = await own.raw("build_cache", { cache: "quiet", sources: "/many" });
    expect(silent.text).not.toContain("notifications/progress");
  });
});

/** The bare text of the reply. */
async function withProgress({ files: { url, token } }: ContextRoot, era: Era, args: object): Promise<string> {
  const call = { name: "context.build_cache", arguments: args };
  const wish = { progressToken: "t" };
  if (era === "2025-11-25") {
    return (await (await openSession(url, token)).request("tools/call", { ...call, _meta: wish })).text;
  }
  const { message, headers } = modernMessage(token, "tools/call", call);
  const params = message.params as { _meta: object };
  const told = { ...message, params: { ...params, _meta: { ...params._meta, ...wish } } };
  return (await postMcp(`${url}/mcp`, told, headers)).text;
}
