// What tools take and show: workspace paths, session names and their resolution, backups, durations, trees, cursors, globs, changes.
import { describe, expect, it } from "vitest";
import type { RootPath } from "../path";
import { folderBackups, siblingBackups } from "./backup-names";
import { compareBaseline } from "./compare-baseline";
import { parseDuration, staleReason } from "./duration";
import { compileWorkspaceGlob } from "./glob";
import { decodeCursor, encodeCursor } from "./list-cursor";
import { isSessionName, resolveSession } from "./sessions";
import { parseWorkspacePath, workspaceHolding } from "./workspace-path";
import { renderTree } from "./workspace-tree";

describe("a workspace path", () => {
  it.each([
    ["", ""],
    [".", ""],
    ["/", ""],
    ["//a//./b/", "a/b"],
    ["...", "..."],
    ["..foo", "..foo"],
    [".git/x", ".git/x"],
  ])("%j is %j", (raw, path) => {
    expect(parseWorkspacePath(raw)).toEqual({ ok: true, value: path });
  });

  it.each([
    ["..", "PATH_TRAVERSAL"],
    ["a/..", "PATH_TRAVERSAL"],
    ["/../x", "PATH_TRAVERSAL"],
    ["C:x", "PATH_TRAVERSAL"],
    ["/c:/x", "PATH_TRAVERSAL"],
    ["a\0b", "INVALID_PARAMS"],
    ["a\\b", "INVALID_PARAMS"],
    ["\u007f", "INVALID_PARAMS"],
    ["\ud800", "INVALID_PARAMS"],
    ["x".repeat(256), "INVALID_PARAMS"],
    [`${"x".repeat(89)}/`.repeat(11), "INVALID_PARAMS"],
    ["d/".repeat(61), "INVALID_PARAMS"],
  ])("%j is refused with %s", (raw, code) => {
    expect(parseWorkspacePath(raw)).toMatchObject({ ok: false, error: { code } });
  });

  it("may not be written with a name of git", () => {
    expect(parseWorkspacePath("a/.GIT/x", true)).toMatchObject({ ok: false, error: { code: "INVALID_PARAMS" } });
  });

  it("knows which workspace holds a path of the root", () => {
    const holding = (path: string) => workspaceHolding(path as RootPath);
    expect(holding("/.zipfs/workspaces/q4/contents/a")).toBe("q4");
    for (const path of [
      "/.zipfs",
      "/.zipfs/workspaces/q4/contents",
      "/.zipfs/workspaces/q4/x",
      "/x/.zipfs/workspaces/q/contents/a",
    ]) {
      expect(holding(path), path).toBeNull();
    }
  });
});

describe("sessions", () => {
  const make = (id: string, name = "") => ({ id, name, sourcePath: `/${name || id.slice(0, 2)}.zip` });
  const a = make("3f2a91c4-0000-4000-8000-000000000001", "q4");
  const b = make("3f2a91c4-0000-4000-8000-000000000002");
  const c = make("abcdef12-0000-4000-8000-000000000003", "3f2a");

  it.each([
    ["q4", a],
    [b.id.toUpperCase(), b],
    ["3f2a", c],
    ["ABCD", c],
  ])("%j resolves", (wanted, session) => {
    expect(resolveSession([a, b, c], wanted)).toEqual({ ok: true, value: session });
  });

  it("tells what is wrong otherwise", () => {
    const message = (sessions: (typeof a)[], wanted?: string | null) => {
      const result = resolveSession(sessions, wanted);
      return result.ok ? result.value.id : `${result.error.code}: ${result.error.message}`;
    };
    expect(message([])).toBe("NO_SESSIONS: No sessions are open. Use zipfs_open with the path of a zip file.");
    expect(message([a], null)).toBe(a.id);
    expect(message([a], "")).toBe(a.id);
    expect(message([a, b])).toBe(
      'AMBIGUOUS_SESSION: 2 sessions are open: "q4" (/q4.zip), 3f2a91c4 (/3f.zip). Pass session=<name or id>.',
    );
    expect(message([a, b], "3f2a9")).toBe(
      'AMBIGUOUS_SESSION: "3f2a9" matches 2 sessions: "q4" (/q4.zip), 3f2a91c4 (/3f.zip). Pass session=<name or id>.',
    );
    expect(message([a], "abc")).toBe(
      'SESSION_NOT_FOUND: Session "abc" not found. Open sessions: "q4" (/q4.zip). Use zipfs_sessions to see them.',
    );
    expect(message([a, b, c], "3f2")).toMatch(/^SESSION_NOT_FOUND/);
    expect(
      message(
        Array.from({ length: 13 }, () => a),
        "none",
      ),
    ).toContain("and 3 more. Use");
  });

  it("have names that are no ids", () => {
    for (const name of ["q4", "A-b_9", "x".repeat(64), "deadbeef"]) expect(isSessionName(name), name).toBe(true);
    for (const name of ["", "a b", "x".repeat(65), "ä", "a/b", a.id, a.id.replaceAll("-", "").toUpperCase()]) {
      expect(isSessionName(name), name).toBe(false);
    }
  });
});

describe("backups", () => {
  it.each([
    ["/r/q4.zip", ["/r/q4.bak.zip", "/r/q4.bak.2.zip", "/r/q4.bak.3.zip"]],
    ["/x.tar.gz", ["/x.tar.bak.gz", "/x.tar.bak.2.gz", "/x.tar.bak.3.gz"]],
    ["/r/x", ["/r/x.bak", "/r/x.bak.2", "/r/x.bak.3"]],
    ["/r/.zip", ["/r/.zip.bak", "/r/.zip.bak.2", "/r/.zip.bak.3"]],
  ])("of %s", (source, names) => {
    expect(siblingBackups(source as RootPath, 3)).toEqual(names);
  });

  it("go to a folder where their names would be too long", () => {
    const source = `/${"n".repeat(253)}` as RootPath;
    expect(siblingBackups(source, 2)).toBeNull();
    expect(folderBackups("id", source, 2)).toEqual([
      "/.zipfs/backups/id/archive.bak.zip",
      "/.zipfs/backups/id/archive.bak.2.zip",
    ]);
  });
});

