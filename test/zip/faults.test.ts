// Object storage that has lost what it was given: the tools say so without a word of what is inside.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshUser, login } from "../harness/login";
import { noise } from "../harness/noise";
import { type Server, startServer } from "../harness/server";
import { connect } from "../harness/tool-root";
import { zipOf } from "../harness/zip-builder";
import { ZipRoot } from "./zip-root";

let server: Server;
let root: ZipRoot;
beforeAll(async () => {
  server = await startServer();
  const user = freshUser("zip-faults");
  const { accessToken } = await login(server.url, { user });
  root = ZipRoot.of(await connect(server.url, user, accessToken, "2026-07-28"));
});
afterAll(() => server.stop());

/** Empties the bucket under the running server. */
function loseObjects(): void {
  const folder = join(server.state, "v3", "r2", "miniflare-R2BucketObject");
  for (const name of readdirSync(folder).filter((one) => /^[0-9a-f]{64}\.sqlite$/.test(one))) {
    const database = new DatabaseSync(join(folder, name));
    database.exec("PRAGMA busy_timeout = 10000; DELETE FROM _mf_objects");
    database.close();
  }
}

describe("an archive whose bytes are gone", () => {
  it("zipfs.md §2.5 INTERNAL_ERROR: has no words but its own and an id; §6.1: a sync of it is SYNC_FAILED and the session stays", async () => {
    await root.opened("lost", zipOf([{ name: "a", data: noise(2_000_000, 1), method: 0 }]));
    await root.ok("zipfs_write", { path: "b", content: "new" });
    loseObjects();
    expect(await root.refused("zipfs_open", { path: "/in/lost.zip", name: "again" })).toEqual({
      code: "INTERNAL_ERROR",
      message: "Internal error.",
      details: { id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    });
    expect(await root.refused("zipfs_read", { path: "a" })).toMatchObject({
      code: "INTERNAL_ERROR",
      message: "Internal error.",
    });
    expect(await root.refused("zipfs_sync", {})).toEqual({
      code: "SYNC_FAILED",
      message: "Sync failed: the new archive could not be written. The source zip is untouched.",
    });
    expect((await root.ok("zipfs_sessions", {})).sessions).toMatchObject([{ name: "lost", state: "open" }]);
    expect((await root.ok("zipfs_status", {})).unsynced.added).toEqual(["b"]);
    expect(await root.ok("zipfs_close", {})).toMatchObject({ discarded: { added: 1 } });
  });
});
