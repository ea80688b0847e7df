// workspace.write_file, .delete, .restore and .apply_patch (seed 002 §3.2, snapshot.md §7.9 – §7.12) through the tools. The patch grammar: src/domain/patch.
import { createHash } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { SnapshotRoot } from "./snapshot-root";

let root: SnapshotRoot;
beforeEach(async () => {
  root = await SnapshotRoot.signIn();
  await root.create({ "a.txt": "one\ntwo\nthree\n", "src/b.txt": "beta\n", "src/deep/c.txt": "gamma\n" });
});

async function files(): Promise<string[]> {
  const { entries } = await root.ok("snapshot.list", { depth: 64 });
  return entries.filter((entry) => entry.type === "file").map((entry) => entry.path);
}

describe("workspace.write_file", () => {
  it("seed 002 §3.2: creates and overwrites under a lease; a dry run changes nothing", async () => {
    const lease_id = await root.lease();
    const dry = await root.ok("workspace.write_file", { path: "a.txt", content: "new", lease_id, dry_run: true });
    expect(dry).toMatchObject({ written: false, created: false, size: 3, lease_id });
    const over = await root.ok("workspace.write_file", { path: "a.txt", content: "new", lease_id });
    expect(over).toMatchObject({ written: true, created: false, hash: dry.hash });
    const made = await root.ok("workspace.write_file", {
      path: "n/e/w.bin",
      content: "base64:AAH/",
      lease_id: over.lease_id,
      create_dirs: true,
    });
    expect(made).toMatchObject({ created: true, size: 3 });
    expect((await root.ok("snapshot.file", { path: "n/e/w.bin" })).content).toBe("base64:AAH/");
  });

  it("names the missing parent, refuses a file as parent, a directory as target and the root", async () => {
    const lease_id = await root.lease();
    const write = (path: string) => root.refused("workspace.write_file", { path, content: "x", lease_id });
    expect(await write("no/such/x")).toMatchObject({ code: "NOT_FOUND", details: { path: "no/such" } });
    expect((await write("a.txt/x")).code).toBe("INVALID_ARGUMENT");
    expect((await write("src")).code).toBe("INVALID_ARGUMENT");
    expect((await write(".")).code).toBe("PERMISSION_DENIED");
    for (const path of ["/x", "../x", "a/../x", "~/x", "C:/x"]) {
      expect((await write(path)).code, path).toBe("PERMISSION_DENIED");
    }
    expect((await write(".zipfs/x")).code).toBe("PERMISSION_DENIED");
    const none = await root.refused("workspace.write_file", { path: "x", content: "x" });
    expect(none.message).toBe(
      "lease_id: nothing was given; look at the files first, for example with snapshot.list, and pass the lease_id it returns.",
    );
    expect((await root.refused("workspace.write_file", { path: "x", content: "base64:A", lease_id })).code).toBe(
      "INVALID_ARGUMENT",
    );
  });
});

describe("workspace.delete", () => {
  it("seed 002 §3.2: deletes a file, an empty directory, and a full one only when told to", async () => {
    const lease_id = await root.lease();
    const refused = await root.refused("workspace.delete", { path: "src", lease_id });
    expect(refused).toMatchObject({ code: "INVALID_ARGUMENT" });
    expect(refused.message).toContain("2 files");
    const dry = await root.ok("workspace.delete", { path: "src", lease_id, recursive: true, dry_run: true });
    expect(dry).toMatchObject({ deleted: false, files: 2, lease_id });
    const gone = await root.ok("workspace.delete", { path: "src", lease_id, recursive: true });
    expect(gone).toMatchObject({ deleted: true, files: 2 });
    expect(await files()).toEqual(["a.txt"]);
    await root.ok("workspace.delete", { path: "a.txt", lease_id: gone.lease_id });
    const last = await root.lease();
    expect((await root.refused("workspace.delete", { path: "a.txt", lease_id: last })).code).toBe("NOT_FOUND");
    expect((await root.refused("workspace.delete", { path: ".", lease_id: last })).code).toBe("PERMISSION_DENIED");
    expect((await root.ok("root.info", {})).used).toEqual({ files: 0, bytes: 0 });
  });

  it("keeps the history of what it removed, so that a re-created file shows its change", async () => {
    const { hash } = await root.ok("text.read", { path: "a.txt" });
    await root.ok("workspace.delete", { path: "a.txt", lease_id: await root.lease() });
    await root.create({ "a.txt": "one\n" });
    const stale = await root.refused("text.append", { path: "a.txt", hash, content: "x" });
    expect(stale.code).toBe("HASH_MISMATCH");
    expect(stale.details?.diff).toContain("-two\n");
  });
});

