// Every tool of seed 003 and every error code, over MCP in both eras. Not covered here: hostile archives, other programs, scopes.
import { beforeAll, describe, expect, it } from "vitest";
import { eras } from "../harness/tool-root";
import { bytesOf, zipOf } from "../harness/zip-builder";
import { book } from "./book";
import { ZipRoot } from "./zip-root";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
describe.each(eras)("the walk of seed 003 in the %s era", (era) => {
  it("zipfs_open, zipfs_ls, zipfs_tree, zipfs_read, zipfs_write, zipfs_delete, zipfs_grep, zipfs_path, zipfs_status, zipfs_sync, zipfs_sessions, zipfs_close and zipfs_prune", async () => {
    const root = await ZipRoot.signIn({ era });
    const opened = await root.opened("q4", book);
    expect(opened).toMatchObject({
      session_id: expect.stringMatching(uuid),
      name: "q4",
      workspace_path: "/.zipfs/workspaces/q4/contents",
      repo_path: ".zipfs/workspaces/q4/contents",
      file_count: 3,
      extracted_size_bytes: 32,
      source_path: "/in/q4.zip",
      warnings: [],
    });
    expect(await root.ok("zipfs_path", {})).toEqual({ path: opened.workspace_path, repo_path: opened.repo_path });
    expect((await root.ok("zipfs_tree", {})).tree).toBe(".\n├── a.txt\n├── d/\n│   ├── b.txt\n│   └── bin\n└── empty/");
    expect((await root.ok("zipfs_ls", { path: "d" })).entries.map(({ name }) => name)).toEqual(["b.txt", "bin"]);
    const { hash: readHash, ...read } = await root.ok("zipfs_read", { path: "a.txt", offset: 6, limit: 4 });
    expect(read).toEqual({
      content: "beta",
      size_bytes: 4,
      encoding: "utf-8",
      total_size_bytes: 18,
      offset: 6,
      next_offset: 10,
      truncated: true,
    });
    expect(readHash).toMatch(/^[0-9a-f]{64}$/);
    expect(await root.ok("zipfs_grep", { pattern: "^beta" })).toEqual({
      matches: [
        { file: "a.txt", line_number: 2, line_content: "beta" },
        { file: "d/b.txt", line_number: 1, line_content: "beta again" },
      ],
      total_matches: 2,
      truncated: false,
      skipped_binary: 1,
      incomplete: false,
    });

    const written = await root.ok("zipfs_write", { path: "/d/b.txt", content: "beta changed" });
    expect(written).toMatchObject({ written: true, size_bytes: 12, path: "d/b.txt", created: false });
    expect(await root.ok("zipfs_write", { path: "n/new", content: "AAH/", encoding: "base64" })).toMatchObject({
      created: true,
    });
    expect(await root.ok("zipfs_delete", { path: "a.txt" })).toEqual({
      deleted: true,
      path: "a.txt",
      files_deleted: 1,
    });
    // Other families work on the same files.
    const { hash } = await root.ok("text.read", { path: `${opened.workspace_path}/d/b.txt` });
    expect(hash).toBe(written.hash);
    await root.ok("text.append", { path: `${opened.workspace_path}/d/b.txt`, hash, content: " twice" });
    await root.ok("file.create", { path: `${opened.workspace_path}/by-create`, content: "x" });

    const changes = { modified: ["d/b.txt"], added: ["by-create", "n/new"], deleted: ["a.txt"] };
    expect(await root.ok("zipfs_status", {})).toEqual({
      ...changes,
      unchanged_count: 1,
      unsynced: { ...changes, dirs_changed: true },
    });
    const before = await root.bytes("/in/q4.zip");
    const preview = await root.ok("zipfs_sync", { dry_run: true });
    expect(preview).toMatchObject({
      synced: false,
      backup_path: "",
      files_modified: 1,
      files_added: 2,
      files_deleted: 1,
      ...changes,
      conflict: false,
      source_missing: false,
    });
    const synced = await root.ok("zipfs_sync", {});
    expect(synced).toMatchObject({
      synced: true,
      backup_path: "/in/q4.bak.zip",
      files_modified: 1,
      files_added: 2,
      files_deleted: 1,
      unchanged: false,
    });
    expect(synced.size_bytes ?? 0).toBeLessThanOrEqual(preview.estimated_size_bytes ?? 0);
    expect(await root.bytes("/in/q4.bak.zip")).toEqual(before);
    expect((await root.bytes("/in/q4.zip")).length).toBe(synced.size_bytes);
    const status = await root.ok("zipfs_status", {});
    expect(status).toMatchObject({
      ...changes,
      unsynced: { modified: [], added: [], deleted: [], dirs_changed: false },
    });
    expect(await root.ok("zipfs_sync", {})).toMatchObject({
      unchanged: true,
      backup_path: "",
      zip_hash: synced.zip_hash,
    });

    expect((await root.ok("zipfs_sessions", {})).sessions).toMatchObject([
      {
        id: opened.session_id,
        name: "q4",
        state: "open",
        file_count: 3,
        extracted_size_bytes: 32,
        current_file_count: 4,
      },
    ]);
    await root.ok("zipfs_write", { path: "lost", content: "x" });
    expect(await root.ok("zipfs_close", {})).toEqual({
      closed: true,
      synced: false,
      discarded: { modified: 0, added: 1, deleted: 0 },
    });
    expect((await root.ok("zipfs_sessions", {})).sessions).toEqual([]);
    expect(await root.get(`${opened.workspace_path}/d/b.txt`)).toBeNull();
    expect(await root.ok("zipfs_prune", { all: true })).toEqual({ pruned: [], freed_bytes: 0 });

    // What was synced is what opens again.
    await root.ok("zipfs_open", { path: "in/q4.zip", name: "again" });
    const files = await root.files("again");
    expect([...files.keys()]).toEqual(["by-create", "d/b.txt", "d/bin", "n/new"]);
    expect(new TextDecoder().decode(files.get("d/b.txt"))).toBe("beta changed\n twice");
  });
});

