// From an archive to context: a zip is opened, its workspace built into a cache and resolved; and a cache that came in an archive. Not here: the zip tools themselves.
import { describe, expect, it } from "vitest";
import { zipOf } from "../harness/zip-builder";
import { ContextRoot, eras } from "./context-root";
import { filesOf, vectors } from "./vectors";

const manual = {
  "Intro.md": "The pump\n",
  "pump/Reset.md": "Reset the pump by its valve.\n",
  "pump/photo.png": "\u0089PNG",
};

async function open(root: ContextRoot, path: string): Promise<string> {
  const { body, text } = await root.files.call("zipfs_open", { path });
  expect(body.result?.isError ?? false, text).toBe(false);
  return body.result.structuredContent.workspace_path;
}

const archive = (files: Record<string, string>) => zipOf(Object.entries(files).map(([name, data]) => ({ name, data })));

describe.each(eras)("in %s", (era) => {
  it("a manual in a zip becomes a cache, the same as of the same files anywhere", async () => {
    const root = await ContextRoot.signIn({ era });
    await root.files.create("/in/manual.zip", archive(manual));
    const sources = await open(root, "/in/manual.zip");
    const built = await root.ok("build_cache", { cache: "manual", sources });
    expect(built).toMatchObject({ document_count: 2, skipped: [], unchanged: false });
    await root.put("/plain", manual);
    const plain = await root.ok("build_cache", { cache: "plain", sources: "/plain" });
    expect(plain.cache_version).toBe(built.cache_version);
    const ask = { query: "reset pump", budget: 4000 };
    const resolved = await root.text("resolve", { cache: "manual", ...ask });
    expect(resolved).toBe(await root.text("resolve", { cache: "plain", ...ask }));
    expect(JSON.parse(resolved).documents[0].id).toBe("intro.md");
    // From above, workspaces are no sources.
    const all = await root.ok("build_cache", { cache: "all", on_duplicate_content: "skip" });
    expect(all.document_count).toBe(2);
  });

  it("a cache built elsewhere, uploaded as a zip and opened, resolves the same where it is put", async () => {
    const root = await ContextRoot.signIn({ era });
    const { lamp } = vectors.caches;
    if (lamp === undefined) throw new Error("no lamp");
    await root.files.create("/in/lamp.zip", archive(filesOf(lamp)));
    const workspace = await open(root, "/in/lamp.zip");
    for (const file of Object.keys(filesOf(lamp))) {
      await root.put("/caches/lamp", { [file]: (await root.files.read(`${workspace}/${file}`)).content });
    }
    expect((await root.ok("verify_cache", { cache: "lamp" })).valid).toBe(true);
    for (const { query, budget, expect_text } of vectors.resolve.filter(({ set }) => set === "lamp")) {
      expect(await root.text("resolve", { cache: "lamp", query, budget })).toBe(`${expect_text}\n`);
    }
  });
});
