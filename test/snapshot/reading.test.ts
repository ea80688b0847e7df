// snapshot.list, .file, .create, .info, .changes, .diff (seed 002 §3.1, snapshot.md §7): shapes, both modes, errors. Search: grep.test.ts, bundles: export.test.ts.
import { beforeAll, describe, expect, it } from "vitest";
import { type Era, eras, SnapshotRoot } from "./snapshot-root";

const unknown = `sha256:${"0".repeat(64)}`;

describe.each(eras)("reading in %s", (era: Era) => {
  let root: SnapshotRoot;
  let snapshot: string;
  beforeAll(async () => {
    root = await SnapshotRoot.signIn({ era });
    await root.create({
      "readme.md": "hello holdfast\n",
      "a-b": "1",
      "a/x": "2",
      "a.txt": "3",
      "a/😀": "4",
      "a/～": "5",
      ".hidden": "",
      "bin/data": Uint8Array.of(0, 1, 2),
      "crlf.txt": "a\r\nb\r\n",
      "mixed.txt": "a\r\nb\n",
      "marked.txt": "base64:text",
    });
    snapshot = await root.snapshot();
  });

  it("seed 002 §1.2 §1.3 §3.1: lists by the bytes of whole paths, directories and dotfiles included, in both modes", async () => {
    const paths = [".hidden", "a", "a-b", "a.txt", "a/x", "a/～", "a/😀", "bin", "bin/data"];
    for (const mode of [{}, { snapshot_id: snapshot }]) {
      const { entries, total, truncated } = await root.ok("snapshot.list", { ...mode, depth: 64 });
      expect(entries.map((entry) => entry.path).slice(0, paths.length)).toEqual(paths);
      expect(entries[0]).toEqual({
        path: ".hidden",
        type: "file",
        size: 0,
        sha: "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
      });
      expect(entries[1]).toEqual({ path: "a", type: "dir" });
      expect([total, truncated]).toEqual([entries.length, false]);
    }
  });

  it("seed 002 §1.2: takes src, src/ and ./src for one path, and a file for one entry", async () => {
    const lists = [];
    for (const path of ["a", "a/", "./a", "a//"]) lists.push((await root.ok("snapshot.list", { path })).entries);
    expect(lists[0]?.map((entry) => entry.path)).toEqual(["a/x", "a/～", "a/😀"]);
    for (const list of lists) expect(list).toEqual(lists[0]);
    const file = await root.ok("snapshot.list", { path: "a/x", snapshot_id: snapshot });
    expect(file.entries.map((entry) => entry.path)).toEqual(["a/x"]);
  });

  it("pages with limit and offset, and says when there is more", async () => {
    const whole = await root.ok("snapshot.list", { depth: 64, snapshot_id: snapshot });
    const pages = [];
    for (let offset = 0; offset < whole.total; offset += 3) {
      const page = await root.ok("snapshot.list", { depth: 64, snapshot_id: snapshot, limit: 3, offset });
      expect(page.truncated).toBe(offset + 3 < whole.total);
      pages.push(...page.entries);
    }
    expect(pages).toEqual(whole.entries);
  });

  it("seed 002 §3.1: gives an empty list for what is unknown or not captured, and no error", async () => {
    const partial = await root.snapshot(["a"]);
    for (const args of [{ path: "nowhere" }, { path: "readme.md", snapshot_id: partial }]) {
      const { entries, total, truncated } = await root.ok("snapshot.list", args);
      expect({ entries, total, truncated }).toEqual({ entries: [], total: 0, truncated: false });
    }
    const { entries } = await root.ok("snapshot.list", { snapshot_id: partial });
    expect(entries).toEqual([{ path: "a", type: "dir" }]);
  });

  it.each([
    ["readme.md", "text", "utf-8", "hello holdfast\n", "lf"],
    ["crlf.txt", "text", "utf-8", "a\r\nb\r\n", "crlf"],
    ["mixed.txt", "text", "utf-8", "a\r\nb\n", "mixed"],
    ["bin/data", "binary", "base64", "base64:AAEC", undefined],
    ["marked.txt", "text", "base64", "base64:YmFzZTY0OnRleHQ=", "lf"],
  ])("seed 002 §1.1: reads %s as %s in %s", async (path, kind, encoding, content, eol) => {
    const live = await root.ok("snapshot.file", { path });
    const captured = await root.ok("snapshot.file", { path, snapshot_id: snapshot });
    for (const file of [live, captured]) expect(file).toMatchObject({ path, kind, encoding, content });
    expect(live.eol).toBe(eol);
    expect(captured).toMatchObject({ cache_hint: "immutable", snapshot_id: snapshot, mode: "snapshot" });
    expect(captured).not.toHaveProperty("lease_id");
    expect(live).not.toHaveProperty("snapshot_id");
  });

  it("the hash of snapshot.file is the one that text.* takes", async () => {
    const user = await SnapshotRoot.signIn({ era });
    await user.create({ "x.txt": "x\n" });
    const { hash } = await user.ok("snapshot.file", { path: "x.txt" });
    await user.ok("text.append", { path: "x.txt", hash, content: "y\n" });
  });

  it("seed 002 §2.1: tells a missing file, a directory, an unknown snapshot and contradictory modes apart", async () => {
    expect((await root.refused("snapshot.file", { path: "no" })).message).toBe(
      'no does not exist. Call snapshot.list with path "." to see what is there.',
    );
    expect((await root.refused("snapshot.file", { path: "no", snapshot_id: snapshot })).code).toBe("NOT_FOUND");
    expect((await root.refused("snapshot.file", { path: "a" })).code).toBe("INVALID_ARGUMENT");
    expect((await root.refused("snapshot.list", { snapshot_id: unknown })).code).toBe("NOT_FOUND");
    for (const args of [
      { mode: "snapshot" },
      { mode: "worktree", snapshot_id: snapshot },
      { snapshot_id: snapshot, lease_id: "7f0c8a52-5b0e-4d5e-9e0d-0f5a1e2b3c4d" },
      { mode: "live" },
      { depth: 0 },
      { depth: 65 },
      { limit: 10_001 },
      { offset: -1 },
      { repo_root: "/elsewhere" },
      { nonsense: 1 },
    ]) {
      expect((await root.refused("snapshot.list", args)).code, JSON.stringify(args)).toBe("INVALID_ARGUMENT");
    }
    await root.ok("snapshot.list", { repo_root: "." });
  });

  it("seed 002 §1.2: refuses paths that leave the root", async () => {
    for (const path of ["/a", "../a", "a/../b", "C:/x", "~/x", "~bob", "a\\b", "", "a\0b", ".git/x"]) {
      expect((await root.refused("snapshot.file", { path })).code, path).toBe("INVALID_ARGUMENT");
    }
    expect((await root.refused("snapshot.file", { path: "./~bob" })).code).toBe("NOT_FOUND");
  });

  it("seed 002 §2.4 §3.1: the same state has the same id, stored once; another selection has another", async () => {
    const again = await root.ok("snapshot.create", { paths: [".", "a", "a/x"] });
    expect(again.snapshot_id).toBe(snapshot);
    expect(again).toMatchObject({ files: 11, cache_hint: "immutable" });
    expect(await root.snapshot(["a"])).not.toBe(snapshot);
    expect((await root.refused("snapshot.create", { paths: ["a", "nowhere"] })).code).toBe("NOT_FOUND");
    expect((await root.refused("snapshot.create", { paths: [] })).code).toBe("INVALID_ARGUMENT");
  });

  it("seed 002 §3.1 §4: info tells fingerprint and size, no lease and no time; another user's id is unknown", async () => {
    const info = await root.ok("snapshot.info", { snapshot_id: snapshot });
    expect(Object.keys(info)).toEqual([
      "snapshot_id",
      "fingerprint",
      "manifest_stats",
      "manifest_hash",
      "derived_from",
      "applied_patch_hash",
      "cache_hint",
    ]);
    expect(info).toMatchObject({ manifest_stats: { files: 11, total_bytes: 45 }, derived_from: null });
    const other = await SnapshotRoot.signIn({ era });
    const foreign = await other.refused("snapshot.info", { snapshot_id: snapshot });
    const random = await other.refused("snapshot.info", { snapshot_id: unknown });
    expect(foreign.message.replace(snapshot, unknown)).toBe(random.message);
  });

  it("seed 002 §3.1: changes and diff tell what differs, renames only when asked for", async () => {
    const user = await SnapshotRoot.signIn({ era });
    await user.create({
      "same.txt": "same\n",
      "old.txt": "moved\n",
      "edit.txt": "one\n",
      "gone.txt": "gone\n",
      empty: "",
    });
    const before = await user.snapshot();
    await user.write("edit.txt", "two\n");
    await user.write("new/name.txt", "moved\n");
    for (const path of ["old.txt", "gone.txt", "empty"]) {
      await user.ok("workspace.delete", { path, lease_id: await user.lease() });
    }
    await user.create({ blank: "" });
    const after = await user.snapshot();
    const plain = await user.ok("snapshot.changes", { snapshot_id: after, from_snapshot_id: before });
    expect(plain.changes).toEqual([
      { path: "blank", status: "added" },
      { path: "edit.txt", status: "modified" },
      { path: "empty", status: "deleted" },
      { path: "gone.txt", status: "deleted" },
      { path: "new/name.txt", status: "added" },
      { path: "old.txt", status: "deleted" },
    ]);
    const exact = await user.ok("snapshot.changes", {
      snapshot_id: after,
      from_snapshot_id: before,
      rename_detection: "exact",
    });
    expect(exact.changes).toContainEqual({ path: "new/name.txt", status: "renamed", from: "old.txt" });
    expect(exact.counts).toEqual({ added: 1, modified: 1, deleted: 2, renamed: 1 });
    const page = await user.ok("snapshot.changes", { snapshot_id: after, from_snapshot_id: before, limit: 2 });
    expect([page.changes.length, page.total, page.truncated]).toEqual([2, 6, true]);

    const diff = await user.ok("snapshot.diff", { snapshot_id: after, from_snapshot_id: before, path: "edit.txt" });
    expect(diff.diff).toContain("@@ -1 +1 @@\n-one\n+two\n");
    expect(diff.stats).toEqual({ files: 1, added: 1, removed: 1 });
    const live = await user.ok("snapshot.diff", { mode: "worktree", snapshot_id: before, path: "edit.txt" });
    expect(live.diff).toBe(diff.diff);
    expect(live.from_snapshot_id).toBe(before);
    expect((await user.ok("snapshot.diff", { snapshot_id: after, from_snapshot_id: after })).diff).toBe("");
    expect((await user.refused("snapshot.diff", { path: "never" })).code).toBe("NOT_FOUND");
    expect(
      (await user.refused("snapshot.diff", { mode: "worktree", snapshot_id: before, from_snapshot_id: before })).code,
    ).toBe("INVALID_ARGUMENT");
  });
});

describe("a diff", () => {
  it("snapshot.md §7.5: has at most 4 MiB in UTF-8, over all its files", async () => {
    const root = await SnapshotRoot.signIn();
    const content = `${"é".repeat(99)}\n`.repeat(7500);
    await root.create({ "a.txt": content, "b.txt": content, "c.txt": content });
    const refused = await root.refused("snapshot.diff", {});
    expect(refused).toMatchObject({ code: "TOO_LARGE", details: { limit: "DIFF_MAX", max: 4 * 1024 * 1024 } });
    expect((await root.ok("snapshot.diff", { path: "a.txt" })).stats).toEqual({ files: 1, added: 7500, removed: 0 });
  });
});
