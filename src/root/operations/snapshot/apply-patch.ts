import { countByteLines } from "../../../domain/byte-lines";
import { compareUtf8 } from "../../../domain/byte-order";
import { canonicalFingerprint, type Fingerprint } from "../../../domain/fingerprint";
import type { Sha256 } from "../../../domain/hash";
import type { ManifestEntry, SnapshotId } from "../../../domain/manifest";
import type { BaseContents, BaseNode, BaseTree } from "../../../domain/patch/base-tree";
import type { Patch } from "../../../domain/patch/patch";
import type { PatchTooLarge } from "../../../domain/patch/patch-errors";
import { affectedPaths, sourcesOf } from "../../../domain/patch/patch-paths";
import { type PatchPlan, planPatch } from "../../../domain/patch/plan-patch";
import { ancestorsOf, type RootPath } from "../../../domain/path";
import { err, ok } from "../../../domain/result";
import { repoChanged, type SnapshotError } from "../../../domain/snapshot-errors";
import { isText } from "../../../domain/text-kind";
import type { LiveReceipt, Outcome, PatchOutcome, Viewed, ViewRequest } from "../../contract";
import type { RootState } from "../../root-state";
import { SnapshotView } from "../../view/snapshot-view";
import type { TreeView, ViewFile } from "../../view/tree-view";
import { commitWrites } from "./commit-writes";
import { managedPath } from "./managed-path";
import { reportDamage } from "./report-damage";
import { liveState, noteTouched } from "./with-view";
import { type FileWrite, writeFiles } from "./write-files";

export interface PatchRequest {
  readonly patch: Patch;
  /** `sha256:` of the patch as it was sent. */
  readonly patchHash: string;
  readonly dryRun: boolean;
}

type Applies = Extract<PatchPlan, { applies: true }>;

/** Judged against a tree that moves away, a patch without a lease is judged again this often (snapshot.md §12.1). */
const judgementsMax = 3;

/** snapshot.md §7.9. A patch that rejects is a result, not an error. */
export async function applyPatch(
  root: RootState,
  view: ViewRequest,
  request: PatchRequest,
): Promise<Outcome<Viewed<PatchOutcome>>> {
  const findManaged = () =>
    affectedPaths(request.patch)
      .written.map((path) => managedPath(root, path))
      .find((refused) => refused !== null) ?? null;
  const managed = findManaged();
  const { snapshotId } = view;
  if (snapshotId !== null) return reportDamage(root, [snapshotId], () => patchSnapshot(root, snapshotId, request));
  for (let judgement = 0; judgement < judgementsMax; judgement++) {
    const judged = await judgeLive(root, view, request, managed);
    if (!judged.ok) return judged;
    const { fingerprint, plan } = judged.value;
    if (!plan.applies || request.dryRun)
      return ok({ receipt: keepLease(root, view, fingerprint), value: outcomeOf(plan) });
    const writes = await stageWrites(root, plan, root.live);
    const done = commitWrites(root, view.leaseId, (now) => {
      if (canonicalFingerprint(now) !== canonicalFingerprint(fingerprint)) return err(repoChanged(now));
      // An empty workspace leaves no trace in the fingerprint, so its end is looked for.
      const ended = findManaged();
      if (ended !== null) return err(ended);
      const change = writeFiles(root, writes);
      return "code" in change ? err(change) : ok({ value: outcomeOf(plan), change, touched: plan.applied });
    });
    if (done.ok || done.error.code !== "REPO_CHANGED") return done;
  }
  return err(repoChanged(root.transaction(() => root.treeIds.fingerprint())));
}

async function judgeLive(
  root: RootState,
  view: ViewRequest,
  { patch }: PatchRequest,
  managed: SnapshotError | null,
): Promise<Outcome<{ fingerprint: Fingerprint; plan: PatchPlan }>> {
  const state = root.transaction(() => liveState(root, view.leaseId));
  if (!state.ok) return state;
  if (managed !== null) return err(managed);
  const plan = await judge(root, root.live, patch);
  return plan.ok ? ok({ fingerprint: state.value, plan: plan.value }) : plan;
}

/** Takes all that it needs of the tree before its first await. */
async function judge(root: RootState, tree: TreeView, patch: Patch): Promise<Outcome<PatchPlan>> {
  const base = frozen(tree, patch);
  const sources = sourcesOf(patch, base);
  if (!sources.ok) return err(patchTooLarge(sources.error));
  const blobs = sources.value.map((path) => [path, tree.fileAt(path)?.blob] as const);
  const contents = new Map<RootPath, Uint8Array>();
  for (const [path, blob] of blobs) if (blob !== undefined) contents.set(path, await root.blobs.read(blob, root.now()));
  const plan = planPatch(patch, base, contents satisfies BaseContents);
  return plan.ok ? plan : err(patchTooLarge(plan.error));
}

