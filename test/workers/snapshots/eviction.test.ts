/** The same call about a snapshot has the same answer after the object was evicted, with nothing of it in memory (seed 002 §6). */
import { expect, it } from "vitest";
import type { SnapshotId } from "../../../src/domain/manifest";
import type { RootPath } from "../../../src/domain/path";
import { caller } from "../root";
import { SnapshotTestRoot, scopes, value } from "./snapshot-root";

const everything = "/" as RootPath;

/** Every tool that reads a snapshot. */
async function answers(root: SnapshotTestRoot, id: SnapshotId): Promise<unknown[]> {
  const { stub } = root.root;
  const view = root.view(null, id);
  const limits = { honoursGitignore: true, maxFiles: 10, maxMatches: 10 };
  const grep = { query: "a", regex: false, caseSensitive: true, paths: [everything], ...limits };
  const changes = { snapshotId: id, from: null, pairsRenames: false, limit: 10, offset: 0, scopes };
  return [
    await stub.snapshotInfo(caller, id),
    await root.list(view),
    await root.read("/deep/a", view),
    await stub.grepFiles(caller, view, grep),
    await stub.listChanges(caller, changes),
    await stub.diffStates(caller, view, everything, null),
    await stub.exportFiles(caller, view, [everything], "tar"),
    await stub.exportFiles(caller, view, [everything], "json"),
  ];
}

it("determinism: calls about a snapshot answer alike three times, and after evictions, whatever becomes of the live files", async () => {
  const root = new SnapshotTestRoot();
  await root.root.create("/deep/a", "kept\nand read\n");
  await root.root.create("/\u{1f600}", "a smile\n");
  const { snapshotId } = value(await root.capture(["/"]));
  const first = await answers(root, snapshotId);
  expect(first).toHaveLength(8);
  for (let time = 1; time < 3; time++) expect(await answers(root, snapshotId)).toEqual(first);
  value(await root.write("/deep/a", "since\n", await root.lease()));
  const later = await answers(root, snapshotId);
  for (let time = 0; time < 2; time++) {
    await root.root.evict();
    expect(await answers(root, snapshotId)).toEqual(later);
  }
  // Of all answers only the changes speak of the live files.
  const untouched = (list: unknown[]) => list.filter((_, index) => index !== 4);
  expect(untouched(later)).toEqual(untouched(first));
});
