// The exact text of context.plan, which no vector has. Not here: that it selects what resolve does (vectors), a plan of more than 1000 left out (test/workers).
import { beforeAll, describe, expect, it } from "vitest";
import { sha256Hex } from "../../src/domain/hash";
import { ContextRoot, eras } from "./context-root";

describe.each(eras)("context.plan in %s", (era) => {
  let root: ContextRoot;
  beforeAll(async () => {
    root = await ContextRoot.signIn({ era });
    await root.put("/s", {
      "A.md": "river two",
      "b.md": "river one",
      "a-1.md": "river six",
      "z.md": "",
      "c.md": "lake",
    });
    await root.ok("build_cache", { cache: "x", sources: "/s" });
  });

  const why = (matches: number, words: number) =>
    `"why":{"query_terms":["river","river"],"term_matches":${matches},"total_words":${words}}`;
  const planned = (id: string, source: string, content: string) =>
    `{"id":"${id}","version":"sha256:${sha256Hex(content)}","source":"${source}","score":0.5,"tokens":3,${why(1, 2)}}`;
  const counted = (budget: number, used: number, selected: number) =>
    `"selection":{"query":"River river","budget":${budget},"tokens_used":${used},"documents_considered":5,"documents_selected":${selected},"documents_excluded_by_budget":${5 - selected}}}`;
  const empty = `{"id":"z.md","version":"sha256:${sha256Hex("")}","source":"z.md","score":0.0,"tokens":0,${why(0, 0)}}`;
  const ask = (budget: number) => root.text("plan", { cache: "x", query: "River river", budget });

  it("names what it selects, and in order what the budget leaves out, before a smaller document that still fits", async () => {
    const documents = [planned("a-1.md", "a-1.md", "river six"), planned("a.md", "A.md", "river two"), empty];
    const excluded = '{"id":"b.md","score":0.5,"tokens":3},{"id":"c.md","score":0.0,"tokens":1}';
    expect(await ask(6)).toBe(
      `{"documents":[${documents.join(",")}],"excluded":[${excluded}],"excluded_truncated":false,${counted(6, 6, 3)}`,
    );
  });

  it("of budget 0 leaves out everything, an empty document too", async () => {
    const excluded = [
      ...["a-1.md", "a.md", "b.md"].map((id) => `{"id":"${id}","score":0.5,"tokens":3}`),
      ...['{"id":"c.md","score":0.0,"tokens":1}', '{"id":"z.md","score":0.0,"tokens":0}'],
    ];
    expect(await ask(0)).toBe(
      `{"documents":[],"excluded":[${excluded.join(",")}],"excluded_truncated":false,${counted(0, 0, 0)}`,
    );
  });
});
