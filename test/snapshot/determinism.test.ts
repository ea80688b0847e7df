// Answers about a snapshot are pure functions of their arguments (snapshot.md §3.2): the same bytes each time, after a restart and after kill -9.
import { afterAll, beforeAll, expect, it } from "vitest";
import { freshUser, login } from "../harness/login";
import { type Server, startServer } from "../harness/server";
import { connect } from "../harness/tool-root";
import { SnapshotRoot, type SnapshotTool } from "./snapshot-root";

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

it("seed 002 §1.3 §5: every call on a snapshot gives identical bytes three times, after a restart and after kill -9", async () => {
  const user = freshUser("same");
  const { accessToken } = await login(server.url, { user });
  const root = new SnapshotRoot(await connect(server.url, user, accessToken, "2026-07-28"));
  await root.create({ "a.txt": "one\ntwo\n", "b/😀.txt": "x\n", "b/～.txt": "y\n", "bin.dat": Uint8Array.of(0, 255) });
  const base = await root.snapshot();
  const patch = "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+zwei\n";
  const { snapshot_id } = await root.ok("workspace.apply_patch", { patch, snapshot_id: base });
  // What happens to the live tree afterwards plays no part.
  await root.write("a.txt", "other\n");
  const calls: [SnapshotTool, object][] = [
    ["snapshot.list", { snapshot_id, depth: 64 }],
    ["snapshot.list", { snapshot_id, depth: 64, limit: 2, offset: 1 }],
    ["snapshot.file", { snapshot_id, path: "a.txt" }],
    ["snapshot.file", { snapshot_id, path: "bin.dat" }],
    ["snapshot.grep", { snapshot_id, query: "[a-z]+", regex: true }],
    ["snapshot.diff", { snapshot_id }],
    ["snapshot.changes", { snapshot_id, rename_detection: "exact" }],
    ["snapshot.info", { snapshot_id }],
    ["snapshot.export", { snapshot_id }],
    ["snapshot.export", { snapshot_id, format: "json" }],
    ["workspace.apply_patch", { snapshot_id: base, patch }],
  ];
  const answers = async () => {
    const texts = [];
    for (const [tool, args] of calls) texts.push((await root.result(tool, args)).text);
    return texts;
  };
  const first = await answers();
  for (const _ of ["second", "third"]) expect(await answers()).toEqual(first);
  await server.restart();
  expect(await answers()).toEqual(first);
  await server.kill();
  await server.restart();
  expect(await answers()).toEqual(first);
});
