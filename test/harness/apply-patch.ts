/** A patch applied to files in memory, through the same steps as the tool: parse, look up, read, plan. */

import type { BaseContents, BaseNode, BaseTree } from "../../src/domain/patch/base-tree";
import { parsePatch } from "../../src/domain/patch/parse-patch";
import type { Patch } from "../../src/domain/patch/patch";
import type { PatchError } from "../../src/domain/patch/patch-errors";
import { sourcesOf } from "../../src/domain/patch/patch-paths";
import { type PatchPlan, planPatch } from "../../src/domain/patch/plan-patch";
import type { RejectedHunk } from "../../src/domain/patch/rejects";
import { normalizePath, type RootPath } from "../../src/domain/path";
import { repoPathOf } from "../../src/domain/repo-path";
import { isText } from "../../src/domain/text-kind";
import { together, tree } from "./patch-text";

/** Paths without a leading slash, and bytes. */
export type TestFiles = ReadonlyMap<string, Uint8Array>;

export type Outcome =
  | { readonly applied: readonly string[]; readonly rejects: readonly []; readonly files: TestFiles }
  | {
      readonly applied: readonly [];
      readonly rejects: readonly { readonly path: string; readonly hunks: readonly RejectedHunk[] }[];
    }
  | { readonly error: PatchError["code"]; readonly details: PatchError };

export function applyPatch(files: TestFiles, text: string, strip = 1): Outcome {
  const patch = parsePatch(text, strip);
  if (!patch.ok) return { error: patch.error.code, details: patch.error };
  const plan = planOn(files, patch.value);
  if (!plan.ok) return { error: plan.error.code, details: plan.error };
  if (!plan.value.applies) {
    const rejects = plan.value.rejects.map(({ path, hunks }) => ({ path: repoPathOf(path), hunks }));
    return { applied: [], rejects };
  }
  return { applied: plan.value.applied.map(repoPathOf), rejects: [], files: filesAfter(files, plan.value) };
}

export function planOn(files: TestFiles, patch: Patch) {
  const base = baseTree(files);
  const sources = sourcesOf(patch, base);
  if (!sources.ok) return sources;
  const contents: BaseContents = new Map(sources.value.map((path) => [path, contentAt(files, path)]));
  return planPatch(patch, base, contents);
}

export function baseTree(files: TestFiles): BaseTree {
  const nodes = new Map<string, BaseNode>([[".", { type: "directory" }]]);
  for (const [path, bytes] of files) {
    nodes.set(path, { type: "file", sizeBytes: bytes.length, isText: isText(bytes) });
    for (let slash = path.lastIndexOf("/"); slash !== -1; slash = path.lastIndexOf("/", slash - 1)) {
      nodes.set(path.slice(0, slash), { type: "directory" });
    }
  }
  return {
    nodeAt: (path) => nodes.get(repoPathOf(path)) ?? { type: "absent" },
    fileCountBelow: (path) => [...files.keys()].filter((file) => file.startsWith(`${repoPathOf(path)}/`)).length,
  };
}

export function rootPath(path: string): RootPath {
  const parsed = normalizePath(path);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.value;
}

function contentAt(files: TestFiles, path: RootPath): Uint8Array {
  const bytes = files.get(repoPathOf(path));
  if (!bytes) throw new Error(`${path} is asked for but is no file`);
  return bytes;
}

function filesAfter(files: TestFiles, plan: PatchPlan & { readonly applies: true }): TestFiles {
  const after = new Map(files);
  for (const [path, change] of plan.changes) {
    if (change.type === "delete") after.delete(repoPathOf(path));
    else
      after.set(repoPathOf(path), change.type === "write" ? Buffer.from(change.bytes) : contentAt(files, change.from));
  }
  return after;
}

/** The files as text, or `path#index reason` of every reject. */
export function outcome(files: Readonly<Record<string, string>>, ...sections: string[]) {
  const result = applyPatch(tree(files), together(...sections));
  if ("error" in result) return result.error;
  if ("files" in result)
    return Object.fromEntries([...result.files].map(([path, bytes]) => [path, Buffer.from(bytes).toString()]));
  return result.rejects.flatMap(({ path, hunks }) => hunks.map(({ index, reason }) => `${path}#${index} ${reason}`));
}
