// Arguments of the context tools: types, order of checks, what is ignored and what is refused, and the canonical errors. Not here: the vectors, the arguments of build.
import { beforeAll, describe, expect, it } from "vitest";
import { openSession } from "../harness/raw-mcp";
import { ContextRoot, eras } from "./context-root";
import { filesOf, vectors } from "./vectors";

const messages = {
  cache_missing: "Cache does not exist",
  cache_invalid: "Cache exists but is invalid",
  invalid_query: "Query is invalid",
  invalid_budget: "Budget is invalid",
  io_error: "I/O error occurred",
} as const;

const errorText = (code: keyof typeof messages) => `{"error":{"code":"${code}","message":"${messages[code]}"}}\n`;
const questions = ["resolve", "plan"] as const;

describe.each(eras)("in %s", (era) => {
  let root: ContextRoot;
  beforeAll(async () => {
    root = await ContextRoot.signIn({ era });
    const { lamp } = vectors.caches;
    if (lamp === undefined) throw new Error("no lamp");
    await root.put("/caches/lamp", filesOf(lamp));
    await root.put("/caches/a..b", filesOf(lamp));
    await root.put("/caches/deep/er", filesOf(lamp));
    await root.put("/caches/broken", { "manifest.json": "{" });
  });

  describe.each(questions)("context.%s", (tool) => {
    it.each<[string, Record<string, unknown>, keyof typeof messages]>([
      ["everything is wrong: the budget comes first", { budget: "1", query: 5, cache: "../x" }, "invalid_budget"],
      ["query and cache are wrong: the query comes first", { budget: 1, query: null, cache: "nope" }, "invalid_query"],
      ["the cache is not there", { budget: 1, query: "", cache: "nope" }, "cache_missing"],
      ["the manifest is broken", { budget: 1, query: "", cache: "broken" }, "cache_invalid"],
      ["the budget is wrong and the manifest broken", { budget: -1, query: "", cache: "broken" }, "invalid_budget"],
      ["a lone surrogate in the query", { budget: 1, query: "a\ud800", cache: "lamp" }, "invalid_query"],
      ["a query of 65 537 bytes", { budget: 1, query: `${"é".repeat(32_768)}x`, cache: "lamp" }, "invalid_query"],
      ["a budget of truth", { budget: true, query: "", cache: "lamp" }, "invalid_budget"],
      ["a budget in a list", { budget: [1], query: "", cache: "lamp" }, "invalid_budget"],
      ["a query in a list", { budget: 1, query: ["lamp"], cache: "lamp" }, "invalid_query"],
      ["a cache in a list", { budget: 1, query: "", cache: ["lamp"] }, "cache_missing"],
      ["a cache with a control character", { budget: 1, query: "", cache: "la\nmp" }, "cache_missing"],
      ["a cache with a drive letter", { budget: 1, query: "", cache: "C:lamp" }, "cache_missing"],
      ["a cache with a lone surrogate", { budget: 1, query: "", cache: "\udc00" }, "cache_missing"],
      ["a cache that is an encoded escape", { budget: 1, query: "", cache: "%2e%2e/lamp" }, "cache_missing"],
      ["a name that git keeps", { budget: 1, query: "", cache: ".git" }, "cache_missing"],
      ["a cache below a file", { budget: 1, query: "", cache: "lamp/manifest.json/x" }, "cache_missing"],
      ["only slashes and dots", { budget: 1, query: "", cache: "././/" }, "cache_missing"],
      ["nothing at all", {}, "invalid_budget"],
    ])("seed 004 errors are typed and deterministic: %s", async (_, args, code) => {
      expect(await root.text(tool, args)).toBe(errorText(code));
    });

    it("seed 004 takes the budgets 0, -0, 10.0 and 2^53 − 1, and ignores what it does not know", async () => {
      const budgets = [0, 10, Number.MAX_SAFE_INTEGER];
      const texts = await Promise.all(
        budgets.map((budget) => root.text(tool, { cache: "lamp", query: "lamp", budget, limit: 3, mode: null })),
      );
      for (const [index, text] of texts.entries()) {
        expect(JSON.parse(text).selection.budget).toBe(budgets[index]);
        expect(text).toContain(`"budget":${budgets[index]},`);
      }
      // As the bytes of JSON have them, which JavaScript would not write.
      for (const [written, budget] of [
        ["-0", 0],
        ["10.0", 10],
        ["1e1", 10],
      ] as const) {
        const answer = await sendRaw(root, tool, `{"cache":"lamp","query":"lamp","budget":${written}}`);
        expect(answer).toBe(await root.text(tool, { cache: "lamp", query: "lamp", budget }));
      }
    });

    it("takes a query of 65 536 bytes, an empty one and a blank one", async () => {
      for (const query of ["é".repeat(32_768), "", " \t\u3000"]) {
        const { selection } = await root.ok(tool, { cache: "lamp", query, budget: 100 });
        expect(selection.query).toBe(query);
      }
    });

    it("finds a cache whose name has two dots, and one in a directory", async () => {
      const plain = await root.text(tool, { cache: "lamp", query: "lamp", budget: 100 });
      for (const cache of ["a..b", "deep/er", "deep//./er/", "./a..b"]) {
        expect(await root.text(tool, { cache, query: "lamp", budget: 100 })).toBe(plain);
      }
      expect(await root.text(tool, { cache: "deep", query: "", budget: 1 })).toBe(errorText("cache_invalid"));
    });
  });

  it("seed 004 context.inspect_cache ignores what it does not know; context.verify_cache refuses it", async () => {
    expect((await root.ok("inspect_cache", { cache: "lamp", query: 1 })).valid).toBe(true);
    expect(await root.refused("verify_cache", { cache: "lamp", deep: true })).toEqual({
      code: "invalid_query",
      message: messages.invalid_query,
      details: {
        reason: "invalid_argument",
        argument: "deep",
        message: "deep: no such argument; known are cache.",
      },
    });
  });

  it("seed 004 io_error: the cache root is a file", async () => {
    const own = await ContextRoot.signIn({ era });
    await own.put("", { caches: "a file" });
    for (const tool of questions) {
      expect(await own.text(tool, { cache: "lamp", query: "", budget: 1 })).toBe(errorText("io_error"));
    }
    expect(await own.text("list_caches", {})).toBe(errorText("io_error"));
    expect(await own.text("inspect_cache", { cache: "lamp" })).toBe(errorText("io_error"));
    expect(await own.refused("verify_cache", { cache: "lamp" })).toMatchObject({ code: "io_error" });
    // What names nothing is told before anything is looked at.
    expect(await own.text("inspect_cache", { cache: ".." })).toBe(errorText("cache_missing"));
    const built = await own.refused("build_cache", { cache: "lamp" });
    expect(built).toMatchObject({ code: "io_error", details: { reason: "cache_exists", cache: "lamp" } });
  });

  it("an answer that would be too large is invalid_budget, with a hint beside the body", async () => {
    const own = await ContextRoot.signIn({ era });
    for (const name of ["a", "b"]) await own.files.create(`/docs/${name}.md`, `${name} ${"x".repeat(5_000_000)}`);
    await own.ok("build_cache", { cache: "large", sources: "/docs" });
    const refused = await own.call("resolve", { cache: "large", query: "a", budget: 10_000_000 });
    expect(refused.text).toBe(errorText("invalid_budget"));
    expect(refused.meta).toMatchObject({ "holdfast/hint": expect.stringMatching(/smaller budget/) });
    expect((await own.ok("resolve", { cache: "large", query: "a", budget: 1_300_000 })).documents).toHaveLength(1);
    expect((await own.ok("plan", { cache: "large", query: "a", budget: 10_000_000 })).documents).toHaveLength(2);
    // A long query stands in every document of the answer.
    const query = "x ".repeat(32_000);
    expect(await own.text("resolve", { cache: "large", query, budget: 10_000_000 })).toBe(errorText("invalid_budget"));
  });
});

/** tools/call with arguments as they are written. */
async function sendRaw({ files: { url, token } }: ContextRoot, tool: string, args: string): Promise<string> {
  const session = await openSession(url, token);
  const params = `{"name":"context.${tool}","arguments":${args}}`;
  const { body } = await session.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`);
  return body.result.content[0].text;
}
