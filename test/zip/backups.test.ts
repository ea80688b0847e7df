// Where the replaced bytes of a sync go: siblings, three deep, or the session's folder. Names of backups: src/domain/zip/arguments.test.ts.
import { beforeEach, describe, expect, it } from "vitest";
import { bytesOf } from "../harness/zip-builder";
import { book } from "./book";
import { ZipRoot } from "./zip-root";

let root: ZipRoot;
let id: string;
beforeEach(async () => {
  root = await ZipRoot.signIn({ era: "2026-07-28" });
  id = (await root.opened("q", book)).session_id;
});

async function synced() {
  return root.ok("zipfs_sync", {});
}

async function namesBeside(directory: string): Promise<string[]> {
  return (await root.ok("file.list", { path: directory })).entries.map(({ name }) => name);
}

describe("zipfs.md §6.4: backups", () => {
  const edit = (content: string) => root.ok("zipfs_write", { path: "a.txt", content });

  it("go to the session's folder where a sibling name is a directory", async () => {
    await root.put("/in/q.bak.3.zip/file", bytesOf("x"));
    await edit("new");
    expect((await synced()).backup_path).toBe(`/.zipfs/backups/${id}/q.bak.zip`);
    expect(await namesBeside("/in")).toEqual(["q.bak.3.zip", "q.zip"]);
  });

  it("move up where one was removed, and go on rotating in the next session", async () => {
    for (const content of ["1", "2"]) {
      await edit(content);
      await synced();
    }
    const [newest, oldest] = [await root.bytes("/in/q.zip"), await root.bytes("/in/q.bak.2.zip")];
    const { zip_hash: former } = await root.ok("zipfs_open", { path: "/in/q.bak.zip", name: "former" });
    await root.ok("file.remove", { path: "/in/q.bak.zip", hash: former });
    await root.ok("zipfs_prune", { all: true });
    await root.ok("zipfs_open", { path: "/in/q.zip" });
    await edit("3");
    expect((await synced()).backup_path).toBe("/in/q.bak.zip");
    expect(await root.bytes("/in/q.bak.zip")).toEqual(newest);
    expect(await root.bytes("/in/q.bak.2.zip")).toEqual(oldest);
    expect(await root.get("/in/q.bak.3.zip")).toBeNull();
  });

  it("rotate as siblings, three deep; a name that is taken sends them to the session's folder", async () => {
    const versions = [await root.bytes("/in/q.zip")];
    for (let round = 0; round < 5; round++) {
      await root.ok("zipfs_write", { path: "round", content: `${round}` });
      expect((await root.ok("zipfs_sync", {})).backup_path).toBe("/in/q.bak.zip");
      versions.unshift(await root.bytes("/in/q.zip"));
    }
    for (const [index, name] of ["q.zip", "q.bak.zip", "q.bak.2.zip", "q.bak.3.zip"].entries()) {
      expect(await root.bytes(`/in/${name}`), name).toEqual(versions[index]);
    }
    await root.put("/in/q.bak.2.zip", bytesOf("somebody's own"));
    await root.ok("zipfs_write", { path: "round", content: "last" });
    expect((await root.ok("zipfs_sync", {})).backup_path).toBe(`/.zipfs/backups/${id}/q.bak.zip`);
    expect(await root.bytes("/in/q.bak.2.zip")).toEqual(bytesOf("somebody's own"));
    expect(await root.bytes(`/.zipfs/backups/${id}/q.bak.zip`)).toEqual(versions[0]);
  });
});
