// When a session counts as used, and the times of what is in its workspace. The clock stands still until it is moved.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { RootPath } from "../../../src/domain/path";
import { parseScopes } from "../../../src/domain/scopes";
import { timestampExtra } from "../../harness/zip-builder";
import { clock, hourMs } from "../clock";
import { caller, freshRoot, okValue } from "../root";
import { good, source, ZipObject } from "./zip-object";

const request = { session: null, scopes: parseScopes("write:/") };
const range = { encoding: null, offset: 0, limit: 1000 };
const search = { pattern: "one", glob: null, ignoresCase: false, maxResults: 10, contextLines: 0 };
const listing = { recursive: false, limit: 10, cursor: null };

let zip: ZipObject;
beforeEach(async () => {
  clock.reset();
  zip = new ZipObject(freshRoot());
  await zip.put([
    { name: "a", data: "one" },
    { name: "d/b", data: "two" },
  ]);
  good(await zip.open());
  clock.advance(hourMs);
});
afterEach(() => {
  vi.useRealTimers();
});

/** How long ago the session was last used. */
async function idleMs(): Promise<number> {
  const [session] = await zip.sessions();
  return Date.now() - (session?.accessedAtMs ?? 0);
}

const write = { bytes: new TextEncoder().encode("x"), createsDirectories: true, hash: null };

describe("zipfs.md §2.4", () => {
  it("is counted from open on; looking at the list of sessions is no use of one", async () => {
    expect(await idleMs()).toBe(hourMs);
    expect(await idleMs()).toBe(hourMs);
  });

  it.each([
    ["zipfs_ls", () => zip.root.stub.listWorkspace(caller, { ...request, ...listing, path: "" })],
    ["zipfs_tree", () => zip.root.stub.showWorkspaceTree(caller, { ...request, path: "", maxDepth: 0 })],
    ["zipfs_read", () => zip.root.stub.readWorkspaceFile(caller, { ...request, ...range, path: "a" })],
    ["zipfs_write", () => zip.root.stub.writeWorkspaceFile(caller, { ...request, ...write, path: "new" })],
    ["zipfs_delete", () => zip.root.stub.deleteFromWorkspace(caller, { ...request, path: "a", recursive: false })],
    ["zipfs_grep", () => zip.root.stub.grepWorkspace(caller, { ...request, ...search, path: "" })],
    ["zipfs_path", () => zip.root.stub.zipPath(caller, request)],
    ["zipfs_status", () => zip.root.stub.zipStatus(caller, request)],
    ["zipfs_sync", () => zip.root.stub.syncZip(caller, { ...request, force: false }, null)],
  ])("%s is a use", async (_, call) => {
    expect(await call()).toMatchObject({ admitted: true, value: { ok: true } });
    expect(await idleMs()).toBe(0);
  });

  it.each([
    ["zipfs_ls", () => zip.root.stub.listWorkspace(caller, { ...request, ...listing, path: "no" })],
    ["zipfs_tree", () => zip.root.stub.showWorkspaceTree(caller, { ...request, path: "a", maxDepth: 0 })],
    ["zipfs_read", () => zip.root.stub.readWorkspaceFile(caller, { ...request, ...range, path: "d" })],
    ["zipfs_write", () => zip.root.stub.writeWorkspaceFile(caller, { ...request, ...write, path: "d" })],
    ["zipfs_delete", () => zip.root.stub.deleteFromWorkspace(caller, { ...request, path: "d", recursive: false })],
    ["zipfs_grep", () => zip.root.stub.grepWorkspace(caller, { ...request, ...search, path: "no" })],
  ])("%s is none where it is refused", async (_, call) => {
    expect(await call()).toMatchObject({ admitted: true, value: { ok: false } });
    expect(await idleMs()).toBe(hourMs);
  });

  it("a dry sync is none, nor is an edit by another family", async () => {
    expect(await zip.root.stub.previewSync(caller, request)).toMatchObject({ value: { ok: true } });
    const path = "/.zipfs/workspaces/s/contents/new" as RootPath;
    await zip.root.stub.createFile(caller, path, new Uint8Array(0));
    expect(await idleMs()).toBe(hourMs);
  });
});

describe("zipfs.md §3.5: modified_at", () => {
  const times = async () => {
    const listed = await zip.root.stub.listWorkspace(caller, { ...request, ...listing, path: "", recursive: true });
    if (!listed.admitted) throw new Error(listed.refusal);
    return new Map(good(listed.value).entries.map(({ name, timeMs }) => [name, timeMs]));
  };

  it("is that of the entry, the last of a directory, or the time of open where there is none, it is zero, or no date", async () => {
    good(await zip.close());
    const stamp = Date.UTC(2020, 1, 2, 3, 4, 5);
    okValue(await zip.root.remove(source, (await zip.sourceHash()) ?? ""));
    await zip.put([
      { name: "e/" },
      { name: "e/", extra: timestampExtra(stamp / 1000) },
      { name: "implied/x", extra: timestampExtra(stamp / 1000) },
      { name: "none", time: new Date("1980-00-00") },
      { name: "zero", extra: timestampExtra(0) },
    ]);
    good(await zip.open());
    expect([...(await times())]).toEqual([
      ["e", stamp],
      ["implied", Date.now()],
      ["implied/x", stamp],
      ["none", Date.now()],
      ["zero", Date.now()],
    ]);
  });

  it("of a file is that of its last change; of a directory that of its making, whatever happens in it", async () => {
    const before = await times();
    clock.advance(hourMs);
    good(await zip.write("d/b", "three"));
    good(await zip.write("d/new/c", "four"));
    const changedMs = Date.now();
    clock.advance(hourMs);
    good(await zip.delete("d/new/c"));
    expect(await times()).toEqual(
      new Map([
        ["a", before.get("a")],
        ["d", before.get("d")],
        ["d/b", changedMs],
        ["d/new", changedMs],
      ]),
    );
  });
});
