import { compareUtf8 } from "./byte-order";
import { type GitOid, gitTreeId, type TreeEntry } from "./git-objects";
import { type Sha256, sha256HexOfChunks } from "./hash";
import type { RootPath } from "./path";

/**
 * The state of a whole root: that of a git repository in which everything is staged and nothing committed (snapshot.md §4).
 * The field names are those of the wire, because their canonical JSON is hashed into snapshot ids.
 */
export interface Fingerprint {
  readonly head_oid: "";
  readonly index_oid: GitOid;
  readonly status_hash: Sha256;
}

export interface LiveFile {
  readonly path: RootPath;
  readonly oid: GitOid;
}

/** From scratch, for files in any order, each path once. The cached value must equal it at all times (snapshot.md §4.3). */
export function fingerprintOf(files: readonly LiveFile[]): Fingerprint {
  const ordered = files.toSorted((left, right) => compareUtf8(left.path, right.path));
  return {
    head_oid: "",
    index_oid: treeIdOf(ordered),
    status_hash: statusHash(ordered.map((file) => file.path)),
  };
}

/** Canonical JSON, as it goes into a snapshot id. */
export function canonicalFingerprint({ head_oid, index_oid, status_hash }: Fingerprint): string {
  return JSON.stringify({ head_oid, index_oid, status_hash });
}

/** SHA-256 of what `git status --porcelain=v1 -z` prints. The paths must come in `compareUtf8` order, which is not the order of tree entries. */
export function statusHash(orderedPaths: Iterable<RootPath>): Sha256 {
  return sha256HexOfChunks(statusRecords(orderedPaths));
}

function* statusRecords(orderedPaths: Iterable<RootPath>): Generator<string> {
  for (const path of orderedPaths) yield `A  ${path.slice(1)}\0`;
}

interface OpenDirectory {
  /** With its final slash. */
  readonly prefix: string;
  readonly entries: TreeEntry[];
}

/** Everything below a directory is adjacent in path order, so the open directories form a stack. */
function treeIdOf(ordered: readonly LiveFile[]): GitOid {
  const root: OpenDirectory = { prefix: "/", entries: [] };
  const open: OpenDirectory[] = [root];
  for (const { path, oid } of ordered) {
    closeUntilHolding(open, path);
    let { prefix, entries } = open.at(-1) ?? root;
    for (let slash = path.indexOf("/", prefix.length); slash !== -1; slash = path.indexOf("/", prefix.length)) {
      prefix = path.slice(0, slash + 1);
      entries = [];
      open.push({ prefix, entries });
    }
    entries.push({ name: path.slice(prefix.length), type: "file", oid });
  }
  closeUntilHolding(open, "/");
  return gitTreeId(root.entries);
}

/** Closes directories from the innermost until one holds `path`; the root holds everything. */
function closeUntilHolding(open: OpenDirectory[], path: string): void {
  for (let last = open.at(-1); last !== undefined && !path.startsWith(last.prefix); last = open.at(-1)) {
    open.pop();
    const parent = open.at(-1);
    const name = last.prefix.slice(parent?.prefix.length, -1);
    parent?.entries.push({ name, type: "dir", oid: gitTreeId(last.entries) });
  }
}
