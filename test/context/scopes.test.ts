// Which scopes each tool of the context family needs (context.md §1): all below a path, `/*` for the list alone, 403 before anything is looked up.
import { beforeAll, describe, expect, it } from "vitest";
import { ContextRoot, eras } from "./context-root";
import { filesOf, vectors } from "./vectors";

const question = { query: "lamp", budget: 100 };
type Call = readonly [tool: string, args: Record<string, unknown>];

const reads = (cache: unknown): Call[] => [
  ["resolve", { cache, ...question }],
  ["plan", { cache, ...question }],
  ["inspect_cache", { cache }],
  ["verify_cache", { cache }],
];

let owner: ContextRoot;
beforeAll(async () => {
  owner = await ContextRoot.signIn();
  const { lamp } = vectors.caches;
  if (lamp === undefined) throw new Error("no lamp");
  await owner.put("/caches/lamp", filesOf(lamp));
  await owner.put("/docs", { "a.md": "a", "sub/b.md": "b" });
});

async function expectForbidden(root: ContextRoot, [tool, args]: Call, scope: string): Promise<void> {
  const { status, headers, body, text } = await root.raw(tool, args);
  expect(status, `${tool} ${JSON.stringify(args)}: ${text}`).toBe(403);
  expect(headers.get("www-authenticate")).toContain(`error="insufficient_scope", scope="${scope}"`);
  expect(body.error?.data).toEqual({ error: "insufficient_scope", scope });
}

describe.each(eras)("AUTH-030 scopes in %s", (era) => {
  const withScope = (scope: string) => owner.again({ era, scope });

  it("one cache: reading it needs all of it, whether it exists or not", async () => {
    const root = await withScope("read:/caches/lamp");
    for (const call of reads("lamp")) expect((await root.call(...call)).isError).toBe(false);
    for (const cache of ["other", "lamp2", "LAMP"]) {
      for (const call of reads(cache)) await expectForbidden(root, call, `read:/caches/${cache}/`);
    }
    await expectForbidden(root, ["list_caches", {}], "read:/caches/");
  });

  it("AUTH-035 /caches/* suffices to list, and for nothing else", async () => {
    const root = await withScope("read:/caches/*");
    expect(await root.ok("list_caches", {})).toEqual({ caches: [{ path: "lamp", has_manifest: true }] });
    for (const call of reads("lamp")) await expectForbidden(root, call, "read:/caches/lamp/");
    const children = await withScope("read:/caches/lamp/*");
    for (const call of reads("lamp")) await expectForbidden(children, call, "read:/caches/lamp/");
  });

  it("an identifier that names nothing is checked as /caches, so that a refusal tells nothing", async () => {
    const root = await withScope("read:/caches/lamp");
    for (const cache of ["../docs", "/lamp", "", ".", 7, undefined, null, "lamp/..", "C:lamp", ".git"]) {
      for (const call of reads(cache)) await expectForbidden(root, call, "read:/caches/");
    }
    const all = await withScope("read:/caches");
    for (const call of reads("../docs")) expect((await all.refused(...call)).code).toBe("cache_missing");
  });

  it("scopes come before arguments", async () => {
    const root = await withScope("read:/docs");
    await expectForbidden(root, ["resolve", { cache: "lamp", budget: -1 }], "read:/caches/lamp/");
    await expectForbidden(root, ["verify_cache", { cache: "lamp", unknown: 1 }], "read:/caches/lamp/");
    await expectForbidden(root, ["build_cache", { cache: "x", sources: "/docs", force: 5 }], "write:/caches/x/");
  });

  it("build needs to read all of its sources and to write all of its target", async () => {
    const build = (args: Record<string, unknown>): Call => ["build_cache", { cache: "made", dry_run: true, ...args }];
    const root = await withScope("read:/docs write:/caches/made");
    expect((await root.ok(...build({ sources: "/docs" }))).document_count).toBe(2);
    expect((await root.ok(...build({ sources: "/docs/sub" }))).document_count).toBe(1);
    await expectForbidden(root, build({}), "read:/");
    await expectForbidden(root, build({ sources: "/" }), "read:/");
    await expectForbidden(root, build({ sources: "/caches/lamp" }), "read:/caches/lamp/");
    await expectForbidden(root, build({ cache: "else", sources: "/docs" }), "write:/caches/else/");
    await expectForbidden(root, build({ cache: "a/b", sources: "/docs" }), "write:/caches/");
    const snapshot_id = `sha256:${"0".repeat(64)}`;
    await expectForbidden(root, build({ sources: "/private", snapshot_id }), "read:/private/");
    const shallow = await withScope("read:/docs/* write:/caches/made");
    await expectForbidden(shallow, build({ sources: "/docs" }), "read:/docs/");
    const reader = await withScope("read:/");
    await expectForbidden(reader, build({ sources: "/docs" }), "write:/caches/made/");
  });

  it("AUTH-039 write includes read", async () => {
    const root = await withScope("write:/caches/lamp");
    for (const call of reads("lamp")) expect((await root.call(...call)).isError).toBe(false);
  });
});
