/**
 * Building caches in the user's object: all or nothing whatever fails, one moment of sources and cache under concurrent writes, quotas, leftovers,
 * and a cache of 5 000 documents. Not here: what is built and refused (test/context).
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { blobGraceMs, filesMax, rootBytesMax } from "../../src/domain/limits";
import { counts } from "../counts";
import { clock, minuteMs } from "./clock";
import { build, cacheFiles, isValid, plan, resolve, writeCache } from "./context-root";
import { callsOf, everyFault, withFault } from "./faults/failing";
import { interfering } from "./interference";
import { freshFaultyRoot, freshRoot, okValue, type TestRoot } from "./root";
import { stateOf } from "./state";

beforeAll(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});
beforeEach(() => {
  clock.reset();
});
afterAll(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Over 1 MiB: read from R2, so that others get their turn meanwhile. */
const large = `lighthouse ${"wave ".repeat(300_000)}`;

async function put(root: TestRoot, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) okValue(await root.create(path, content));
}

async function tree(root: TestRoot): Promise<unknown> {
  const { nodes, usage, versions } = await stateOf(root);
  return { nodes, usage, versions };
}

/** Does the work, and in the middle of it, while it waits for R2, something else; all inside the object. */
async function overtaken<T>(
  root: TestRoot,
  work: (inside: TestRoot) => Promise<T>,
  meanwhile: (inside: TestRoot) => Promise<void>,
): Promise<T> {
  let isOvertaken = false;
  const outcome = await root.attempt((inside) =>
    interfering(
      root.id,
      async ({ name, moment }) => {
        if (name !== "R2 get" || moment !== "before" || isOvertaken) return;
        isOvertaken = true;
        await meanwhile(inside);
      },
      () => work(inside),
    ),
  );
  if (outcome instanceof Error) throw outcome;
  expect(isOvertaken).toBe(true);
  return outcome;
}

describe("a storage call that fails during a build", () => {
  it("leaves the old cache or the new one, whole, and a retry succeeds", { timeout: 600_000 }, async () => {
    const prepared = async () => {
      clock.reset();
      const root = freshFaultyRoot();
      await put(root, { "/docs/a.md": "one", "/docs/b.md": "two" });
      await build(root, { cache: "x", sources: "/docs" });
      await put(root, { "/docs/c.md": "three", "/caches/x/junk/deep": "j" });
      await root.evict();
      await root.usage();
      return root;
    };
    const operation = (root: TestRoot) => build(root, { cache: "x", sources: "/docs", force: true });
    const whole = await prepared();
    const names = await callsOf(whole, operation);
    const after = await tree(whole);
    expect(await isValid(whole, "x")).toBe(true);
    const faults = [...everyFault(names)];
    // Every call in a deep run, otherwise some; the commits always.
    const tried = faults.filter(({ name }, at) => counts.deep || at % 9 === 0 || name === "transaction");
    for (const fault of tried) {
      const told = `${fault.moment} call ${fault.index} of ${names.length}, ${fault.name}`;
      const root = await prepared();
      const before = await tree(root);
      const outcome = await withFault(root, fault, operation);
      await root.evict();
      const now = await tree(root);
      const isAfter = JSON.stringify(now) === JSON.stringify(after);
      expect(isAfter || JSON.stringify(now) === JSON.stringify(before), told).toBe(true);
      if (!(outcome instanceof Error) && outcome.built !== undefined) expect(isAfter, told).toBe(true);
      if (!(outcome instanceof Error) && outcome.built === undefined) {
        expect(outcome, told).toEqual({ code: "io_error", reason: "storage_failed" });
      }
      await root.expectSound();
      expect((await operation(root)).built, told).toBeDefined();
      expect(await tree(root), told).toEqual(after);
    }
    console.info(`${tried.length} of ${faults.length} faults of ${names.length} storage calls`);
  });

  it("leaves contents that nothing names, and these are collected", async () => {
    const root = freshFaultyRoot();
    await put(root, { "/docs/a.md": "one", "/docs/big.md": large });
    const refused = await root.attempt((inside) =>
      interfering(
        root.id,
        ({ name, moment }) => {
          if (name.startsWith("exec INSERT INTO nodes") && moment === "before") throw new Error("injected");
        },
        () => build(inside, { cache: "x", sources: "/docs" }),
      ),
    );
    expect(refused).toEqual({ code: "io_error", reason: "storage_failed" });
    const unnamed = "SELECT count(*) AS n FROM blobs WHERE condemned_at_ms IS NOT NULL";
    expect(await root.sql(unnamed)).toEqual([{ n: 4 }]);
    clock.advance(blobGraceMs + minuteMs);
    await root.ring();
    clock.advance(minuteMs);
    await root.ring();
    expect(await root.sql("SELECT count(*) AS n FROM blobs")).toEqual([{ n: 2 }]);
    await root.expectSound();
  });
});

