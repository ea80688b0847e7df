// What a narrowed token reaches in the snapshot family (snapshot.md §3.4): phase 1 by arguments, phase 2 by what a lookup shows. Always HTTP 403.
import { beforeAll, describe, expect, it } from "vitest";
import { freshUser } from "../harness/login";
import { SnapshotRoot, type SnapshotTool } from "./snapshot-root";

let wide: SnapshotRoot;
let snapshot: string;
const user = freshUser("scopes");
const as = (scope: string) => SnapshotRoot.signIn({ user, scope });

beforeAll(async () => {
  wide = await SnapshotRoot.signIn({ user });
  await wide.create({ "top.txt": "t\n", "work/a.txt": "a\n", "work/sub/b.txt": "b\n", "secret/s.txt": "s\n" });
  snapshot = await wide.snapshot();
});

describe("a token for one folder", () => {
  it("sees that folder in every mode, also inside a wide snapshot", async () => {
    const narrow = await as("read:/work/");
    const views = [{}, { snapshot_id: snapshot }];
    for (const view of views) {
      await narrow.ok("snapshot.list", { ...view, path: "work", depth: 64 });
      await narrow.ok("snapshot.file", { ...view, path: "work/a.txt" });
      await narrow.ok("snapshot.grep", { ...view, query: "a", paths: ["work"] });
      await narrow.ok("snapshot.export", { ...view, paths: ["work"] });
      await narrow.ok("snapshot.diff", { ...view, path: "work" });
    }
    await narrow.ok("snapshot.create", { paths: ["work"] });
    await narrow.ok("snapshot.info", { snapshot_id: snapshot });
  });

  it.each([
    ["snapshot.list", {}, "read:/"],
    ["snapshot.list", { path: "secret" }, "read:/secret/"],
    ["snapshot.list", { path: "secret", depth: 2 }, "read:/secret"],
    ["snapshot.list", { path: "nothing/here" }, "read:/nothing/here/"],
    ["snapshot.file", { path: "secret/s.txt" }, "read:/secret/s.txt"],
    ["snapshot.grep", { query: "x" }, "read:/"],
    ["snapshot.grep", { query: "x", paths: ["work", "secret"] }, "read:/secret"],
    ["snapshot.export", {}, "read:/"],
    ["snapshot.diff", {}, "read:/"],
    ["snapshot.create", { paths: ["."] }, "read:/"],
    [
      "workspace.apply_patch",
      { patch: "--- a/work/a.txt\n+++ b/work/a.txt\n@@ -1 +1 @@\n-a\n+x\n" },
      "write:/work/a.txt",
    ],
  ] as [SnapshotTool, object, string][])(
    "is refused by its arguments alone: %s %j needs %s",
    async (tool, args, scope) => {
      const narrow = await as("read:/work/");
      expect(await narrow.forbidden(tool, args)).toBe(scope);
    },
  );

  it("is refused what only the lookup shows, and the refusal names the argument and nothing that was found", async () => {
    const shallow = await as("write:/work/*");
    expect(await shallow.forbidden("snapshot.list", { path: "work", depth: 2 })).toBe("read:/work/");
    // The page is within reach, the number of all entries is not.
    expect(await shallow.forbidden("snapshot.list", { path: "work", depth: 2, limit: 1 })).toBe("read:/work/");
    expect(await shallow.forbidden("snapshot.grep", { query: "a", paths: ["work"] })).toBe("read:/work/");
    expect(await shallow.forbidden("snapshot.export", { paths: ["work"] })).toBe("read:/work/");
    expect(await shallow.forbidden("snapshot.create", { paths: ["work"] })).toBe("read:/work/");
    await shallow.ok("snapshot.list", { path: "work" });
    const lease_id = (await shallow.ok("snapshot.list", { path: "work" })).lease_id;
    expect(await shallow.forbidden("workspace.delete", { path: "work", recursive: true, lease_id })).toBe(
      "write:/work/",
    );
    const extra = { snapshot_id: snapshot, lease_id, paths: ["work"] };
    // The one scope with which the call would succeed, not a first of two.
    expect(await shallow.forbidden("workspace.restore", extra)).toBe("write:/work/");
    expect(await shallow.forbidden("snapshot.changes", { snapshot_id: snapshot })).toBe("read:/");
  });

  it("cannot capture what a wider token of the same user has touched", async () => {
    const { lease_id } = await wide.ok("snapshot.file", { path: "secret/s.txt" });
    const narrow = await as("read:/work/");
    expect(await narrow.forbidden("snapshot.create", { lease_id })).toBe("read:/");
  });

  it("does not see rules that it may not read: an ignore file above its folder has no say", async () => {
    const other = freshUser("ignore");
    const whole = await SnapshotRoot.signIn({ user: other });
    await whole.create({ ".gitignore": "*.log\n", "work/x.log": "needle\n" });
    const narrow = await SnapshotRoot.signIn({ user: other, scope: "read:/work/" });
    expect((await whole.ok("snapshot.grep", { query: "needle" })).matches).toEqual([]);
    expect((await narrow.ok("snapshot.grep", { query: "needle", paths: ["work"] })).matches).toHaveLength(1);
  });
});
