// Syncs against the limits of a deployment, which are set low here (ZIP_LIMITS). The limits of an open: the tests beside the source.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { freshUser, login } from "../harness/login";
import { noise } from "../harness/noise";
import { type Server, startServer } from "../harness/server";
import { connect } from "../harness/tool-root";
import { ZipRoot } from "./zip-root";

const limits = { zipBytes: 20_000, extractedBytes: 60_000, fileBytes: 30_000, entries: 5, backups: 2 };

let server: Server;
beforeAll(async () => {
  server = await startServer({ vars: { ZIP_LIMITS: JSON.stringify(limits) } });
});
afterAll(() => server.stop());

let root: ZipRoot;
let workspace: string;
beforeEach(async () => {
  const user = freshUser("zip-limits");
  const { accessToken } = await login(server.url, { user });
  root = ZipRoot.of(await connect(server.url, user, accessToken, "2026-07-28"));
  workspace = (await root.opened("l", [{ name: "a", data: "x" }])).workspace_path;
});

const zeros = (size: number) => new Uint8Array(size);
/** To less than a fifth, and not so small that it would have to be stored. */
const deflatable = (size: number) => noise(size, 3).map((byte) => byte & 1);

describe("zipfs.md §6.5: an archive that could not be opened again is LIMIT_EXCEEDED, and the source untouched", () => {
  it.each([
    ["of too many bytes", [["n", noise(21_000, 1)]]],
    ["with a file too large", [["z", zeros(30_001)]]],
    ["with too many bytes in its files", ["x", "y", "z"].map((name) => [name, zeros(25_000)])],
    ["of too many entries", ["v", "w", "x", "y", "z"].map((name) => [name, zeros(1)])],
  ] as [string, [string, Uint8Array][]][])("%s", async (_, files) => {
    const before = await root.bytes("/in/l.zip");
    for (const [name, bytes] of files) await root.put(`${workspace}/${name}`, bytes);
    const refused = await root.refused("zipfs_sync", {});
    expect(refused.code, refused.message).toBe("LIMIT_EXCEEDED");
    expect(refused.message).toContain("the source zip is untouched");
    expect((await root.refused("zipfs_close", { sync: true })).code).toBe("LIMIT_EXCEEDED");
    expect(await root.bytes("/in/l.zip")).toEqual(before);
    expect(await root.get("/in/l.bak.zip")).toBeNull();
    expect((await root.ok("zipfs_sessions", {})).sessions).toMatchObject([{ state: "open", last_synced_at: null }]);
  });

  it("goes through exactly at the limits", async () => {
    const sizes = { v: 9_999, w: 10_000, x: 10_000, y: 30_000 };
    for (const [name, size] of Object.entries(sizes)) await root.put(`${workspace}/${name}`, deflatable(size));
    const { size_bytes: size = 0 } = await root.ok("zipfs_sync", {});
    expect(size).toBeLessThan(limits.zipBytes);
    await root.ok("zipfs_close", {});
    expect(await root.ok("zipfs_open", { path: "/in/l.zip" })).toMatchObject({
      file_count: limits.entries,
      extracted_size_bytes: limits.extractedBytes,
    });
  });
});

describe("zipfs.md §6.4: BACKUP_DEPTH", () => {
  it("is how many backups are kept; the oldest is dropped", async () => {
    const versions = [await root.bytes("/in/l.zip")];
    for (const content of ["1", "2", "3"]) {
      await root.ok("zipfs_write", { path: "a", content });
      await root.ok("zipfs_sync", {});
      versions.unshift(await root.bytes("/in/l.zip"));
    }
    expect(await root.bytes("/in/l.bak.zip")).toEqual(versions[1]);
    expect(await root.bytes("/in/l.bak.2.zip")).toEqual(versions[2]);
    expect(await root.get("/in/l.bak.3.zip")).toBeNull();
  });
});