describe("workspace.restore", () => {
  it("brings captured bytes back, keeps what was not captured, removes it when told to", async () => {
    const snapshot_id = await root.snapshot();
    await root.write("a.txt", "changed\n");
    await root.write("extra.txt", "extra\n");
    await root.ok("workspace.delete", { path: "src", recursive: true, lease_id: await root.lease() });
    const lease_id = await root.lease();
    const dry = await root.ok("workspace.restore", { snapshot_id, lease_id, dry_run: true });
    expect(dry).toMatchObject({ restored: ["a.txt", "src/b.txt", "src/deep/c.txt"], deleted: [], unchanged: 0 });
    const done = await root.ok("workspace.restore", { snapshot_id, lease_id });
    expect(done.restored).toEqual(dry.restored);
    expect(await files()).toEqual(["a.txt", "extra.txt", "src/b.txt", "src/deep/c.txt"]);
    const clean = await root.ok("workspace.restore", { snapshot_id, lease_id: done.lease_id, delete_extra: true });
    expect(clean).toMatchObject({ restored: [], deleted: ["extra.txt"], unchanged: 3 });
    expect(await root.snapshot()).toBe(snapshot_id);
  });

  it("restores only the paths given, and names what the snapshot does not hold", async () => {
    const snapshot_id = await root.snapshot(["src"]);
    await root.write("src/b.txt", "x");
    await root.write("src/deep/c.txt", "y");
    const lease_id = await root.lease();
    const some = await root.ok("workspace.restore", { snapshot_id, lease_id, paths: ["src/deep"] });
    expect(some.restored).toEqual(["src/deep/c.txt"]);
    const refused = await root.refused("workspace.restore", { snapshot_id, lease_id: some.lease_id, paths: ["a.txt"] });
    expect(refused.code).toBe("NOT_FOUND");
  });

  it("seed 002 §1.3: lists what it restored and removed by the bytes of the paths, whatever the order of its arguments", async () => {
    const snapshot_id = await root.snapshot();
    await root.ok("workspace.delete", { path: "src/b.txt", lease_id: await root.lease() });
    await root.ok("workspace.delete", { path: "a.txt", lease_id: await root.lease() });
    await root.create({ "src/deep/z": "z", "src/c": "c" });
    const done = await root.ok("workspace.restore", {
      snapshot_id,
      lease_id: await root.lease(),
      paths: ["src/deep", "src", "a.txt"],
      delete_extra: true,
    });
    expect(done).toMatchObject({
      restored: ["a.txt", "src/b.txt"],
      deleted: ["src/c", "src/deep/z"],
      unchanged: 1,
    });
  });

  it("names a file that stands where a directory must be; delete_extra clears the way", async () => {
    const snapshot_id = await root.snapshot();
    await root.ok("workspace.delete", { path: "src", recursive: true, lease_id: await root.lease() });
    await root.create({ src: "a file now" });
    const lease_id = await root.lease();
    const refused = await root.refused("workspace.restore", { snapshot_id, lease_id });
    expect(refused).toMatchObject({ code: "INVALID_ARGUMENT", details: { path: "src" } });
    await root.ok("workspace.restore", { snapshot_id, lease_id, delete_extra: true });
    expect(await root.snapshot()).toBe(snapshot_id);
  });

  it("names a directory that stands where a file must be; delete_extra clears the way", async () => {
    const snapshot_id = await root.snapshot();
    await root.ok("workspace.delete", { path: "a.txt", lease_id: await root.lease() });
    await root.create({ "a.txt/inner.txt": "x" });
    const lease_id = await root.lease();
    expect((await root.refused("workspace.restore", { snapshot_id, lease_id })).code).toBe("INVALID_ARGUMENT");
    await root.ok("workspace.restore", { snapshot_id, lease_id, delete_extra: true });
    expect(await root.snapshot()).toBe(snapshot_id);
  });
});

