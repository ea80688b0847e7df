import { countByteLines } from "../../domain/byte-lines";
import { fingerprintOf } from "../../domain/fingerprint";
import { emptyTreeOid, type GitOid, gitBlobId, gitTreeId, type TreeEntry } from "../../domain/git-objects";
import { type Sha256, sha256Hex } from "../../domain/hash";
import { nameOf, normalizePath, parentOf, type RootPath } from "../../domain/path";
import { isText } from "../../domain/text-kind";
import type { BlobBucket } from "../../storage/blob-bucket";
import type { CheckReport, RootProblem } from "../contract";
import { isNamed } from "../store/blobs";

const problemsMax = 100;

interface NodeRow extends Record<string, SqlStorageValue> {
  path: string;
  parent: string;
  name: string;
  kind: "directory" | "file";
  blob: string | null;
  git_oid: string | null;
  size: number;
  lines: number | null;
}

interface BlobFacts {
  readonly size: number;
  readonly gitOid: string;
  readonly lines: number | null;
}

/** Holds everything in the object against the invariants of ARCHITECTURE.md, reading every byte. Changes nothing. */
export async function checkRoot(sql: SqlStorage, bucket: BlobBucket): Promise<CheckReport> {
  const problems: RootProblem[] = [];
  let problemCount = 0;
  const report = (rule: string, what: string) => {
    problemCount++;
    if (problems.length < problemsMax) problems.push({ rule, what });
  };
  // Rows in one step: what is judged together was true together.
  const nodes = sql.exec<NodeRow>("SELECT * FROM nodes ORDER BY path").toArray();
  const versions = sql.exec<{ path: string; blob: string }>("SELECT path, blob FROM versions").toArray();
  const usage = sql.exec<{ files: number; directories: number; bytes: number }>("SELECT * FROM usage").one();
  const unnamed = sql
    .exec<{ hash: string; condemned_at_ms: number | null; named: number }>(
      `SELECT hash, condemned_at_ms, (${isNamed}) AS named FROM blobs`,
    )
    .toArray();

  checkTree(nodes, report);
  checkUsage(nodes, usage, report);
  for (const { hash, condemned_at_ms: condemned, named } of unnamed) {
    if (named === 0 && condemned === null) report("delete order", `blob ${hash} is named by nothing and not condemned`);
  }
  const facts = await checkBlobs(sql, bucket, report);
  for (const node of nodes.filter((one) => one.kind === "file")) checkFile(node, facts, report);
  for (const { path, blob } of versions) {
    if (!facts.has(blob)) report("blobs can be read", `the history of ${path} names ${blob}, which is gone`);
  }
  return {
    files: nodes.filter((node) => node.kind === "file").length,
    directories: nodes.filter((node) => node.kind === "directory").length,
    blobs: facts.size,
    problemCount,
    problems,
  };
}

type Report = (rule: string, what: string) => void;

function checkTree(nodes: readonly NodeRow[], report: Report): void {
  const kinds = new Map(nodes.map((node) => [node.path, node.kind]));
  if (kinds.get("/") !== "directory") report("tree", "there is no root directory");
  for (const { path, parent, name } of nodes) {
    if (path === "/") continue;
    const normal = normalizePath(path);
    if (!normal.ok || normal.value !== path) report("tree", `${path} is not a normalized path`);
    if (parent !== parentOf(path as RootPath) || name !== nameOf(path as RootPath)) {
      report("tree", `${path} has the parent ${parent} and the name ${name}`);
    }
    if (kinds.get(parent) !== "directory") report("tree", `${path} lies in ${parent}, which is no directory`);
  }
  const files = nodes.filter((node) => node.kind === "file");
  const ids = treeIds(nodes);
  for (const { path, kind, git_oid: cached } of nodes) {
    if (kind === "directory" && cached !== null && cached !== ids.get(path)) {
      report("fingerprint", `${path} has the tree id ${cached}, it should be ${ids.get(path)}`);
    }
  }
  const whole = fingerprintOf(files.map((file) => ({ path: file.path as RootPath, oid: file.git_oid as GitOid })));
  if (whole.index_oid !== ids.get("/")) report("fingerprint", "the two ways to the root's tree id disagree");
}

