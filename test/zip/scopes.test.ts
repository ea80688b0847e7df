// What each zip tool needs, what a refusal names, and that it tells nothing; other users' sessions do not exist.
import { beforeAll, describe, expect, it } from "vitest";
import { login } from "../harness/login";
import { connect, eras } from "../harness/tool-root";
import { zipOf } from "../harness/zip-builder";
import { type Outputs, ZipRoot } from "./zip-root";

type Tool = keyof Outputs & string;

let owner: ZipRoot;
beforeAll(async () => {
  owner = await ZipRoot.signIn();
  await owner.opened("q4", [
    { name: "a", data: "x" },
    { name: "d/b", data: "y" },
  ]);
});

async function narrowed(scope: string): Promise<ZipRoot> {
  const { accessToken } = await login(owner.url, { user: owner.user, scope });
  return ZipRoot.of(await connect(owner.url, owner.user, accessToken, "2025-11-25"));
}

const sessionTools: [Tool, object, "read" | "write"][] = [
  ["zipfs_ls", {}, "read"],
  ["zipfs_tree", {}, "read"],
  ["zipfs_read", { path: "a" }, "read"],
  ["zipfs_grep", { pattern: "x" }, "read"],
  ["zipfs_path", {}, "read"],
  ["zipfs_status", {}, "read"],
  ["zipfs_sync", {}, "read"],
  ["zipfs_write", { path: "n", content: "x" }, "write"],
  ["zipfs_delete", { path: "a" }, "write"],
  ["zipfs_close", {}, "write"],
];

describe("a token for another folder", () => {
  it("is refused by every tool, with the same words whether the session exists or not", async () => {
    const other = await narrowed("write:/elsewhere/");
    for (const [tool, args, verb] of sessionTools) {
      for (const session of [undefined, "q4", "no-such", "abcd1234"]) {
        const scope = await other.forbidden(tool, { ...args, ...(session !== undefined && { session }) });
        expect(scope, `${tool} ${session}`).toBe(`${verb}:/.zipfs/workspaces/`);
      }
    }
    expect(await other.forbidden("zipfs_sessions", {})).toBe("read:/.zipfs/workspaces/");
    expect(await other.forbidden("zipfs_prune", { all: true, dry_run: true })).toBe("write:/.zipfs/workspaces/");
  });

  it("is refused with 403 also where it asks for progress: the check comes before the answer starts", async () => {
    for (const era of eras) {
      const { accessToken } = await login(owner.url, { user: owner.user, scope: "write:/elsewhere/" });
      const other = await connect(owner.url, owner.user, accessToken, era);
      for (const name of ["zipfs_sync", "zipfs_close"]) {
        const params = { name, arguments: { session: "q4" }, _meta: { progressToken: "t" } };
        expect((await other.request("tools/call", params)).status, `${name} in ${era}`).toBe(403);
      }
    }
  });

  it("cannot open an archive that it may not read, nor one whose workspace it may not write", async () => {
    const reader = await narrowed("write:/.zipfs/workspaces/ read:/elsewhere/");
    expect(await reader.forbidden("zipfs_open", { path: "/in/q4.zip" })).toBe("read:/in/q4.zip");
    const writer = await narrowed("read:/in/");
    expect(await writer.forbidden("zipfs_open", { path: "/in/q4.zip" })).toBe("write:/.zipfs/workspaces/");
    expect(await writer.forbidden("zipfs_open", { path: "/in/q4.zip", name: "n" })).toBe(
      "write:/.zipfs/workspaces/n/contents/",
    );
    expect(await writer.forbidden("zipfs_open", { path: "/in/q4.zip", name: "not a name" })).toBe(
      "write:/.zipfs/workspaces/",
    );
  });
});

