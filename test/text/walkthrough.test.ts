// The walkthrough of the specification (text.md §8), in both eras: two agents on one file, and what the slower one is told.
import { describe, expect, it } from "vitest";
import { eras, TextRoot } from "./text-root";

describe.each(eras)("the walkthrough in %s", (era) => {
  it("MCP-032 MCP-033 MCP-034 an agent with an old hash is shown the change, retries with the new hash, and cannot remove with the old one", async () => {
    const first = await TextRoot.signIn({ era });
    const second = await TextRoot.withToken(first.url, first.user, first.token, era);
    const path = "/log.md";
    const { hash: h1 } = await first.ok("file.create", { path, content: "# Log\n" });
    const appended = await first.ok("text.append", { path, hash: h1, content: "- fog" });
    expect(appended.total_lines).toBe(2);

    const edit = { path, lines: [1, 2], old: "# Log", new: "# Ship's log" };
    const refusal = await second.refused("text.replace", { ...edit, hash: h1 });
    expect(refusal.code).toBe("HASH_MISMATCH");
    expect(refusal.message).toBe(
      `/log.md changed since the version you cite (${h1.slice(0, 12)}…). The diff below leads from your version to the current one. Check that your edit still holds, then retry with hash ${appended.hash}.`,
    );
    expect(refusal.details).toMatchObject({ path, hash: h1, current_hash: appended.hash, total_lines: 2 });
    expect(refusal.details?.diff).toContain("\n+- fog\n\\ No newline at end of file\n");

    const edited = await second.ok("text.replace", { ...edit, hash: appended.hash });
    expect(edited.total_lines).toBe(2);
    expect(await first.read(path)).toEqual({ content: "# Ship's log\n- fog", hash: edited.hash, total_lines: 2 });

    const kept = await first.refused("file.remove", { path, hash: h1 });
    expect(kept).toMatchObject({ code: "HASH_MISMATCH", details: { current_hash: edited.hash } });
    expect(await first.ok("file.remove", { path, hash: edited.hash })).toEqual({});
    expect((await second.refused("text.read", { path })).code).toBe("NOT_FOUND");
  });
});