describe("refusals of seed 003", () => {
  let root: ZipRoot;
  beforeAll(async () => {
    root = await ZipRoot.signIn();
  });

  const refusal = async (tool: Parameters<ZipRoot["refused"]>[0], args: object) => {
    const { code, message } = await root.refused(tool, args);
    return `${code}: ${message}`;
  };

  it("NO_SESSIONS, ZIP_NOT_FOUND, ZIP_INVALID of a directory, PATH_TRAVERSAL and INVALID_PARAMS before anything is open", async () => {
    expect(await refusal("zipfs_ls", {})).toBe(
      "NO_SESSIONS: No sessions are open. Use zipfs_open with the path of a zip file.",
    );
    expect(await refusal("zipfs_open", { path: "/none.zip" })).toBe(
      'ZIP_NOT_FOUND: Zip file "/none.zip" not found in your root.',
    );
    await root.put("/dir/x", bytesOf("x"));
    expect(await refusal("zipfs_open", { path: "/dir" })).toBe(
      'ZIP_INVALID: File "/dir" is not a valid zip archive: it is a directory.',
    );
    for (const path of ["../x.zip", "/a/../../x", "C:\\x.zip", "c:/x.zip", "a\\b.zip"]) {
      expect((await root.refused("zipfs_open", { path })).code, path).toBe("PATH_TRAVERSAL");
    }
    for (const args of [{}, { path: "" }, { path: 7 }, { path: "/x", nmae: "y" }, { path: "/x", name: 5 }]) {
      expect((await root.refused("zipfs_open", args)).code, JSON.stringify(args)).toBe("INVALID_PARAMS");
    }
    expect((await root.refused("zipfs_open", { path: "/dir/x", name: "no good" })).code).toBe("INVALID_PARAMS");
    expect((await root.refused("zipfs_open", { path: "/dir/x" })).code).toBe("ZIP_INVALID");
  });

  it("SESSION_NOT_FOUND, AMBIGUOUS_SESSION and NAME_COLLISION with two sessions open", async () => {
    const one = await root.opened("one", book);
    const two = await root.opened("two", book);
    expect(await refusal("zipfs_tree", { session: "zzz" })).toBe(
      'SESSION_NOT_FOUND: Session "zzz" not found. Open sessions: "one" (/in/one.zip), "two" (/in/two.zip). Use zipfs_sessions to see them.',
    );
    expect(await refusal("zipfs_path", { session: null })).toBe(
      'AMBIGUOUS_SESSION: 2 sessions are open: "one" (/in/one.zip), "two" (/in/two.zip). Pass session=<name or id>.',
    );
    expect((await root.ok("zipfs_path", { session: two.session_id.slice(0, 13).toUpperCase() })).path).toBe(
      two.workspace_path,
    );
    expect(await refusal("zipfs_open", { path: "/in/two.zip", name: "one" })).toBe(
      `NAME_COLLISION: Session name "one" is already in use by session ${one.session_id} (/in/one.zip). Close it or choose another name.`,
    );
  });

  it("PATH_TRAVERSAL, PATH_NOT_FOUND and INVALID_PARAMS of paths and arguments in a workspace", async () => {
    const session = "one";
    expect(await refusal("zipfs_read", { session, path: "../x" })).toBe(
      'PATH_TRAVERSAL: Path "../x" attempts to escape the workspace.',
    );
    expect(await refusal("zipfs_read", { session, path: "no/such" })).toBe(
      'PATH_NOT_FOUND: Path "no/such" not found in the workspace.',
    );
    const wrong: [Parameters<ZipRoot["refused"]>[0], object][] = [
      ["zipfs_read", { path: "d" }],
      ["zipfs_read", { path: "a.txt", encoding: "latin1" }],
      ["zipfs_read", { path: "a.txt", limit: 0 }],
      ["zipfs_read", { path: "d/bin", encoding: "utf-8" }],
      ["zipfs_write", { path: "d", content: "x" }],
      ["zipfs_write", { path: "a.txt/x", content: "x" }],
      ["zipfs_write", { path: ".git/x", content: "x" }],
      ["zipfs_write", { path: "x", content: "A", encoding: "base64" }],
      ["zipfs_write", { path: "a.txt", content: "x", hash: "0".repeat(64) }],
      ["zipfs_write", { path: "", content: "x" }],
      ["zipfs_delete", { path: "d" }],
      ["zipfs_delete", { path: "/", recursive: true }],
      ["zipfs_grep", { pattern: "(" }],
      ["zipfs_grep", { pattern: "a(?=b)" }],
      ["zipfs_grep", { pattern: "x", glob: "[z-a]" }],
      ["zipfs_grep", { pattern: "x", max_results: 1001 }],
      ["zipfs_tree", { max_depth: 1.5 }],
      ["zipfs_ls", { cursor: "bad" }],
      ["zipfs_sync", { dry_run: "yes" }],
      ["zipfs_sync", { dryrun: true }],
    ];
    for (const [tool, args] of wrong) {
      expect((await root.refused(tool, { session, ...args })).code, `${tool} ${JSON.stringify(args)}`).toBe(
        "INVALID_PARAMS",
      );
    }
    for (const stale of ["", "7", "1 d", "-1h", "0s"]) {
      expect(await refusal("zipfs_prune", { stale })).toBe("INVALID_PARAMS: stale: use a duration such as 24h or 7d.");
    }
    expect((await root.refused("zipfs_write", { session, path: "no/x", content: "x", create_dirs: false })).code).toBe(
      "PATH_NOT_FOUND",
    );
    expect((await root.refused("zipfs_write", { session, path: "no", content: "x", hash: "0".repeat(64) })).code).toBe(
      "PATH_NOT_FOUND",
    );
  });

  it("LIMIT_EXCEEDED of content, sessions and nesting", async () => {
    const large = await root.refused("zipfs_write", {
      session: "one",
      path: "x",
      content: "x".repeat(8 * 1024 * 1024 + 1),
    });
    expect(large).toMatchObject({ code: "LIMIT_EXCEEDED", message: expect.stringContaining("PUT /files/") });
    const other = await ZipRoot.signIn();
    const inner = [0, 1, 2, 3, 4].reduce((bytes) => zipOf([{ name: "n.zip", data: bytes, method: 0 }]), zipOf([]));
    await other.put("/n.zip", inner);
    let path = "/n.zip";
    for (const name of ["n0", "n1", "n2", "n3"]) {
      path = `${(await other.ok("zipfs_open", { path, name })).workspace_path}/n.zip`;
    }
    expect((await other.refused("zipfs_open", { path, name: "n4" })).code).toBe("LIMIT_EXCEEDED");
    for (let count = 4; count < 32; count++) await other.ok("zipfs_open", { path: "/n.zip" });
    const refused = await other.refused("zipfs_open", { path: "/n.zip" });
    expect(refused).toMatchObject({ code: "LIMIT_EXCEEDED", message: expect.stringContaining("max sessions (32)") });
    const pruned = await other.ok("zipfs_prune", { all: true, dry_run: true });
    expect(pruned.pruned).toHaveLength(32);
    expect(pruned.pruned[0]).toMatchObject({ name: "n0", reason: "all sessions", had_unsynced_changes: false });
    expect((await other.ok("zipfs_prune", { all: true })).freed_bytes).toBe(pruned.freed_bytes);
    expect((await other.ok("zipfs_sessions", {})).sessions).toEqual([]);
  });

  it("CONFLICT_DETECTED, force, ZIP_NOT_FOUND of a deleted source, SYNC_FAILED of a directory in its place", async () => {
    const other = await ZipRoot.signIn();
    await other.opened("c", book);
    await other.ok("zipfs_write", { path: "new", content: "mine" });
    const foreign = zipOf([{ name: "theirs" }]);
    await other.put("/in/c.zip", foreign);
    expect(await other.ok("zipfs_sync", { dry_run: true })).toMatchObject({ conflict: true, source_missing: false });
    expect(await other.refused("zipfs_sync", {})).toEqual({
      code: "CONFLICT_DETECTED",
      message: "Source zip /in/c.zip has been modified since it was opened. Use force=true to overwrite.",
      details: { source_path: "/in/c.zip" },
    });
    expect((await other.refused("zipfs_close", { sync: true })).code).toBe("CONFLICT_DETECTED");
    expect((await other.ok("zipfs_sessions", {})).sessions).toMatchObject([{ state: "open" }]);
    expect(await other.ok("zipfs_sync", { force: true })).toMatchObject({ synced: true, backup_path: "/in/c.bak.zip" });
    expect(await other.bytes("/in/c.bak.zip")).toEqual(foreign);

    const hash = (await other.ok("zipfs_sync", {})).zip_hash;
    await other.ok("file.remove", { path: "/in/c.zip", hash });
    const gone = 'Source zip "/in/c.zip" was deleted since it was opened. Use force=true to write it again.';
    expect(await other.refused("zipfs_sync", {})).toMatchObject({ code: "ZIP_NOT_FOUND", message: gone });
    expect(await other.ok("zipfs_sync", { dry_run: true })).toMatchObject({ conflict: true, source_missing: true });
    expect(await other.ok("zipfs_sync", { force: true })).toMatchObject({ backup_path: "", zip_hash: hash });

    await other.ok("file.remove", { path: "/in/c.zip", hash });
    await other.put("/in/c.zip/file", bytesOf("x"));
    expect(await other.refused("zipfs_sync", { force: true })).toEqual({
      code: "SYNC_FAILED",
      message: "Sync failed: the source path is a directory now. The source zip is untouched.",
    });
  });
});