describe("a token for one workspace", () => {
  it("works in it, and not on its source", async () => {
    const inside = await narrowed("write:/.zipfs/workspaces/q4/contents/");
    expect((await inside.ok("zipfs_tree", { session: "q4" })).file_count).toBe(2);
    await inside.ok("zipfs_write", { session: "q4", path: "n", content: "x" });
    expect(await inside.forbidden("zipfs_sync", { session: "q4" })).toBe("write:/in/q4.zip");
    expect(await inside.forbidden("zipfs_close", { session: "q4", sync: true })).toBe("write:/in/q4.zip");
    expect(await inside.forbidden("zipfs_tree", { session: "none" })).toBe("read:/.zipfs/workspaces/");
    expect(await inside.forbidden("zipfs_sessions", {})).toBe("read:/.zipfs/workspaces/");
    await inside.ok("zipfs_delete", { session: "q4", path: "n" });
  });

  it("for direct children alone does not reach below", async () => {
    const shallow = await narrowed("read:/.zipfs/workspaces/q4/contents/*");
    await shallow.ok("zipfs_ls", { session: "q4" });
    await shallow.ok("zipfs_read", { session: "q4", path: "a" });
    for (const [tool, args] of [
      ["zipfs_ls", { recursive: true }],
      ["zipfs_tree", {}],
      ["zipfs_grep", { pattern: "x" }],
      ["zipfs_status", {}],
      ["zipfs_read", { path: "d/b" }],
    ] as [Tool, object][]) {
      expect(await shallow.forbidden(tool, { session: "q4", ...args }), tool).toBe("read:/.zipfs/workspaces/");
    }
    await shallow.ok("zipfs_path", { session: "q4" });
    const writer = await narrowed("write:/.zipfs/workspaces/q4/contents/* write:/in/ write:/.zipfs/workspaces/*");
    for (const [tool, args, verb] of [
      ["zipfs_delete", { path: "a", recursive: true }, "write"],
      ["zipfs_delete", { path: "d/b" }, "write"],
      ["zipfs_write", { path: "d/n", content: "" }, "write"],
      ["zipfs_close", {}, "write"],
      ["zipfs_sync", {}, "read"],
      ["zipfs_sync", { dry_run: true }, "read"],
    ] as [Tool, object, string][]) {
      expect(await writer.forbidden(tool, { session: "q4", ...args }), tool).toBe(`${verb}:/.zipfs/workspaces/`);
    }
    expect(await writer.forbidden("zipfs_sessions", {})).toBe("read:/.zipfs/workspaces/");
    expect(await writer.forbidden("zipfs_prune", { all: true })).toBe("write:/.zipfs/workspaces/");
    await writer.ok("zipfs_write", { session: "q4", path: "n", content: "" });
    await writer.ok("zipfs_delete", { session: "q4", path: "n" });
  });

  it("keeps backups in the session's folder where it may not write beside the source", async () => {
    await owner.put("/solo.zip", zipOf([{ name: "a", data: "x" }]));
    const { session_id: id } = await owner.ok("zipfs_open", { path: "/solo.zip", name: "solo" });
    const solo = await narrowed("write:/.zipfs/workspaces/ write:/solo.zip");
    await solo.ok("zipfs_write", { session: "solo", path: "b", content: "y" });
    expect((await solo.ok("zipfs_sync", { session: "solo" })).backup_path).toBe(`/.zipfs/backups/${id}/solo.bak.zip`);
  });
});

describe("another user", () => {
  it("meets nothing of a session by name, id or prefix", async () => {
    const stranger = await ZipRoot.signIn();
    const { sessions } = await owner.ok("zipfs_sessions", {});
    const id = String(sessions[0]?.id);
    for (const session of ["q4", id, id.slice(0, 8)]) {
      for (const [tool, args] of sessionTools) {
        const { code, message } = await stranger.refused(tool, { ...args, session });
        expect(code, tool).toBe("SESSION_NOT_FOUND");
        expect(message).toBe(
          `Session ${JSON.stringify(session)} not found. Open sessions: none. Use zipfs_sessions to see them.`,
        );
      }
    }
    expect((await stranger.refused("zipfs_open", { path: "/in/q4.zip" })).code).toBe("ZIP_NOT_FOUND");
    expect((await stranger.ok("zipfs_sessions", {})).sessions).toEqual([]);
    expect((await stranger.ok("zipfs_prune", { all: true })).pruned).toEqual([]);
    expect((await owner.ok("zipfs_tree", { session: "q4" })).file_count).toBe(2);
  });
});
