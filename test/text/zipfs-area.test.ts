// /.zipfs belongs to zip sessions: no tool of this family writes there, by whatever spelling (text.md §2.4).
import { beforeAll, describe, expect, it } from "vitest";
import { TextRoot } from "./text-root";

const hash = "0".repeat(64);
const message = "/.zipfs is managed by zipfs; use zipfs_open and zipfs_close.";

let root: TextRoot;
beforeAll(async () => {
  root = await TextRoot.signIn();
});

describe("/.zipfs", () => {
  it.each([
    ["/.zipfs", "/.zipfs"],
    ["/.zipfs/x", "/.zipfs/x"],
    [".zipfs/s/contents/x", "/.zipfs/s/contents/x"],
    ["a/../.zipfs//./x/", "/.zipfs/x"],
  ])("is not written by way of %j", async (path, normalized) => {
    const refusal = { code: "INVALID_ARGUMENT", message, details: { argument: "path", path: normalized } };
    expect(await root.refused("file.create", { path, content: "x" })).toEqual(refusal);
    expect(await root.refused("file.remove", { path, hash })).toEqual(refusal);
    expect(await root.refused("text.append", { path, hash, content: "x" })).toEqual(refusal);
    expect(await root.refused("text.insert", { path, hash, line: 1, anchor: "", content: "x" })).toEqual(refusal);
    expect(await root.refused("text.replace", { path, hash, lines: [1, 0], old: "", new: "" })).toEqual(refusal);
    expect((await root.ok("file.list", {})).entries).not.toContainEqual({ name: ".zipfs", type: "directory" });
  });

  it("may be read and listed like anything else", async () => {
    expect((await root.refused("text.read", { path: "/.zipfs/x" })).code).toBe("NOT_FOUND");
    expect((await root.refused("file.list", { path: "/.zipfs" })).code).toBe("NOT_FOUND");
  });

  it("does not reserve names that only begin like it, nor the same name deeper", async () => {
    for (const path of ["/.zipfsx", "/.zipfs2/x", "/.Zipfs/x", "/a/.zipfs/x"]) await root.create(path, "x");
  });
});
