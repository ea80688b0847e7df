// HASH_MISMATCH (text.md §6.2, §6.3): the current hash comes only together with the change that the caller has not seen, and never out of another path's history.
import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { TextRoot } from "./text-root";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const edits = (content: string) =>
  [
    ["text.append", { content }],
    ["text.insert", { line: 1, anchor: "no such line", content }],
    ["text.replace", { lines: [1, 0], old: "no such line", new: content }],
    ["file.remove", {}],
  ] as const;

const unknownMessage = (path: string, hash: string) =>
  `${path} is not at the version you cite (${hash.slice(0, 12)}…), it changed or was never read. Read it again with text.read, then retry with the hash it returns.`;

let root: TextRoot;
beforeAll(async () => {
  root = await TextRoot.signIn();
});

async function append(path: string, hash: string, content: string): Promise<string> {
  return (await root.ok("text.append", { path, hash, content })).hash;
}

describe("HASH_MISMATCH", () => {
  it("MCP-034 MCP-052 shows the whole way from the cited version to the current one, with the current hash", async () => {
    const path = "/seen.md";
    const first = await root.create(path, "one\ntwo\nthree\n");
    const second = await append(path, first, "four\n");
    const { hash: current } = await root.ok("text.replace", {
      path,
      hash: second,
      lines: [1, 2],
      old: "one",
      new: "ONE",
    });
    for (const [tool, args] of edits("x")) {
      const refusal = await root.refused(tool, { path, hash: first, ...args });
      expect(refusal.code).toBe("HASH_MISMATCH");
      expect(refusal.message).toBe(
        `${path} changed since the version you cite (${first.slice(0, 12)}…). The diff below leads from your version to the current one. Check that your edit still holds, then retry with hash ${current}.`,
      );
      const diff = refusal.details?.diff as string;
      expect(refusal.details).toEqual({ path, hash: first, current_hash: current, total_lines: 4, diff });
      expect(diff).toContain("--- a/seen.md\n+++ b/seen.md\n@@ -1,3 +1,4 @@\n-one\n+ONE\n two\n three\n+four\n");
    }
    expect((await root.read(path)).hash).toBe(current);
  });

  it("MCP-034 gives neither hash nor diff for a hash that this path never had", async () => {
    const path = "/unseen.md";
    const current = await root.create(path, "secret\n");
    const cited = "a".repeat(64);
    for (const [tool, args] of edits("x")) {
      const refusal = await root.refused(tool, { path, hash: cited, ...args });
      expect(refusal).toEqual({
        code: "HASH_MISMATCH",
        message: unknownMessage(path, cited),
        details: { path, hash: cited },
      });
      expect(JSON.stringify(refusal)).not.toContain(current);
    }
  });

  it("MCP-034 gives no diff for what only another path has or had, present, edited or removed", async () => {
    const other = "/other.md";
    const theirs = await root.create(other, "content of the other path\n");
    const edited = await append(other, theirs, "and more\n");
    const gone = await root.create("/gone.md", "content of a path that is gone\n");
    await root.ok("file.remove", { path: "/gone.md", hash: gone });
    const path = "/own.md";
    await root.create(path, "own\n");
    for (const cited of [theirs, edited, gone]) {
      for (const [tool, args] of edits("x")) {
        const refusal = await root.refused(tool, { path, hash: cited, ...args });
        expect(refusal.details).toEqual({ path, hash: cited });
        expect(refusal.message).toBe(unknownMessage(path, cited));
      }
    }
  });

  it("keeps the history of a path over remove and create", async () => {
    const path = "/phoenix.md";
    const before = await root.create(path, "before\n");
    await root.ok("file.remove", { path, hash: before });
    const after = await root.create(path, "after\n");
    const refusal = await root.refused("text.append", { path, hash: before, content: "x\n" });
    expect(refusal.details).toMatchObject({ current_hash: after, diff: expect.stringContaining("-before\n+after\n") });
  });

  it("knows the last 20 versions of a path and no older one", async () => {
    const path = "/many.md";
    const hashes = [await root.create(path, "0\n")];
    for (let version = 1; version <= 24; version++) {
      hashes.push(await append(path, hashes.at(-1) ?? "", `${version}\n`));
    }
    const current = hashes.at(-1);
    for (const [index, hash] of hashes.slice(0, -1).entries()) {
      const { details } = await root.refused("text.append", { path, hash, content: "never\n" });
      expect([index, details?.current_hash]).toEqual([index, index >= 25 - 20 ? current : undefined]);
    }
  });

  it("gives a diff of exactly 16 384 bytes; a longer one is left out, and with it the hash", async () => {
    const refusalAfter = async (path: string, length: number) => {
      const hash = await root.create(path, "x\n");
      await append(path, hash, `${"y".repeat(length)}\n`);
      return root.refused("file.remove", { path, hash });
    };
    const tried = (await refusalAfter("/long-1.md", 15_000)).details?.diff as string;
    const fitting = 15_000 + 16_384 - Buffer.byteLength(tried);
    expect((await refusalAfter("/long-2.md", fitting)).details?.diff).toHaveLength(16_384);
    const { message, details } = await refusalAfter("/long-3.md", fitting + 1);
    expect(details).toEqual({ path: "/long-3.md", hash: sha256("x\n") });
    expect(message).toBe(unknownMessage("/long-3.md", sha256("x\n")));
  });

  it("leaves out the diff where either side has more than 1 MiB", async () => {
    const path = "/big.md";
    const line = `${"m".repeat(1023)}\n`;
    const whole = await root.create(path, line.repeat(1024));
    const over = await append(path, whole, "one more\n");
    expect((await root.refused("file.remove", { path, hash: whole })).details).toEqual({ path, hash: whole });
    const { hash: back } = await root.ok("text.replace", {
      path,
      hash: over,
      lines: [-1, 0],
      old: "one more",
      new: "",
    });
    expect(back).toBe(whole);
    expect((await root.refused("file.remove", { path, hash: over })).details).toEqual({ path, hash: over });
    const { hash: less } = await root.ok("text.replace", {
      path,
      hash: whole,
      lines: [-1, 0],
      old: line,
      new: "less",
    });
    const { details } = await root.refused("file.remove", { path, hash: whole });
    expect(details).toMatchObject({ current_hash: less, diff: expect.stringContaining("\n+less\n") });
  });

  it("says of a binary file that its hash is the ETag of GET /files", async () => {
    const path = "/bin";
    const bytes = Uint8Array.of(1, 0, 2);
    await root.create(path, bytes);
    const cited = "b".repeat(64);
    expect(await root.refused("file.remove", { path, hash: cited })).toEqual({
      code: "HASH_MISMATCH",
      message: `${path} is not at the version you cite (${cited.slice(0, 12)}…), it changed or was never read. Read it again with GET /files${path} (ETag), then retry with the hash it returns.`,
      details: { path, hash: cited },
    });
  });

  it("gives no diff between a text and the binary file that took its place", async () => {
    const path = "/turned";
    const text = await root.create(path, "text\n");
    await root.ok("file.remove", { path, hash: text });
    const binary = await root.create(path, Uint8Array.of(0));
    expect((await root.refused("file.remove", { path, hash: text })).details).toEqual({ path, hash: text });
    await root.ok("file.remove", { path, hash: binary });
    await root.create(path, "text again\n");
    expect((await root.refused("file.remove", { path, hash: binary })).details).toEqual({ path, hash: binary });
  });

  it.each([
    ["upper case", sha256("x").toUpperCase()],
    ["a prefix", `sha256:${sha256("x")}`],
    ["too short", sha256("x").slice(1)],
    ["too long", `${sha256("x")}0`],
    ["a blank", `${sha256("x")} `],
    ["a newline", `${sha256("x")}\n`],
    ["nothing", ""],
    ["an ETag", `"${sha256("x")}"`],
  ])("MCP-032 MCP-052 calls a hash with %s wrong, not stale", async (_what, hash) => {
    const path = "/form.md";
    await root.result("file.create", { path, content: "x" });
    for (const [tool, args] of edits("y")) {
      expect(await root.refused(tool, { path, hash, ...args })).toEqual({
        code: "INVALID_ARGUMENT",
        message: `hash: ${JSON.stringify(hash)} is not a hash; give the 64 lower-case hex digits that text.read or the last edit returned.`,
        details: { argument: "hash" },
      });
    }
  });
});