describe("durations", () => {
  it.each([
    ["24h", 86_400_000],
    ["7d", 604_800_000],
    ["1d12h", 129_600_000],
    ["1.5h", 5_400_000],
    ["100us", 0.1],
    ["1w", 604_800_000],
    [".5s", 500],
  ])("%s", (text, ms) => {
    expect(parseDuration(text)).toBeCloseTo(ms, 9);
  });

  it.each(["", "0s", "7", "d", "1 d", "-1h", "1h ", "1x", "1e3s", "1hh", `${"9".repeat(400)}h`])(
    "%j is none",
    (text) => {
      expect(parseDuration(text)).toBeNull();
    },
  );

  it("say how long ago", () => {
    expect([259_200_000, 18_060_000, 779_000, 5].map(staleReason)).toEqual([
      "stale (3d)",
      "stale (5h)",
      "stale (12m)",
      "stale (0m)",
    ]);
  });
});

describe("a tree", () => {
  it("stops after as many lines as it may have", () => {
    const items = Array.from({ length: 10 }, (_, index) => ({ path: `f${index}`, isDirectory: false }));
    expect(renderTree(items, 11)).toMatchObject({ files: 10, truncated: false });
    const cut = renderTree(items, 10);
    expect(cut).toMatchObject({ files: 9, directories: 0, truncated: true });
    expect(cut.tree.split("\n")).toHaveLength(10);
  });
});

describe("a cursor", () => {
  it("goes on with its own listing alone", () => {
    const listing = { sessionId: "s", path: "a", recursive: true };
    const cursor = encodeCursor({ ...listing, after: "a/é" });
    expect(decodeCursor(cursor, listing)).toBe("a/é");
    expect(decodeCursor(cursor, { ...listing, recursive: false })).toBeNull();
    for (const bad of ["", "x", "bnVsbA==", "W10=", `${cursor}=`]) expect(decodeCursor(bad, listing), bad).toBeNull();
    for (const after of ["", "a", "a/", "b/c", "ab", "a/../b", "a//b"]) {
      expect(decodeCursor(encodeCursor({ ...listing, after }), listing), after).toBeNull();
    }
    const flat = { ...listing, recursive: false };
    expect(decodeCursor(encodeCursor({ ...flat, after: "a/b/c" }), flat)).toBeNull();
    expect(decodeCursor(encodeCursor({ ...flat, after: "a/b" }), flat)).toBe("a/b");
    const lone = btoa('["s","a",true,"a/\\ud800"]');
    expect(decodeCursor(lone, listing)).toBeNull();
  });
});

describe("a glob", () => {
  it.each([
    ["*.txt", "a.txt", true],
    ["*.txt", "d/a.txt", true],
    ["*.txt", "a.txt.x", false],
    ["d/*.txt", "d/a.txt", true],
    ["d/*.txt", "d/e/a.txt", false],
    ["**/x", "x", true],
    ["**/x", "a/b/x", true],
    ["**/x", "ax", false],
    ["a/**", "a/b/c", true],
    ["a/**", "b/a/c", false],
    ["a/**/c", "a/c", true],
    ["a/**/c", "a/b/b/c", true],
    ["a/**/c", "abc", false],
    ["*.{ts,js}", "x.js", true],
    ["*.{ts,js}", "x.py", false],
    ["{a,b/*}", "b/c", true],
    ["x{1,{2,3}}", "x3", true],
    ["?", "é", true],
    ["?", "ab", false],
    ["[a-c]", "b", true],
    ["[^a-c]", "b", false],
    ["[!a-c]", "d", true],
    ["[]]", "]", true],
    ["\\*", "*", true],
    ["\\*", "a", false],
    ["[\\]]", "]", true],
    ["a**b", "axxb", true],
    ["**", "d/x", true],
    ["d/a**", "d/ab", true],
    ["d/a**", "d/ab/c", false],
    ["d/a?b", "d/a/b", false],
    ["d/a[!x]b", "d/a/b", false],
    ["d/a[.-0]b", "d/a/b", false],
    ["*a*a*a*b", "aaaaaaaaaa", false],
  ])("%s of %s: %s", (glob, path, expected) => {
    const compiled = compileWorkspaceGlob(glob);
    expect(compiled.ok && compiled.value(path)).toBe(expected);
  });

  it.each(["", "/a", "../a", "a/..", "[a", "a\\", "{a", "a}", "[z-a]", "{/a,b}"])("%j is refused", (glob) => {
    expect(compileWorkspaceGlob(glob).ok).toBe(false);
  });

  it("takes no longer for a hostile pattern", () => {
    const compiled = compileWorkspaceGlob("*a".repeat(400));
    expect(compiled.ok && compiled.value("a".repeat(255))).toBe(false);
  });
});

describe("changes", () => {
  it("are by content, in the order of bytes", () => {
    const changes = compareBaseline(
      new Map([
        ["a", "1"],
        ["b", "2"],
        ["c", "3"],
        ["～", "4"],
        ["😀", "5"],
      ]),
      new Map([
        ["b", "2"],
        ["c", "9"],
        ["d", "1"],
      ]),
    );
    expect(changes).toEqual({ modified: ["c"], added: ["d"], deleted: ["a", "～", "😀"], unchangedCount: 1 });
  });
});
