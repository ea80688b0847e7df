// The area of zip sessions in the snapshot family (snapshot.md §2.4): walks from above leave it out, naming it includes it, fingerprints cover it.
import { beforeAll, describe, expect, it } from "vitest";
import { zipOf } from "../harness/zip-builder";
import { bytesOfBundle, SnapshotRoot } from "./snapshot-root";

let root: SnapshotRoot;
/** The files of the workspace, as paths of this family. */
let contents: string;
beforeAll(async () => {
  root = await SnapshotRoot.signIn();
  await root.create({ "a.txt": "needle\n", "z.zip": zipOf([{ name: "inner.txt", data: "needle\n" }]) });
  const opened = await root.call("zipfs_open", { path: "/z.zip", name: "s" });
  expect(opened.body.result.isError ?? false, opened.text).toBe(false);
  const { path } = (await root.call("zipfs_path", { session: "s" })).body.result.structuredContent;
  contents = path.slice(1);
  expect(contents).toMatch(/^\.zipfs\/workspaces\//);
});

const bundled = (bundle: string) => JSON.parse(Buffer.from(bytesOfBundle(bundle)).toString()).entries.map(pathOf);
const pathOf = ({ path }: { path: string }) => path;

describe("walks from above", () => {
  it("leave /.zipfs out, live and captured", async () => {
    const above = { live: {}, captured: { snapshot_id: await root.snapshot([".", ".zipfs"]) } };
    for (const state of Object.values(above)) {
      const listed = await root.ok("snapshot.list", { ...state, depth: 64 });
      expect(listed.entries.map(pathOf)).toEqual(["a.txt", "z.zip"]);
      expect((await root.ok("snapshot.grep", { ...state, query: "needle" })).matches.map(pathOf)).toEqual(["a.txt"]);
      expect((await root.ok("snapshot.diff", state)).stats.files).toBe(2);
      expect(bundled((await root.ok("snapshot.export", { ...state, format: "json" })).bundle)).toEqual([
        "a.txt",
        "z.zip",
      ]);
    }
    expect((await root.ok("snapshot.create", { paths: ["."] })).files).toBe(2);
  });

  it("zipfs.md §1.3: are not direct listings, which show it like any other directory, live and captured", async () => {
    const snapshot_id = await root.snapshot([".", ".zipfs"]);
    for (const state of [{}, { snapshot_id }]) {
      const listed = await root.ok("snapshot.list", state);
      expect(listed.entries.map(pathOf)).toEqual([".zipfs", "a.txt", "z.zip"]);
      expect((await root.ok("snapshot.list", { ...state, depth: 2 })).entries.map(pathOf)).toEqual(["a.txt", "z.zip"]);
    }
  });

  it("find what is named at or below it, live and captured", async () => {
    const inner = `${contents}/inner.txt`;
    const captured = await root.ok("snapshot.create", { paths: [".zipfs"] });
    expect(captured.files).toBe(1);
    for (const state of [{}, { snapshot_id: captured.snapshot_id }]) {
      const { entries } = await root.ok("snapshot.list", { ...state, path: ".zipfs", depth: 64 });
      expect(entries.map(pathOf)).toContain(inner);
      const found = await root.ok("snapshot.grep", { ...state, query: "needle", paths: [".zipfs"] });
      expect(found.matches.map(pathOf)).toEqual([inner]);
      expect((await root.ok("snapshot.file", { ...state, path: inner })).content).toBe("needle\n");
      const exported = await root.ok("snapshot.export", { ...state, paths: [contents], format: "json" });
      expect(bundled(exported.bundle)).toEqual([inner]);
    }
  });

  it("remove nothing there, whatever a restore is to remove", async () => {
    const snapshot_id = await root.snapshot(["a.txt"]);
    const lease_id = await root.lease();
    const dry = await root.ok("workspace.restore", { snapshot_id, lease_id, delete_extra: true, dry_run: true });
    expect(dry).toMatchObject({ restored: [], deleted: ["z.zip"], unchanged: 1 });
  });
});

describe("a change there", () => {
  it("snapshot.md §5.6: moves the fingerprint and makes leases stale; only the contents of an open workspace can be written", async () => {
    const before = await root.fingerprint();
    const lease_id = await root.lease();
    const written = await root.ok("workspace.write_file", { path: `${contents}/new.txt`, content: "x", lease_id });
    expect(written.fingerprint).not.toEqual(before);
    expect((await root.refused("snapshot.list", { lease_id })).code).toBe("STALE_LEASE");
    for (const path of [".zipfs/x", `${contents.split("/").slice(0, 2).join("/")}/x`]) {
      const args = { path, content: "x", lease_id: written.lease_id, create_dirs: true };
      expect((await root.refused("workspace.write_file", args)).code, path).toBe("PERMISSION_DENIED");
      const patch = `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+x\n`;
      expect((await root.refused("workspace.apply_patch", { patch })).code, path).toBe("PERMISSION_DENIED");
    }
  });
});
