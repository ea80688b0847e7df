// A retry does no harm (text.md §6.4): the same edit of the same version succeeds again, and writes nothing.
import { describe, expect, it } from "vitest";
import { eras, TextRoot, type TextTool } from "./text-root";

const path = "/retry.md";
const edits: readonly (readonly [TextTool, object])[] = [
  ["text.append", { content: "tail\n" }],
  ["text.insert", { line: 2, anchor: "two", content: "between" }],
  ["text.replace", { lines: [1, 0], old: "one", new: "ONE\nand more" }],
];

describe.each(eras)("a repeated edit in %s", (era) => {
  it.each(edits)("MCP-034 %s succeeds with the current hash and already_applied", async (tool, args) => {
    const root = await TextRoot.signIn({ era });
    const hash = await root.create(path, "one\ntwo\n");
    const first = (await root.ok(tool, { path, hash, ...args })) as { hash: string };
    expect(first).not.toHaveProperty("already_applied");
    const after = await root.read(path);
    for (let retry = 0; retry < 3; retry++) {
      expect(await root.ok(tool, { path, hash, ...args })).toEqual({ ...first, already_applied: true });
    }
    expect(await root.read(path)).toEqual(after);
    // What was answered to the retry is a hash like any other.
    await root.ok("text.append", { path, hash: first.hash, content: "next\n" });
    // Now something else has happened since, so the old edit is not what is there.
    expect((await root.refused(tool, { path, hash, ...args })).code).toBe("HASH_MISMATCH");
  });

  it("MCP-034 of two different edits of one version, one succeeds; of two equal ones, both", async () => {
    const root = await TextRoot.signIn({ era });
    const hash = await root.create(path, "one\n");
    const edit = (content: string) => root.result("text.append", { path, hash, content });
    const answers = await Promise.all([edit("same\n"), edit("same\n"), edit("other\n")]);
    const { content } = await root.read(path);
    const succeeded = answers.map(({ isError }) => !isError);
    expect([
      { content: "one\nsame\n", succeeded: [true, true, false] },
      { content: "one\nother\n", succeeded: [false, false, true] },
    ]).toContainEqual({ content, succeeded });
  });

  it("does not take another edit with the same result in size for the same", async () => {
    const root = await TextRoot.signIn({ era });
    const hash = await root.create(path, "one\n");
    await root.ok("text.append", { path, hash, content: "abc\n" });
    expect((await root.refused("text.append", { path, hash, content: "xyz\n" })).code).toBe("HASH_MISMATCH");
  });

  it("does not call an edit of an unknown version applied, whatever its result would be", async () => {
    const root = await TextRoot.signIn({ era });
    const hash = await root.create("/elsewhere.md", "one\n");
    await root.create(path, "one\ntwo\n");
    const refusal = await root.refused("text.append", { path, hash, content: "two\n" });
    expect(refusal).toMatchObject({ code: "HASH_MISMATCH", details: { path, hash } });
    expect(refusal.details).not.toHaveProperty("current_hash");
  });
});
