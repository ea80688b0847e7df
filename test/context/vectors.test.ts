// Every vector of the context family over MCP, in both eras, on one root: the bytes of the text blocks. Not here: arguments of build beyond the vectors.
import { beforeAll, describe, expect, it } from "vitest";
import { ContextRoot, eras } from "./context-root";
import { filesOf, vectors } from "./vectors";

let shared: ContextRoot;
beforeAll(async () => {
  shared = await ContextRoot.signIn();
  for (const [name, cache] of Object.entries(vectors.caches)) await shared.put(`/caches/${name}`, filesOf(cache));
  for (const { name, files } of [...vectors.broken_caches, ...vectors.tolerated_caches]) {
    await shared.put(`/caches/${name}`, files);
  }
});

describe.each(eras)("in %s", (era) => {
  let root: ContextRoot;
  beforeAll(async () => {
    root = await shared.again({ era });
  });

  it.each(vectors.resolve)("seed 004 context.resolve of $set: $query within $budget", async (vector) => {
    const { set: cache, query, budget, expect_text } = vector;
    expect(await root.text("resolve", { cache, query, budget })).toBe(`${expect_text}\n`);
  });

  it.each(vectors.resolve)("context.plan of $set selects what resolve does: $query within $budget", async (vector) => {
    const { set: cache, query, budget, expect_text } = vector;
    const { text, value } = await root.call("plan", { cache, query, budget });
    const resolved = JSON.parse(expect_text);
    const without = resolved.documents.map(({ content: _, ...document }: Record<string, unknown>) => document);
    expect(value.documents.map(({ source: _, ...document }: Record<string, unknown>) => document)).toEqual(without);
    expect(value.selection).toEqual(resolved.selection);
    expect(value.excluded).toHaveLength(resolved.selection.documents_excluded_by_budget);
    expect(value.excluded_truncated).toBe(false);
    expect(text.match(/"score":[^,]+/g)?.slice(0, without.length) ?? []).toEqual(
      expect_text.match(/"score":[^,]+/g) ?? [],
    );
  });

  it.each(vectors.resolve_errors)("seed 004 context.resolve and context.plan refuse $args", async (vector) => {
    expect(await root.text("resolve", vector.args)).toBe(vector.expect_text);
    expect(await root.text("plan", vector.args)).toBe(vector.expect_text);
  });

  it.each(vectors.resolve_accepted_ids)("takes $args.cache for $same_as", async ({ args, same_as }) => {
    expect(await root.text("resolve", args)).toBe(await root.text("resolve", { ...args, cache: same_as }));
  });

  it.each([...vectors.broken_caches, ...vectors.tolerated_caches])(
    "seed 004 cache_invalid or not: $name",
    async ({ name, resolve_args, resolve_expect_text, inspect_expect_text }) => {
      const resolved = await root.call("resolve", resolve_args);
      expect(resolved.text).toBe(resolved.isError ? resolve_expect_text : `${resolve_expect_text}\n`);
      expect(await root.text("inspect_cache", { cache: name })).toBe(inspect_expect_text);
      const verified = await root.ok("verify_cache", { cache: name });
      expect(verified.valid).toBe(false);
      expect(verified.problems.length).toBeGreaterThan(0);
      expect((await root.call("plan", resolve_args)).isError).toBe(resolved.isError);
    },
  );

  it.each(Object.entries(vectors.caches))("seed 004 context.inspect_cache of %s", async (cache, vector) => {
    expect(await root.text("inspect_cache", { cache })).toBe(vector.inspect_text);
    const verified = await root.ok("verify_cache", { cache });
    expect(verified).toMatchObject({ cache, cache_version: vector.cache_version, valid: true, problems: [] });
  });

  it.each(vectors.inspect_errors)("seed 004 context.inspect_cache refuses $args", async ({ args, expect_text }) => {
    expect(await root.text("inspect_cache", args)).toBe(expect_text);
    expect((await root.refused("verify_cache", args)).code).toBe(JSON.parse(expect_text).error.code);
  });

  it.each(vectors.list_caches)("seed 004 context.list_caches of $tree", async ({ tree, expect_text }) => {
    const own = await ContextRoot.signIn({ era });
    await own.put("", Object.fromEntries(tree.map((path) => [path, "x"])));
    expect(await own.text("list_caches", {})).toBe(expect_text);
    expect(await own.text("list_caches", { unknown: [1] })).toBe(expect_text);
  });

  it.each(vectors.build)("context.build_cache of $name", async (vector) => {
    const own = await ContextRoot.signIn({ era });
    for (const [path, content] of Object.entries(vector.tree)) await own.put("", { [path.slice(1)]: content ?? "" });
    const args = { cache: "built", sources: vector.sources, ...vector.args };
    if (vector.expect_reason !== undefined) {
      const { code, details } = await own.refused("build_cache", args);
      expect([code, details?.reason]).toEqual(["cache_invalid", vector.expect_reason]);
      expect(await own.ok("list_caches", {})).toEqual({ caches: [] });
      return;
    }
    const built = await own.ok("build_cache", args);
    expect(built).toMatchObject({ cache_version: vector.expect_cache_version, skipped: vector.expect_skipped ?? [] });
    const planned = await own.ok("plan", { cache: "built", query: "", budget: 1000 });
    expect(planned.documents.map(({ id }: { id: string }) => id)).toEqual(vector.expect_ids);
    const sources = planned.documents.map(({ source }: { source: string }) => source);
    expect(sources).toEqual(vector.expect_sources ?? sources);
  });
});
