import { type ContentFacts, scanContent } from "../../../domain/content-scan";
import type { Sha256 } from "../../../domain/hash";
import type { BlobBucket } from "../../../storage/blob-bucket";
import type { NodeRow } from "./check-tree";
import type { Problems } from "./report";

interface BlobRow extends Record<string, SqlStorageValue> {
  git_oid: string;
  size: number;
  lines: number | null;
  r2_key: string | null;
  is_inline: number;
  bytes: ArrayBuffer | null;
}

/** Reads every blob, from SQLite and from R2 where it is in both; returns what the readable ones are. */
export async function checkBlobs(
  sql: SqlStorage,
  bucket: BlobBucket,
  problems: Problems,
): Promise<Map<string, ContentFacts>> {
  const facts = new Map<string, ContentFacts>();
  const hashes = sql.exec<{ hash: Sha256 }>("SELECT hash FROM blobs").toArray();
  for (const { hash } of hashes) {
    const row = sql
      .exec<BlobRow>(
        "SELECT git_oid, size, lines, r2_key, is_inline, bytes FROM blobs LEFT JOIN contents USING (id) WHERE hash = ?",
        hash,
      )
      .toArray()[0];
    if (row === undefined) continue;
    if ((row.is_inline === 1) !== (row.bytes !== null)) {
      problems.add("blobs can be read", `blob ${hash} is wrong about where its bytes are`);
    }
    const inline = row.bytes === null ? null : scanContent(new Uint8Array(row.bytes));
    // In pieces: a blob may be larger than the memory of the object.
    const outside = row.r2_key === null ? null : await bucket.measure(row.r2_key);
    if (row.r2_key !== null && outside === null) problems.add("blobs can be read", `blob ${hash} is not in R2`);
    for (const found of [inline, outside]) {
      if (found === null) continue;
      if (found.blob !== hash || found.size !== row.size) {
        problems.add("blobs can be read", `blob ${hash} has other bytes`);
        continue;
      }
      if (found.gitOid !== row.git_oid || found.lines !== row.lines) {
        problems.add("facts of files", `blob ${hash} has a wrong git id or number of lines`);
      }
      facts.set(hash, found);
    }
  }
  const { left } = sql
    .exec<{ left: number }>("SELECT count(*) AS left FROM contents WHERE id NOT IN (SELECT id FROM blobs)")
    .one();
  if (left > 0) problems.add("blobs can be read", `${left} contents have no blob`);
  return facts;
}

/** A file is what its blob is. */
export function checkFile(node: NodeRow, facts: ReadonlyMap<string, ContentFacts>, problems: Problems): void {
  const blob = facts.get(node.blob ?? "");
  if (blob === undefined) {
    problems.add("blobs can be read", `${node.path} names ${node.blob}, which cannot be read`);
  } else if (blob.size !== node.size || blob.gitOid !== node.git_oid || blob.lines !== node.lines) {
    problems.add("facts of files", `${node.path} has a wrong size, git id or number of lines`);
  }
}
