import { fingerprintOf } from "../../../domain/fingerprint";
import { absentOid, emptyTreeOid, type GitOid, gitTreeId, type TreeEntry } from "../../../domain/git-objects";
import { nameOf, normalizePath, parentOf, type RootPath } from "../../../domain/path";
import type { Problems } from "./report";

export interface NodeRow extends Record<string, SqlStorageValue> {
  path: string;
  parent: string;
  name: string;
  kind: "directory" | "file";
  blob: string | null;
  git_oid: string | null;
  size: number;
  lines: number | null;
}

/** The tree holds together, its counters count and every tree id that is kept is right. */
export function checkTree(nodes: readonly NodeRow[], statusHash: string | null, problems: Problems): void {
  const kinds = new Map(nodes.map((node) => [node.path, node.kind]));
  if (kinds.get("/") !== "directory") problems.add("tree", "there is no root directory");
  for (const { path, parent, name } of nodes) {
    if (path === "/") continue;
    const normal = normalizePath(path);
    if (!normal.ok || normal.value !== path) problems.add("tree", `${path} is not a normalized path`);
    if (parent !== parentOf(path as RootPath) || name !== nameOf(path as RootPath)) {
      problems.add("tree", `${path} has the parent ${parent} and the name ${name}`);
    }
    if (kinds.get(parent) !== "directory") problems.add("tree", `${path} lies in ${parent}, which is no directory`);
  }
  const files = nodes.filter((node) => node.kind === "file");
  const ids = treeIds(nodes);
  for (const { path, kind, git_oid: cached } of nodes) {
    if (kind === "directory" && cached !== null && cached !== ids.get(path)) {
      problems.add("fingerprint", `${path} has the tree id ${cached}, it should be ${ids.get(path)}`);
    }
  }
  const whole = fingerprintOf(files.map((file) => ({ path: file.path as RootPath, oid: fileOid(file) })));
  if (whole.index_oid !== ids.get("/")) problems.add("fingerprint", "the two ways to the root's tree id disagree");
  if (statusHash !== null && statusHash !== whole.status_hash) {
    problems.add("fingerprint", `the status hash is kept as ${statusHash}, it should be ${whole.status_hash}`);
  }
}

/** Tree id of every directory from the ids of the files alone; the longest paths first, so that parts come before the whole. */
function treeIds(nodes: readonly NodeRow[]): Map<string, GitOid> {
  const entries = new Map<string, TreeEntry[]>();
  const ids = new Map<string, GitOid>();
  const deepestFirst = nodes.toSorted((a, b) => b.path.split("/").length - a.path.split("/").length);
  const ordered = [...deepestFirst.filter((node) => node.path !== "/"), ...nodes.filter((node) => node.path === "/")];
  for (const node of ordered) {
    const { path, parent, name, kind } = node;
    const oid = kind === "file" ? fileOid(node) : gitTreeId(entries.get(path) ?? []);
    if (kind === "directory") ids.set(path, oid);
    if (path === "/" || (kind === "directory" && oid === emptyTreeOid)) continue;
    const siblings = entries.get(parent) ?? [];
    siblings.push({ name, type: kind === "file" ? "file" : "dir", oid });
    entries.set(parent, siblings);
  }
  return ids;
}

/** One that is missing is named with the facts of the file; here it must not keep the rest from being judged. */
function fileOid({ git_oid: oid }: NodeRow): GitOid {
  return (oid as GitOid | null) ?? absentOid;
}

export function checkUsage(
  nodes: readonly NodeRow[],
  usage: { files: number; directories: number; bytes: number },
  problems: Problems,
): void {
  const files = nodes.filter((node) => node.kind === "file");
  const bytes = files.reduce((sum, file) => sum + file.size, 0);
  const directories = nodes.length - files.length;
  if (usage.files === files.length && usage.bytes === bytes && usage.directories === directories) return;
  problems.add(
    "usage",
    `the counters say ${usage.files} files, ${usage.directories} directories, ${usage.bytes} bytes; there are ${files.length}, ${directories}, ${bytes}`,
  );
}