describe("one moment", () => {
  it("a resolve that a build overtakes answers from the old cache, whole", async () => {
    const root = freshFaultyRoot();
    await put(root, { "/docs/a.md": "old lighthouse", "/docs/z.md": large });
    await build(root, { cache: "x", sources: "/docs" });
    const old = await resolve(root, "x", "lighthouse", 10);
    await root.sql("DELETE FROM context_indexes");
    await root.evict();
    const { hash } = okValue(await root.read("/docs/a.md"));
    okValue(await root.rewrite("/docs/a.md", hash, "new lighthouse"));
    const answer = await overtaken(
      root,
      (inside) => resolve(inside, "x", "lighthouse", 10),
      async (inside) => {
        const { built } = await build(inside, { cache: "x", sources: "/docs", force: true });
        expect(built?.unchanged).toBe(false);
      },
    );
    expect(answer).toBe(old);
    expect(await resolve(root, "x", "lighthouse", 10)).toContain("new lighthouse");
    await root.expectSound();
  });

  it("a build sees its sources as they were when it began", async () => {
    const root = freshFaultyRoot();
    await put(root, { "/docs/a.md": "first", "/docs/z.md": large });
    await overtaken(
      root,
      (inside) => build(inside, { cache: "x", sources: "/docs" }),
      async (inside) => {
        const { hash } = okValue(await inside.read("/docs/a.md"));
        okValue(await inside.remove("/docs/a.md", hash));
        okValue(await inside.create("/docs/b.md", "second"));
      },
    );
    const { documents } = JSON.parse(await plan(root, "x", "", 10_000_000));
    expect(documents.map(({ id }: { id: string }) => id)).toEqual(["a.md", "z.md"]);
    expect(await isValid(root, "x")).toBe(true);
  });

  it.each([
    ["a cache that comes to be", async () => {}, "/caches/x/manifest.json", 1],
    [
      "a cache that is written to",
      (root: TestRoot) => writeCache(root, "x", cacheFiles([{ id: "old.md", content: "old" }])),
      "/caches/x/note",
      4,
    ],
  ])("cache_changed: %s meanwhile is left as it is", async (_, prepare, path, files) => {
    const root = freshFaultyRoot();
    await put(root, { "/docs/z.md": large });
    await prepare(root);
    const refused = await overtaken(
      root,
      (inside) => build(inside, { cache: "x", sources: "/docs", force: true }),
      async (inside) => void okValue(await inside.create(path, "of another")),
    );
    expect(refused).toEqual({ code: "io_error", reason: "cache_changed" });
    expect(okValue(await root.read(path)).totalLines).toBe(1);
    expect(await root.list("/caches/x")).toMatchObject({ total: files });
    await root.expectSound();
  });

  it("of two builds of one cache at the same time, each answer is true when it comes", async () => {
    const root = freshRoot();
    await put(root, { "/one/a.md": large, "/two/a.md": `${large} two` });
    const outcomes = await Promise.all([
      build(root, { cache: "x", sources: "/one", force: true }),
      build(root, { cache: "x", sources: "/two", force: true }),
    ]);
    const reasons = outcomes.map(({ reason = "built" }) => reason).sort();
    expect([
      ["built", "built"],
      ["built", "cache_changed"],
    ]).toContainEqual(reasons);
    expect(await isValid(root, "x")).toBe(true);
    await root.expectSound();
  });
});

