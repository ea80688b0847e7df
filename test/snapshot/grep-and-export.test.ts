// snapshot.grep and snapshot.export through the tools (seed 002 §3.1, snapshot.md §10, §11). The matcher and the bundles themselves: src/domain.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { bytesOfBundle, SnapshotRoot } from "./snapshot-root";

let root: SnapshotRoot;
let snapshot: string;
beforeAll(async () => {
  root = await SnapshotRoot.signIn();
  await root.create({
    "a.txt": "needle\nhay needle needle\n",
    "b/c.txt": "Needle\n",
    "b/ignored.log": "needle\n",
    "bin.dat": Uint8Array.of(110, 101, 101, 100, 108, 101, 0),
    ".gitignore": "*.log\n",
    "ünï.txt": "é😀needle\n",
  });
  snapshot = await root.snapshot();
});

describe("snapshot.grep", () => {
  it("seed 002 §1.3 §3.1: finds by line and column in code points, in path order, the same in both modes", async () => {
    const live = await root.ok("snapshot.grep", { query: "needle" });
    const captured = await root.ok("snapshot.grep", { query: "needle", snapshot_id: snapshot });
    expect(live.matches).toEqual([
      {
        path: "a.txt",
        lines: [
          { line: 1, col: 1, text: "needle" },
          { line: 2, col: 5, text: "hay needle needle" },
          { line: 2, col: 12, text: "hay needle needle" },
        ],
      },
      { path: "ünï.txt", lines: [{ line: 1, col: 3, text: "é😀needle" }] },
    ]);
    expect(captured.matches).toEqual(live.matches);
    expect([live.files_searched, captured.files_searched]).toEqual([4, 4]);
  });

  it("seed 002 §3.1: honours ignore rules and max_files, excludes binary files, and says when it stopped", async () => {
    const all = await root.ok("snapshot.grep", { query: "needle", ignore_rules: "none", case_sensitive: false });
    expect(all.matches.map((file) => file.path)).toEqual(["a.txt", "b/c.txt", "b/ignored.log", "ünï.txt"]);
    const named = await root.ok("snapshot.grep", { query: "needle", paths: ["b/ignored.log", "nowhere"] });
    expect(named.matches.map((file) => file.path)).toEqual(["b/ignored.log"]);
    expect((await root.ok("snapshot.grep", { query: "needle", max_files: 1 })).truncated).toBe(true);
    const few = await root.ok("snapshot.grep", { query: "needle", max_matches: 2 });
    expect([few.matches[0]?.lines.length, few.truncated]).toEqual([2, true]);
  });

  it("takes RE2 expressions, refuses what is not regular, and is not slowed by a nasty one", async () => {
    const found = await root.ok("snapshot.grep", { query: "^(n|N)ee+dle$", regex: true });
    expect(found.matches.map((file) => file.path)).toEqual(["a.txt", "b/c.txt"]);
    for (const query of ["(?=x)", "(a)\\1", "(", "a{1001}"]) {
      expect((await root.refused("snapshot.grep", { query, regex: true })).code, query).toBe("INVALID_ARGUMENT");
    }
    for (const query of ["", "a\nb", "x".repeat(1001)]) {
      expect((await root.refused("snapshot.grep", { query })).code).toBe("INVALID_ARGUMENT");
    }
    const user = await SnapshotRoot.signIn();
    await user.create({ "aaa.txt": `${"a".repeat(1_000_000)}b\n` });
    const slow = await user.ok("snapshot.grep", { query: "(a+)+$", regex: true });
    expect(slow.matches).toEqual([]);
  });
});

describe("snapshot.export", () => {
  it("seed 002 §3.1: gives the same bundle every time, whose hash it tells, and tar lists the files", async () => {
    const one = await root.ok("snapshot.export", { snapshot_id: snapshot });
    const two = await root.ok("snapshot.export", {});
    expect(two.bundle).toBe(one.bundle);
    const bytes = bytesOfBundle(one.bundle);
    expect(one.summary).toMatchObject({ files: 6, bundle_bytes: bytes.length });
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(one.summary.bundle_sha256);
    const listed = execFileSync("tar", ["-tf", "-"], { input: bytes, env: { ...process.env, LC_ALL: "C.UTF-8" } });
    expect(listed.toString().split("\n").slice(0, 3)).toEqual([".gitignore", "a.txt", "b/c.txt"]);
  });

  it("exports canonical JSON, refuses a path with nothing there, and a bundle over 8 MiB", async () => {
    const { bundle } = await root.ok("snapshot.export", { format: "json", paths: ["b/c.txt"] });
    expect(Buffer.from(bytesOfBundle(bundle)).toString()).toMatch(
      /^\{"entries":\[\{"blob":"sha256:[0-9a-f]{64}","content":"Needle\\n","path":"b\/c\.txt"\}\]\}$/,
    );
    expect((await root.refused("snapshot.export", { paths: ["nowhere"] })).code).toBe("NOT_FOUND");
    const user = await SnapshotRoot.signIn();
    await user.create({ "big.txt": "x".repeat(8 * 1024 * 1024) });
    const refused = await user.refused("snapshot.export", {});
    expect(refused).toMatchObject({ code: "TOO_LARGE", details: { limit: "EXPORT_MAX", max: 8 * 1024 * 1024 } });
  });
});
