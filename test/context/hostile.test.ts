// Hostile caches over MCP: whatever a manifest points to, no byte from outside the cache comes out, and the object goes on. Not here: the table of fields (src/domain/context).
import { beforeAll, describe, expect, it } from "vitest";
import { ContextRoot, eras } from "./context-root";
import { filesOf, vectors } from "./vectors";

const secret = "what lies outside of the cache";
const kiln = "documents/2ad1279e7a47.json";

describe.each(eras)("hostile caches in %s", (era) => {
  let root: ContextRoot;
  let lamp: Record<string, string>;
  let next = 0;
  beforeAll(async () => {
    root = await ContextRoot.signIn({ era });
    if (vectors.caches.lamp === undefined) throw new Error("no lamp");
    lamp = filesOf(vectors.caches.lamp);
    await root.put("/caches/lamp", lamp);
    // A document that fits, but not here.
    await root.put("/outside", { "x.json": lamp[kiln] ?? "", "secret.md": secret });
    await root.put("/caches/other", { "x.json": lamp[kiln] ?? "", "documents/2ad1279e7a47.json": lamp[kiln] ?? "" });
  });

  /** The code with which resolve answers, `ok`, and never a byte of the secret. */
  async function resolve(files: Record<string, string>): Promise<string> {
    const cache = `hostile${next++}`;
    await root.put(`/caches/${cache}`, files);
    const resolved = await root.call("resolve", { cache, query: "lamp", budget: 1000 });
    for (const [tool, args] of Object.entries({
      plan: { query: "lamp", budget: 1000 },
      verify_cache: {},
      inspect_cache: {},
    })) {
      const { text } = await root.call(tool, { cache, ...args });
      expect(text).not.toContain(secret);
    }
    expect(resolved.text).not.toContain(secret);
    return resolved.isError ? resolved.value.error.code : "ok";
  }

  const withManifest = (change: (text: string) => string) => ({
    ...lamp,
    "manifest.json": change(lamp["manifest.json"] ?? ""),
  });
  const withFile = (file: string) => withManifest((text) => text.replace(`"${kiln}"`, JSON.stringify(file)));

  it.each([
    ...["../../outside/x.json", "../other/x.json", "../other/documents/2ad1279e7a47.json", "/outside/x.json"],
    ...["documents/../../other/x.json", "..\\other\\x.json", "C:/outside/x.json", "file:///outside/x.json"],
    ...["documents/%2e%2e/%2e%2e/other/x.json", "./../other/x.json", "documents", "", "\u0000", "nowhere.json"],
  ])("seed 004 cache_invalid: file %j", async (file) => {
    expect(await resolve(withFile(file))).toBe("cache_invalid");
  });

  it("seed 004 cache_invalid: wrong types, huge numbers, deep nesting, duplicate ids, hashes of another content", async () => {
    const changes: ((text: string) => string)[] = [
      () => "[".repeat(200_000),
      () => `${"[".repeat(50_000)}${"]".repeat(50_000)}`,
      () => '"manifest"',
      (text) => text.replace('"document_count": 4', '"document_count": 1e400'),
      (text) => text.replace('"document_count": 4', '"document_count": -0.5'),
      (text) => text.replace(/"documents": \[[\s\S]*\]/, '"documents": {"length": 1}'),
      (text) => text.replace(/"documents": \[[\s\S]*\]/, '"documents": [[]]'),
      (text) => text.replace('"guide/lamp.md"', '"guide/kiln.md"'),
      (text) => text.replace('"guide/kiln.md"', '"\\ud800"'),
      (text) => text.replace("sha256:2ad1279e", "sha256:2ad1279f"),
      (text) => text.replace("sha256:2ad1279e", "SHA256:2AD1279E"),
      (text) => text.replaceAll(`"${kiln}"`, '"documents/34a810fba28e.json"'),
    ];
    for (const change of changes) expect(await resolve(withManifest(change))).toBe("cache_invalid");
    // The object is none the worse for it.
    expect((await root.ok("verify_cache", { cache: "lamp" })).valid).toBe(true);
  });

  it("ids and words that are names of JavaScript are ids and words", async () => {
    const own = await ContextRoot.signIn({ era });
    const words = "__proto__ constructor toString hasOwnProperty valueOf";
    const files = [
      ["__proto__", words],
      ["constructor", `${words} more`],
      ["10", "ten"],
      ["2", "two"],
    ] as const;
    for (const [name, content] of files) await own.files.create(`/s/${name}`, content);
    await own.ok("build_cache", { cache: "odd", sources: "/s", include: ["**"] });
    expect((await own.ok("verify_cache", { cache: "odd" })).valid).toBe(true);
    for (let time = 0; time < 2; time++) {
      const { text } = await own.call("resolve", { cache: "odd", query: "__proto__ constructor", budget: 1000 });
      expect([...text.matchAll(/"id":"([^"]*)"/g)].map(([, id]) => id)).toEqual([
        "__proto__",
        "constructor",
        "10",
        "2",
      ]);
      expect(text).toContain('"term_matches":2,"total_words":5');
    }
  });
});