/** Tree id of every directory from the ids of the files alone; the longest paths first, so that parts come before the whole. */
function treeIds(nodes: readonly NodeRow[]): Map<string, GitOid> {
  const entries = new Map<string, TreeEntry[]>();
  const ids = new Map<string, GitOid>();
  const deepestFirst = nodes.toSorted((a, b) => b.path.split("/").length - a.path.split("/").length);
  const ordered = [...deepestFirst.filter((node) => node.path !== "/"), ...nodes.filter((node) => node.path === "/")];
  for (const { path, parent, name, kind, git_oid: fileOid } of ordered) {
    const oid = kind === "file" ? (fileOid as GitOid) : gitTreeId(entries.get(path) ?? []);
    if (kind === "directory") ids.set(path, oid);
    if (path === "/" || (kind === "directory" && oid === emptyTreeOid)) continue;
    const siblings = entries.get(parent) ?? [];
    siblings.push({ name, type: kind === "file" ? "file" : "dir", oid });
    entries.set(parent, siblings);
  }
  return ids;
}

function checkUsage(
  nodes: readonly NodeRow[],
  usage: { files: number; directories: number; bytes: number },
  report: Report,
): void {
  const files = nodes.filter((node) => node.kind === "file");
  const bytes = files.reduce((sum, file) => sum + file.size, 0);
  const directories = nodes.length - files.length;
  if (usage.files === files.length && usage.bytes === bytes && usage.directories === directories) return;
  report(
    "usage",
    `the counters say ${usage.files} files, ${usage.directories} directories, ${usage.bytes} bytes; there are ${files.length}, ${directories}, ${bytes}`,
  );
}

/** Reads every blob, from SQLite and from R2 where it is in both; returns what the readable ones are. */
async function checkBlobs(sql: SqlStorage, bucket: BlobBucket, report: Report): Promise<Map<string, BlobFacts>> {
  const facts = new Map<string, BlobFacts>();
  const hashes = sql.exec<{ hash: Sha256 }>("SELECT hash FROM blobs").toArray();
  for (const { hash } of hashes) {
    const row = sql
      .exec<{ git_oid: string; size: number; lines: number | null; r2_key: string | null; bytes: ArrayBuffer | null }>(
        "SELECT git_oid, size, lines, r2_key, bytes FROM blobs WHERE hash = ?",
        hash,
      )
      .toArray()[0];
    if (row === undefined) continue;
    const inline = row.bytes === null ? null : new Uint8Array(row.bytes);
    const outside = row.r2_key === null ? null : await bucket.get(row.r2_key);
    if (row.r2_key !== null && outside === null) report("blobs can be read", `blob ${hash} is not in R2`);
    for (const bytes of [inline, outside]) {
      if (bytes === null) continue;
      if (sha256Hex(bytes) !== hash || bytes.length !== row.size) {
        report("blobs can be read", `blob ${hash} has other bytes`);
        continue;
      }
      const found = {
        size: bytes.length,
        gitOid: gitBlobId(bytes),
        lines: isText(bytes) ? countByteLines(bytes) : null,
      };
      if (found.gitOid !== row.git_oid || found.lines !== row.lines) {
        report("facts of files", `blob ${hash} has a wrong git id or number of lines`);
      }
      facts.set(hash, found);
    }
  }
  return facts;
}

function checkFile(node: NodeRow, facts: ReadonlyMap<string, BlobFacts>, report: Report): void {
  const blob = facts.get(node.blob ?? "");
  if (blob === undefined) {
    report("blobs can be read", `${node.path} names ${node.blob}, which cannot be read`);
  } else if (blob.size !== node.size || blob.gitOid !== node.git_oid || blob.lines !== node.lines) {
    report("facts of files", `${node.path} has a wrong size, git id or number of lines`);
  }
}
