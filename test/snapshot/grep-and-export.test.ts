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

describe("ignore rules", () => {
  const rulesOf = (bytes: number) => `${"#".repeat(bytes - 1)}\n`;
  const without = 'pass ignore_rules: "none" to go without ignore rules.';

  it("of more than 256 KiB are refused by name; below an excluded directory they are not read at all", async () => {
    const user = await SnapshotRoot.signIn();
    await user.create({
      ".gitignore": "out/\n",
      "sub/.gitignore": rulesOf(262_144),
      "out/.gitignore": rulesOf(400_000),
    });
    await user.create({ "sub/a.txt": "needle\n", "out/b.txt": "needle\n" });
    const found = await user.ok("snapshot.grep", { query: "needle" });
    expect(found.matches.map((file) => file.path)).toEqual(["sub/a.txt"]);
    await user.write("sub/.gitignore", rulesOf(262_145));
    const refusal = {
      code: "TOO_LARGE",
      message: `sub/.gitignore has 262145 bytes, and ignore rules are honoured up to 262144. Shorten it, or ${without}`,
      details: { limit: "IGNORE_FILE_MAX", max: 262_144, actual: 262_145, path: "sub/.gitignore" },
    };
    expect(await user.refused("snapshot.grep", { query: "needle" })).toEqual(refusal);
    expect(await user.refused("snapshot.list", { ignore_rules: "git", depth: 2 })).toEqual(refusal);
    const all = await user.ok("snapshot.grep", { query: "needle", ignore_rules: "none" });
    expect(all.matches.map((file) => file.path)).toEqual(["out/b.txt", "sub/a.txt"]);
  });

  it("of more than 512 KiB together, or of too much work, are refused", async () => {
    const user = await SnapshotRoot.signIn();
    for (const folder of ["a", "b", "c"]) await user.create({ [`${folder}/.gitignore`]: rulesOf(180_000) });
    const query = "needle";
    expect(await user.refused("snapshot.grep", { query })).toEqual({
      code: "TOO_LARGE",
      message: `The .gitignore files on the way have 540000 bytes or more together, and 524288 are honoured. Narrow the paths, or ${without}`,
      details: { limit: "IGNORE_TOTAL_MAX", max: 524_288, actual: 540_000 },
    });
    await user.ok("snapshot.grep", { query, paths: ["a", "b"] });

    const slow = Array.from({ length: 10_000 }, (_, index) => `**/*aaaaaaaab${index}*`).join("\n");
    const deep = `${"a".repeat(190)}/`.repeat(5);
    await user.create({ "slow/.gitignore": slow, [`slow/${deep}x`]: "needle\n" });
    for (const [tool, args] of [
      ["snapshot.grep", { query, paths: ["slow"] }],
      ["snapshot.list", { path: "slow", depth: 64, ignore_rules: "git" }],
    ] as const) {
      const { code, message, details } = await user.refused(tool, args);
      expect({ code, limit: details?.limit }).toEqual({ code: "TOO_LARGE", limit: "IGNORE_WORK_MAX" });
      expect(message).toContain(without);
    }
    await user.ok("snapshot.grep", { query, paths: ["slow"], ignore_rules: "none" });
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
