// file.remove: only what the caller has seen, and nothing but files.
import { beforeAll, describe, expect, it } from "vitest";
import { TextRoot } from "./text-root";

let root: TextRoot;
beforeAll(async () => {
  root = await TextRoot.signIn();
});

describe("file.remove", () => {
  it("MCP-011 MCP-050 removes a file, answers {}, and keeps its directory although it is empty", async () => {
    const path = "/d/only.md";
    const hash = await root.create(path, "x\n");
    expect(await root.ok("file.remove", { path, hash })).toEqual({});
    expect(await root.ok("file.list", { path: "/d" })).toEqual({
      path: "/d",
      entries: [],
      total: 0,
      truncated: false,
    });
    for (const tool of ["text.read", "file.remove"] as const) {
      expect(await root.refused(tool, { path, ...(tool === "file.remove" && { hash }) })).toEqual({
        code: "NOT_FOUND",
        message: `${path} does not exist. Call file.list with path "/d" to see what is there, or create it with file.create.`,
        details: { path },
      });
    }
  });

  it("MCP-011 removes a binary file by its hash too, and its name is free again", async () => {
    const hash = await root.create("/b.bin", Uint8Array.of(0, 255));
    await root.ok("file.remove", { path: "/b.bin", hash });
    await root.create("/b.bin/now/a/directory", "");
  });

  it("MCP-011 MCP-034 keeps a file whose hash is not the cited one", async () => {
    const hash = await root.create("/kept.md", "x\n");
    expect((await root.refused("file.remove", { path: "/kept.md", hash: "0".repeat(64) })).code).toBe("HASH_MISMATCH");
    expect((await root.read("/kept.md")).hash).toBe(hash);
  });

  it("MCP-011 MCP-052 refuses a directory and the root, and says that it removes files only", async () => {
    await root.create("/dir/file", "");
    for (const path of ["/dir", "/"]) {
      expect(await root.refused("file.remove", { path, hash: "0".repeat(64) })).toEqual({
        code: "INVALID_ARGUMENT",
        message: `${path} is a directory; file.remove removes files only.`,
        details: { argument: "path", path },
      });
    }
  });
});