/** Every node that the patch may ask about, taken in one step. */
function frozen(tree: TreeView, patch: Patch): BaseTree {
  const nodes = new Map<RootPath, BaseNode>();
  const { written, read } = affectedPaths(patch);
  for (const path of [...written, ...read].flatMap((one) => [one, ...ancestorsOf(one)])) {
    if (!nodes.has(path)) nodes.set(path, nodeOf(tree, path));
  }
  return { nodeAt: (path) => nodes.get(path) ?? { type: "absent" } };
}

function nodeOf(tree: TreeView, path: RootPath): BaseNode {
  const file = tree.fileAt(path);
  if (file !== null) return { type: "file", sizeBytes: file.size, isText: file.lines !== null };
  return { type: tree.isDirectory(path) ? "directory" : "absent" };
}

/** Makes new contents durable; what is only moved is held already. */
async function stageWrites(root: RootState, plan: Applies, tree: TreeView): Promise<FileWrite[]> {
  const moved = new Map<RootPath, ViewFile | null>();
  for (const change of plan.changes.values())
    if (change.type === "copy") moved.set(change.from, tree.fileAt(change.from));
  const writes: FileWrite[] = [];
  for (const [path, change] of plan.changes) {
    if (change.type === "delete") writes.push({ path, content: null });
    else if (change.type === "copy") writes.push({ path, content: moved.get(change.from) ?? null });
    else {
      const lines = isText(change.bytes) ? countByteLines(change.bytes) : null;
      const staged = await root.blobs.stage(change.bytes, lines, root.now());
      writes.push({ path, content: staged, staged });
    }
  }
  return writes;
}

/** Same base and same patch give the same snapshot, anywhere: its fingerprint is that of the base. */
async function patchSnapshot(
  root: RootState,
  snapshotId: SnapshotId,
  { patch, patchHash, dryRun }: PatchRequest,
): Promise<Outcome<Viewed<PatchOutcome>>> {
  const base = await root.snapshots.load(snapshotId);
  if (!base.ok) return base;
  const tree = new SnapshotView(base.value.entries, root.blobs);
  const plan = await judge(root, tree, patch);
  if (!plan.ok) return plan;
  if (!plan.value.applies || dryRun) {
    return ok({ receipt: { mode: "snapshot", snapshotId }, value: outcomeOf(plan.value) });
  }
  const writes = await stageWrites(root, plan.value, tree);
  const blobs = new Map<RootPath, Sha256>(base.value.entries.map(({ path, blob }) => [path, blob]));
  let totalBytes = base.value.totalBytes;
  for (const { path, content } of writes) {
    totalBytes += (content?.size ?? 0) - (tree.fileAt(path)?.size ?? 0);
    if (content === null) blobs.delete(path);
    else blobs.set(path, content.blob);
  }
  const entries: ManifestEntry[] = [...blobs].map(([path, blob]) => ({ path, blob }));
  entries.sort((left, right) => compareUtf8(left.path, right.path));
  root.transaction(() => {
    for (const { staged } of writes) if (staged !== undefined) root.blobs.adopt(staged, root.now());
    root.snapshots.pin(entries.map((entry) => entry.blob));
  });
  const lineage = { derivedFrom: snapshotId, appliedPatchHash: patchHash };
  const id = await root.snapshots.put(base.value.fingerprint, entries, totalBytes, lineage, root.now());
  return ok({ receipt: { mode: "snapshot", snapshotId: id }, value: outcomeOf(plan.value) });
}

/** The lease that was given, or a new one that has seen nothing. */
function keepLease(root: RootState, { leaseId }: ViewRequest, fingerprint: Fingerprint): LiveReceipt {
  const kept = root.transaction(() => noteTouched(root, leaseId, fingerprint, []));
  if (!kept.ok) throw new Error("a lease without files was refused");
  return { mode: "worktree", leaseId: kept.value, fingerprint };
}

function outcomeOf(plan: PatchPlan): PatchOutcome {
  return plan.applies ? { applied: plan.applied, rejects: [] } : { applied: [], rejects: plan.rejects };
}

function patchTooLarge({ message, limit, max, actual }: PatchTooLarge): SnapshotError {
  return { code: "TOO_LARGE", message, details: { limit, max, actual } };
}
