/**
 * The derived word index in the user's object: the same bytes with it and without, what it is keyed by, what it saves, its bounds; and what
 * storage that fails does to answers. Not here: how it is packed (src/domain/context), the tools.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { RootPath } from "../../src/domain/path";
import vectorsJson from "../vectors/context.json";
import { clock } from "./clock";
import { cacheFiles, plan, resolve, writeCache } from "./context-root";
import { interfering } from "./interference";
import { caller, freshFaultyRoot, freshRoot, okValue, type TestRoot } from "./root";

beforeAll(() => {
  clock.reset();
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterAll(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

interface VectorCache {
  readonly manifest_text: string;
  readonly index_text: string;
  readonly document_files: Readonly<Record<string, string>>;
}
const caches = vectorsJson.caches as unknown as Record<string, VectorCache>;

function vectorFiles(name: string): Record<string, string> {
  const cache = caches[name];
  if (cache === undefined) throw new Error(`no cache ${name}`);
  return { "manifest.json": cache.manifest_text, "index.json": cache.index_text, ...cache.document_files };
}

async function indexes(root: TestRoot): Promise<string[]> {
  const rows = await root.sql<{ path: string }>("SELECT path FROM context_indexes ORDER BY path");
  return rows.map(({ path }) => path);
}

async function dropIndexes(root: TestRoot): Promise<void> {
  await root.sql("DELETE FROM context_indexes");
  await root.sql("DELETE FROM context_index_parts");
}

const documents = [
  { id: "a.md", content: "river one river" },
  { id: "b.md", content: "river two" },
  { id: "c.md", content: "lake" },
];

describe("the same bytes", () => {
  it("seed 004 deterministic: every vector without an index, with it, after eviction, and with its rows dropped", {
    timeout: 300_000,
  }, async () => {
    const root = freshRoot();
    for (const name of Object.keys(caches)) await writeCache(root, name, vectorFiles(name));
    const expectAll = async () => {
      for (const { set, query, budget, expect_text } of vectorsJson.resolve) {
        expect(await resolve(root, set, query, budget), `${set} ${query}`).toBe(expect_text);
      }
    };
    // The first call of each cache makes its index, the others use it.
    await expectAll();
    expect(await indexes(root)).toHaveLength(new Set(vectorsJson.resolve.map(({ set }) => set)).size);
    await root.evict();
    await expectAll();
    // Under a warm object, whose documents are still in memory.
    await dropIndexes(root);
    await expectAll();
    await dropIndexes(root);
    await root.evict();
    await expectAll();
    await root.expectSound();
  });

  it("when only parts of the index are left: what is gone is read from the documents again", async () => {
    const root = freshRoot();
    await writeCache(root, "x", cacheFiles(documents));
    const asked = ["river", ""].map((query) => [query, 4] as const);
    const before = await Promise.all(asked.map(([query, budget]) => resolve(root, "x", query, budget)));
    expect(before.map((text) => JSON.parse(text).selection.documents_considered)).toEqual([3, 3]);
    for (const gone of ["segment = -1", "segment >= 0", "true"]) {
      for (const [index, [query, budget]] of asked.entries()) {
        expect(await indexes(root)).toHaveLength(1);
        await root.sql(`DELETE FROM context_index_parts WHERE ${gone}`);
        await root.evict();
        expect(await resolve(root, "x", query, budget), `${query} ${gone}`).toBe(before[index]);
      }
    }
  });

  it("seed 004 the same call 20 times", async () => {
    const root = freshRoot();
    await writeCache(root, "x", cacheFiles(documents));
    const answers = new Set<string>();
    for (let time = 0; time < 20; time++) answers.add(await resolve(root, "x", "river", 6));
    expect(answers.size).toBe(1);
  });
});

describe("the key", () => {
  it("seed 004 cache_invalid: a document that is changed, deleted or replaced misses the index", async () => {
    const root = freshRoot();
    await writeCache(root, "x", cacheFiles(documents));
    const before = await resolve(root, "x", "river", 100);
    const [victim] = Object.keys(cacheFiles(documents)).filter((path) => path.startsWith("documents/"));
    const path = `/caches/x/${victim}`;
    const text = cacheFiles(documents)[victim ?? ""] ?? "";
    const read = okValue(await root.read(path));
    const changed = okValue(await root.append(path, read.hash, " "));
    // Blanks after the JSON change the bytes, not the document.
    expect(await resolve(root, "x", "river", 100)).toBe(before);
    const spoiled = okValue(await root.rewrite(path, changed.hash, text.replace("river", "fiver")));
    expect(await resolve(root, "x", "river", 100)).toBe("cache_invalid");
    expect(await plan(root, "x", "river", 100)).toBe("cache_invalid");
    okValue(await root.remove(path, spoiled.hash));
    expect(await resolve(root, "x", "river", 100)).toBe("cache_invalid");
    okValue(await root.create(path, text));
    expect(await resolve(root, "x", "river", 100)).toBe(before);
    await root.evict();
    expect(await resolve(root, "x", "river", 100)).toBe(before);
  });

  it("holds the manifest: other documents of the same files are another index", async () => {
    const root = freshRoot();
    await writeCache(root, "x", cacheFiles(documents));
    await resolve(root, "x", "river", 100);
    const { hash } = okValue(await root.read("/caches/x/manifest.json"));
    const fewer = cacheFiles(documents.slice(1))["manifest.json"] ?? "";
    okValue(await root.rewrite("/caches/x/manifest.json", hash, fewer));
    const answer = JSON.parse(await resolve(root, "x", "river", 100));
    expect(answer.documents.map(({ id }: { id: string }) => id)).toEqual(["b.md", "c.md"]);
  });

  it("is never made of an invalid cache", async () => {
    const root = freshRoot();
    const files = { ...cacheFiles(documents) };
    for (const path of Object.keys(files)) if (path.startsWith("documents/")) files[path] = "{}";
    await writeCache(root, "x", files);
    expect(await resolve(root, "x", "river", 100)).toBe("cache_invalid");
    expect(await indexes(root)).toEqual([]);
  });
});

describe("what it saves", () => {
  it("with an index, only the documents that are returned are read", async () => {
    const root = freshRoot();
    await writeCache(root, "x", cacheFiles(documents));
    const answer = await resolve(root, "x", "lake", 1);
    const planned = await plan(root, "x", "lake", 1);
    expect(JSON.parse(answer).documents).toHaveLength(1);
    // Whoever reads another one now, or the manifest, fails.
    const others = `SELECT id FROM blobs JOIN contents USING (id) JOIN nodes ON blob = hash
       WHERE path LIKE '/caches/x/%' AND instr(CAST(bytes AS TEXT), '"content":"lake"') = 0`;
    await root.sql(`UPDATE blobs SET r2_key = 'nowhere' WHERE id IN (${others})`);
    await root.sql(`DELETE FROM contents WHERE id IN (${others})`);
    await root.evict();
    expect(await resolve(root, "x", "lake", 1)).toBe(answer);
    expect(await plan(root, "x", "lake", 1)).toBe(planned);
    await dropIndexes(root);
    await root.evict();
    expect(await resolve(root, "x", "lake", 1)).toBe("io_error");
  });
});

describe("the user's tree", () => {
  it("is as it was after every tool that reads: no file, no directory, no time of either has changed", async () => {
    const root = freshRoot();
    await writeCache(root, "x", cacheFiles(documents));
    const nodes = () => root.sql("SELECT * FROM nodes ORDER BY path");
    const before = await nodes();
    expect(before.length).toBeGreaterThan(documents.length);
    clock.advance(60_000);
    for (let time = 0; time < 2; time++) {
      await resolve(root, "x", "river", 100);
      await plan(root, "x", "river", 100);
      await root.methods.inspectCache(caller, "/caches/x" as RootPath);
      await root.methods.verifyCache(caller, "/caches/x" as RootPath);
      await root.methods.listCaches(caller);
    }
    expect(await nodes()).toEqual(before);
  });
});

describe("its bounds", () => {
  it("there is one index per cache, and those unused for longest make room", async () => {
    const root = freshRoot();
    for (const name of ["a", "b", "c"]) {
      await writeCache(root, name, cacheFiles(documents));
      await resolve(root, name, "river", 100);
      clock.advance(1000);
    }
    expect(await indexes(root)).toEqual(["/caches/a", "/caches/b", "/caches/c"]);
    await root.sql("UPDATE context_indexes SET bytes = 30 * 1024 * 1024");
    // A day later a use counts as one.
    clock.advance(25 * 60 * 60 * 1000);
    await root.evict();
    await resolve(root, "a", "river", 100);
    await writeCache(root, "d", cacheFiles(documents));
    await resolve(root, "d", "river", 100);
    // b gave way: it was used before c, and a again after that.
    expect(await indexes(root)).toEqual(["/caches/a", "/caches/c", "/caches/d"]);
    const parts = await root.sql<{ path: string }>("SELECT DISTINCT path FROM context_index_parts ORDER BY path");
    expect(parts.map(({ path }) => path)).toEqual(await indexes(root));
  });
});

describe("storage that fails", () => {
  it("seed 004 io_error: reading nodes, manifest or documents; afterwards all is as before", async () => {
    const root = freshFaultyRoot();
    await writeCache(root, "x", cacheFiles(documents));
    const answer = await resolve(root, "x", "river", 100);
    await dropIndexes(root);
    await root.evict();
    const outcomes = new Set<string>();
    for (let failing = 0; failing < 60; failing++) {
      await dropIndexes(root);
      let reached = false;
      const outcome = await interfering(
        root.id,
        ({ index, name, moment }) => {
          if (index !== failing || moment !== "before") return;
          reached = true;
          throw new Error(`${name} fails`);
        },
        () => resolve(root, "x", "river", 100).catch((error: unknown) => `thrown: ${error}`),
      );
      // The admission comes before the operation and is not its own.
      outcomes.add(outcome.startsWith("thrown") ? "thrown" : outcome === answer ? "answer" : outcome);
      if (!reached) break;
    }
    expect([...outcomes].sort()).toEqual(["answer", "io_error"]);
    expect(await resolve(root, "x", "river", 100)).toBe(answer);
    await root.expectSound();
  });
});
