// What each call needs, as its refusal names it: one row for each way in which a tool is meant to be called.
const hash = "0".repeat(64);
const lease_id = "00000000-0000-4000-8000-000000000000";
const snapshot_id = `sha256:${hash}`;
export const path = "/work/a.md";
/** Scopes that reach nothing of what is asked for. */
export const elsewhere = "read:/elsewhere/ write:/elsewhere/";
/** No zip is open here, which only those may be told who may read this. */
const workspaces = "/.zipfs/workspaces/";
const patch = "--- a/work/a.md\n+++ b/work/a.md\n@@ -1 +1 @@\n-a\n+b\n";

/**
 * Tool, arguments, and the scope that its refusal names ("any" for those that name no path). Where that scope is not exactly
 * what the call needs, the last column says what is enough.
 */
export const tools: [tool: string, args: object, needs: string, enough?: string][] = [
  ["root.info", {}, "any"],
  ["file.create", { path, content: "" }, "write:/work/a.md"],
  ["file.list", {}, "read:/"],
  ["file.list", { path: "/work/sub" }, "read:/work/sub/"],
  ["file.remove", { path, hash }, "write:/work/a.md"],
  ["file.upload_url", { path }, "write:/work/a.md"],
  ["file.download_url", { path }, "read:/work/a.md"],
  ["text.read", { path }, "read:/work/a.md"],
  ["text.replace", { path, hash, lines: [1, 0], old: "a", new: "b" }, "write:/work/a.md"],
  ["text.insert", { path, hash, line: 1, anchor: "a", content: "b" }, "write:/work/a.md"],
  ["text.append", { path, hash, content: "b" }, "write:/work/a.md"],
  ["snapshot.create", {}, "any"],
  ["snapshot.create", { paths: ["work"] }, "read:/work"],
  ["snapshot.list", {}, "read:/"],
  ["snapshot.list", { path: "work" }, "read:/work/"],
  ["snapshot.file", { path: "work/a.md" }, "read:/work/a.md"],
  ["snapshot.grep", { query: "a" }, "read:/"],
  ["snapshot.grep", { query: "a", paths: ["work"] }, "read:/work"],
  ["snapshot.diff", {}, "read:/"],
  ["snapshot.diff", { path: "work" }, "read:/work"],
  ["snapshot.changes", { snapshot_id }, "any"],
  ["snapshot.info", { snapshot_id }, "any"],
  ["snapshot.export", { paths: ["work"] }, "read:/work"],
  ["workspace.apply_patch", { patch, lease_id }, "write:/work/a.md"],
  ["workspace.write_file", { path: "work/a.md", content: "", lease_id }, "write:/work/a.md"],
  ["workspace.delete", { path: "work/a.md", lease_id }, "write:/work/a.md"],
  ["workspace.restore", { snapshot_id, lease_id, paths: ["work"] }, "write:/work"],
  ["zipfs_open", { path: "/a.zip" }, "read:/a.zip", `read:/a.zip write:${workspaces}`],
  [
    "zipfs_open",
    { path: "/elsewhere/a.zip", name: "a" },
    `write:${workspaces}a/contents/`,
    `${elsewhere} write:${workspaces}a/`,
  ],
  ["zipfs_close", {}, `write:${workspaces}`, `read:${workspaces}`],
  ["zipfs_ls", {}, `read:${workspaces}`],
  ["zipfs_tree", {}, `read:${workspaces}`],
  ["zipfs_read", { path: "a" }, `read:${workspaces}`],
  ["zipfs_write", { path: "a", content: "" }, `write:${workspaces}`, `read:${workspaces}`],
  ["zipfs_delete", { path: "a" }, `write:${workspaces}`, `read:${workspaces}`],
  ["zipfs_grep", { pattern: "a" }, `read:${workspaces}`],
  ["zipfs_path", {}, `read:${workspaces}`],
  ["zipfs_sync", {}, `read:${workspaces}`],
  ["zipfs_status", {}, `read:${workspaces}`],
  ["zipfs_sessions", {}, `read:${workspaces}`],
  ["zipfs_prune", {}, `write:${workspaces}`],
  ["context.resolve", { cache: "a", query: "q", budget: 1000 }, "read:/caches/a/"],
  ["context.list_caches", {}, "read:/caches/"],
  ["context.inspect_cache", { cache: "a" }, "read:/caches/a/"],
  ["context.plan", { cache: "a", query: "q", budget: 1000 }, "read:/caches/a/"],
  ["context.build_cache", { cache: "a", sources: "/work" }, "read:/work/", "read:/work/ write:/caches/a/"],
  ["context.verify_cache", { cache: "a" }, "read:/caches/a/"],
];

export const uris: [uri: string, needs: string][] = [
  ["list://", "read:/"],
  ["list://work", "read:/work/"],
  ["list:///work/sub/", "read:/work/sub/"],
  ["list://notes/../work", "read:/work/"],
  ["list://my notes", "read:/my%20notes/"],
  ['list://%25%2A"', "read:/%25%2A%22/"],
  ["list://é", "read:/%C3%A9/"],
];