describe("quotas", () => {
  it.each([
    ["files", filesMax - 3],
    ["bytes", rootBytesMax - 100],
  ])(
    "too_large: a build that would break the one of %s changes nothing, nor does a dry run pass",
    async (what, used) => {
      const root = freshRoot();
      await put(root, { "/docs/a.md": "one", "/docs/b.md": "two" });
      await root.sql(`UPDATE usage SET ${what} = ?`, used);
      const before = await tree(root);
      for (const dry_run of [true, false]) {
        expect(await build(root, { cache: "x", sources: "/docs", dry_run })).toEqual({
          code: "cache_invalid",
          reason: "too_large",
        });
        expect(await tree(root)).toEqual(before);
      }
    },
  );

  it("a cache that replaces one of the same size needs no more", async () => {
    const root = freshRoot();
    await put(root, { "/docs/a.md": "one", "/more/a.md": "two" });
    await build(root, { cache: "x", sources: "/docs" });
    await root.sql("UPDATE usage SET files = ?", filesMax);
    expect((await build(root, { cache: "x", sources: "/more", force: true })).built?.documentCount).toBe(1);
  });
});

describe("a cache of 5 000 documents of 2 KB", () => {
  it("is built, resolved, planned and verified, with progress, and the index changes nothing", {
    timeout: 600_000,
  }, async () => {
    const root = freshRoot();
    const documents = 5000;
    await root.attempt(async (inside) => {
      for (let n = 0; n < documents; n++) okValue(await inside.create(`/docs/${n % 50}/${n}.md`, text(n)));
    });
    const measured: string[] = [];
    const timed = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
      const start = performance.now();
      const value = await work();
      measured.push(`${what} ${Math.round(performance.now() - start)} ms`);
      return value;
    };
    const steps: number[] = [];
    const asked = ["x", "w1 w2 word7 nowhere", 4000] as const;
    const { built } = await timed("build", () =>
      build(root, { cache: "x", sources: "/docs" }, (done) => void steps.push(done)),
    );
    expect(built).toMatchObject({ documentCount: documents, unchanged: false });
    expect(steps).toEqual(Array.from({ length: 20 }, (_, step) => (step + 1) * 250));
    const first = await timed("first resolve, without an index", () => resolve(root, ...asked));
    expect(await timed("resolve", () => resolve(root, ...asked))).toBe(first);
    expect(JSON.parse(first).selection.documents_considered).toBe(documents);
    const planned = await timed("plan", () => plan(root, ...asked));
    expect(JSON.parse(planned).excluded).toHaveLength(1000);
    expect(JSON.parse(planned).excluded_truncated).toBe(true);
    await root.evict();
    expect(await timed("resolve after eviction", () => resolve(root, ...asked))).toBe(first);
    expect(await timed("verify", () => isValid(root, "x"))).toBe(true);
    const again = await timed("build of the same", () => build(root, { cache: "x", sources: "/docs" }));
    expect(again.built?.unchanged).toBe(true);
    okValue(await root.create("/docs/more.md", "one more"));
    await timed("build with one more", () => build(root, { cache: "x", sources: "/docs", force: true }));
    expect(JSON.parse(await resolve(root, ...asked)).selection.documents_considered).toBe(documents + 1);
    const [{ bytes } = {}] = await root.sql<{ bytes: number }>("SELECT bytes FROM context_indexes");
    console.info(`${measured.join(", ")}; index of ${bytes} bytes`);
  });
});

/** About 2 KB, of its own number and of words of which some are frequent and most are rare. */
function text(n: number): string {
  let state = n + 1;
  const words = [`document ${n}`];
  for (let length = 0; length < 2000; length += words.at(-1)?.length ?? 1) {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
    const random = (state >>> 0) / 2 ** 32;
    words.push(random < 0.3 ? `w${Math.floor(random * 30)}` : `word${Math.floor(random ** 2 * 20_000)}`);
  }
  return words.join(" ");
}
