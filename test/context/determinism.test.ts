// The same cache, query and budget give the same bytes: called again and again, at the same time, in either era, after restarts of the server. Not here: eviction and a dropped index (test/workers).
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Server, startServer } from "../harness/server";
import { TextRoot } from "../text/text-root";
import { ContextRoot, eras } from "./context-root";
import { filesOf, vectors } from "./vectors";

const asked = [
  ["lamp", "lamp wick", 12],
  ["lamp", "lamp", 1000],
  ["greedy", "ore vein", 7],
  ["f32tie", "x", 3000],
  ["astral", "same", 100],
  ["sigma", "οδος", 100],
] as const;

let server: Server;
let root: ContextRoot;
beforeAll(async () => {
  server = await startServer();
  root = await ContextRoot.over(await TextRoot.signIn({ url: server.url }));
  for (const name of new Set(asked.map(([set]) => set))) {
    const cache = vectors.caches[name];
    if (cache !== undefined) await root.put(`/caches/${name}`, filesOf(cache));
  }
}, 120_000);
afterAll(() => server?.stop());

function expected(set: string, query: string, budget: number): string {
  const vector = vectors.resolve.find((one) => one.set === set && one.query === query && one.budget === budget);
  if (vector === undefined) throw new Error("no such vector");
  return `${vector.expect_text}\n`;
}

describe("seed 004 all responses are deterministic", () => {
  it("20 times in turn and 20 times at once, in both eras", async () => {
    for (const era of eras) {
      const caller = await root.again({ era });
      for (const [cache, query, budget] of asked) {
        const plan = await caller.text("plan", { cache, query, budget });
        for (let time = 0; time < 20; time++) {
          expect(await caller.text("resolve", { cache, query, budget })).toBe(expected(cache, query, budget));
          expect(await caller.text("plan", { cache, query, budget })).toBe(plan);
        }
        const parallel = Array.from({ length: 20 }, () => caller.text("resolve", { cache, query, budget }));
        expect(new Set(await Promise.all(parallel))).toEqual(new Set([expected(cache, query, budget)]));
      }
    }
  });

  it("after a clean restart and after kill -9", { timeout: 180_000 }, async () => {
    const before = new Map<string, string>();
    const calls: [string, object][] = [
      ...asked.map(([cache, query, budget]): [string, object] => ["plan", { cache, query, budget }]),
      ["list_caches", {}],
      ["inspect_cache", { cache: "lamp" }],
      ["verify_cache", { cache: "lamp" }],
    ];
    for (const call of calls) before.set(JSON.stringify(call), await root.text(...call));
    for (const hard of [false, true]) {
      if (hard) await server.kill();
      await server.restart();
      for (const [cache, query, budget] of asked) {
        expect(await root.text("resolve", { cache, query, budget })).toBe(expected(cache, query, budget));
      }
      for (const call of calls) expect(await root.text(...call)).toBe(before.get(JSON.stringify(call)));
    }
  });
});