describe("workspace.apply_patch", () => {
  const patch =
    "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+new\n";

  it("seed 002 §3.2: applies all of it to the live tree, with a new lease and fingerprint", async () => {
    const before = await root.fingerprint();
    const done = await root.ok("workspace.apply_patch", { patch, lease_id: await root.lease() });
    expect(done.applied).toEqual([
      { path: "a.txt", status: "ok" },
      { path: "new.txt", status: "ok" },
    ]);
    expect(done.fingerprint).not.toEqual(before);
    expect((await root.ok("text.read", { path: "a.txt" })).content).toBe("one\nTWO\nthree\n");
    expect((await root.refused("workspace.apply_patch", { patch: "nothing here" })).code).toBe("INVALID_ARGUMENT");
  });

  it("seed 002 §3.2 §1.3: rejects all of it as a result, path by path, and says what stands there", async () => {
    const wrong = patch
      .replace("-two", "-zwei")
      .replace("/dev/null", "a/src/b.txt")
      .replace("b/new.txt", "b/src/b.txt");
    const lease_id = await root.lease();
    const done = await root.ok("workspace.apply_patch", {
      patch: wrong.replace("@@ -0,0 +1 @@\n+new\n", "@@ -1 +1 @@\n-nope\n+new\n"),
      lease_id,
    });
    expect(done).toMatchObject({
      applied: [],
      lease_id,
      rejects: [
        { path: "a.txt", hunks: [{ index: 0, reason: "context_mismatch", line: 2, expected: "zwei", found: "two" }] },
        { path: "src/b.txt", hunks: [{ index: 0, reason: "context_mismatch" }] },
      ],
    });
    expect((await root.ok("text.read", { path: "a.txt" })).content).toBe("one\ntwo\nthree\n");
  });

  it("seed 002 §3.2: makes a new snapshot of a snapshot, with its lineage, and leaves the live tree alone", async () => {
    const base = await root.snapshot();
    const live = await root.fingerprint();
    const dry = await root.ok("workspace.apply_patch", { patch, snapshot_id: base, dry_run: true });
    expect(dry).toMatchObject({ snapshot_id: base, dry_run: true });
    const first = await root.ok("workspace.apply_patch", { patch, snapshot_id: base });
    const second = await root.ok("workspace.apply_patch", { patch, snapshot_id: base });
    expect(second.snapshot_id).toBe(first.snapshot_id);
    expect(await root.fingerprint()).toEqual(live);
    const info = await root.ok("snapshot.info", { snapshot_id: first.snapshot_id });
    expect(info).toMatchObject({ derived_from: base, manifest_stats: { files: 4, total_bytes: 29 } });
    expect(info.fingerprint).toEqual((await root.ok("snapshot.info", { snapshot_id: base })).fingerprint);
    const { diff } = await root.ok("snapshot.diff", { snapshot_id: first.snapshot_id });
    expect(diff).toContain("-two\n+TWO\n");
    expect((await root.refused("snapshot.file", { path: "new.txt" })).code).toBe("NOT_FOUND");
  });

  it("snapshot.md §7.9: tells the hash of the patch as sent, strips as told, and takes no reject_on_conflict but true", async () => {
    const base = await root.snapshot();
    const { snapshot_id } = await root.ok("workspace.apply_patch", { patch, snapshot_id: base });
    const { applied_patch_hash } = await root.ok("snapshot.info", { snapshot_id });
    expect(applied_patch_hash).toBe(`sha256:${createHash("sha256").update(patch).digest("hex")}`);
    const bare = patch.replaceAll(/^(---|\+\+\+) [ab]\//gm, "$1 ");
    const stripped = await root.ok("workspace.apply_patch", {
      patch: bare,
      strip: 0,
      reject_on_conflict: true,
      dry_run: true,
    });
    expect(stripped.applied.map(({ path }) => path)).toEqual(["a.txt", "new.txt"]);
    for (const args of [{ reject_on_conflict: false }, { strip: 33 }, { strip: -1 }, { patch: "" }]) {
      expect((await root.refused("workspace.apply_patch", { patch, ...args })).code).toBe("INVALID_ARGUMENT");
    }
  });

  it("snapshot.md §5.4 §5.5: a dry run, of a restore too, gives the lease back as it was and touches nothing", async () => {
    const snapshot_id = await root.snapshot();
    await root.write("a.txt", "one\ntwo\nthree\nfour\n");
    const { lease_id, fingerprint } = await root.ok("snapshot.list", { path: "nothing-is-here" });
    const added = "--- a/a.txt\n+++ b/a.txt\n@@ -4 +4 @@\n-four\n+five\n";
    const dry = { lease_id, dry_run: true };
    const judged = await root.ok("workspace.apply_patch", { patch: added, ...dry });
    expect(judged).toMatchObject({ applied: [{ path: "a.txt", status: "ok" }], lease_id, fingerprint, dry_run: true });
    expect(await root.ok("workspace.restore", { snapshot_id, ...dry })).toMatchObject({ lease_id, fingerprint });
    expect((await root.ok("snapshot.create", { lease_id })).files).toBe(0);
    expect((await root.ok("text.read", { path: "a.txt" })).content).toBe("one\ntwo\nthree\nfour\n");
  });

  it("seed 002 §1.2: refuses names that leave the root with PERMISSION_DENIED", async () => {
    for (const name of ["../x", "/etc/passwd"]) {
      const evil = `--- ${name}\n+++ ${name}\n@@ -1 +1 @@\n-one\n+x\n`;
      expect((await root.refused("workspace.apply_patch", { patch: evil, strip: 0 })).code).toBe("PERMISSION_DENIED");
    }
  });
});
