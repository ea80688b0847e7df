import type { BlobBucket } from "../../../storage/blob-bucket";
import type { CheckReport } from "../../contract";
import type { Snapshots } from "../../snapshots";
import { isNamed } from "../../store/blobs";
import { checkBlobs, checkFile } from "./check-blobs";
import { checkFilters } from "./check-filters";
import { checkLeases } from "./check-leases";
import { checkSnapshots } from "./check-snapshots";
import { checkTree, checkUsage, type NodeRow } from "./check-tree";
import { Problems } from "./report";

/** Holds everything of the user against the invariants of ARCHITECTURE.md, reading every byte. Changes nothing. */
export async function checkRoot(sql: SqlStorage, bucket: BlobBucket, snapshots: Snapshots): Promise<CheckReport> {
  const problems = new Problems();
  // Rows in one step: what is judged together was true together.
  const nodes = sql.exec<NodeRow>("SELECT * FROM nodes ORDER BY path").toArray();
  const versions = sql.exec<{ path: string; blob: string }>("SELECT path, blob FROM versions").toArray();
  const usage = sql.exec<{ files: number; directories: number; bytes: number }>("SELECT * FROM usage").one();
  const status = sql.exec<{ value: string }>("SELECT value FROM meta WHERE key = 'status_hash'").toArray()[0];
  const blobs = sql
    .exec<{ hash: string; condemned_at_ms: number | null; named: number; stray: number }>(
      `SELECT hash, condemned_at_ms, (${isNamed}) AS named,
              EXISTS (SELECT 1 FROM stray_objects WHERE stray_objects.r2_key = blobs.r2_key) AS stray FROM blobs`,
    )
    .toArray();
  const deposited = new Set(
    sql
      .exec<{ hash: string }>("SELECT item.value AS hash FROM deposits, json_each(hashes) AS item")
      .toArray()
      .map(({ hash }) => hash),
  );

  checkTree(nodes, status?.value ?? null, problems);
  checkUsage(nodes, usage, problems);
  checkLeases(sql, problems);
  checkFilters(sql, problems);
  for (const { hash, condemned_at_ms: condemned, named, stray } of blobs) {
    if (named === 0 && condemned === null && !deposited.has(hash)) {
      problems.add("delete order", `blob ${hash} is named by nothing and not condemned`);
    }
    if (stray === 1) problems.add("delete order", `blob ${hash} has an object that counts as stray`);
  }
  const facts = await checkBlobs(sql, bucket, problems);
  for (const node of nodes.filter((one) => one.kind === "file")) checkFile(node, facts, problems);
  for (const { path, blob } of versions) {
    if (!facts.has(blob)) problems.add("blobs can be read", `the history of ${path} names ${blob}, which is gone`);
  }
  return {
    files: nodes.filter((node) => node.kind === "file").length,
    directories: nodes.filter((node) => node.kind === "directory").length,
    blobs: facts.size,
    snapshots: await checkSnapshots(sql, snapshots, problems),
    problemCount: problems.count,
    problems: problems.list,
  };
}
