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

interface Judgement {
  readonly plan: PatchPlan;
  /** The files that the patch names, as they were when it was judged: what moves is moved from there, whatever the tree does since. */
  readonly files: ReadonlyMap<RootPath, ViewFile>;
}

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
    const { fingerprint, plan, files } = judged.value;
    if (!plan.applies || request.dryRun)
      return ok({ receipt: keepLease(root, view, fingerprint), value: outcomeOf(plan) });
    const writes = await stageWrites(root, plan, files);
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
): Promise<Outcome<Judgement & { readonly fingerprint: Fingerprint }>> {
  const state = root.transaction(() => liveState(root, view.leaseId));
  if (!state.ok) return state;
  if (managed !== null) return err(managed);
  const judgement = await judge(root, root.live, patch);
  return judgement.ok ? ok({ fingerprint: state.value, ...judgement.value }) : judgement;
}

/** Takes all that it needs of the tree before its first await. */
async function judge(root: RootState, tree: TreeView, patch: Patch): Promise<Outcome<Judgement>> {
  const { base, files } = frozen(tree, patch);
  const sources = sourcesOf(patch, base);
  if (!sources.ok) return err(patchTooLarge(sources.error));
  const contents = new Map<RootPath, Uint8Array>();
  for (const path of sources.value) contents.set(path, await root.blobs.read(fileOf(files, path).blob, root.now()));
  const plan = planPatch(patch, base, contents satisfies BaseContents);
  return plan.ok ? ok({ plan: plan.value, files }) : err(patchTooLarge(plan.error));
}

/** Every node that the patch may ask about, taken in one step. */
function frozen(tree: TreeView, patch: Patch): { readonly base: BaseTree; readonly files: Map<RootPath, ViewFile> } {
  const nodes = new Map<RootPath, BaseNode>();
  const files = new Map<RootPath, ViewFile>();
  const counts = new Map<RootPath, number>();
  const { written, read } = affectedPaths(patch);
  for (const path of [...written, ...read].flatMap((one) => [one, ...ancestorsOf(one)])) {
    if (nodes.has(path)) continue;
    const file = tree.fileAt(path);
    if (file !== null) files.set(path, file);
    nodes.set(path, nodeOf(tree, path, file));
  }
  for (const path of written) if (nodes.get(path)?.type === "directory") counts.set(path, tree.fileCountBelow(path));
  const nodeAt = (path: RootPath) => nodes.get(path) ?? ({ type: "absent" } as const);
  return { base: { nodeAt, fileCountBelow: (path) => countOf(counts, path) }, files };
}

function nodeOf(tree: TreeView, path: RootPath, file: ViewFile | null): BaseNode {
  if (file !== null) return { type: "file", sizeBytes: file.size, isText: file.lines !== null };
  return { type: tree.isDirectory(path) ? "directory" : "absent" };
}

function fileOf(files: ReadonlyMap<RootPath, ViewFile>, path: RootPath): ViewFile {
  const file = files.get(path);
  if (file === undefined) throw new Error(`${path} was no file when the patch was judged`);
  return file;
}

function countOf(counts: ReadonlyMap<RootPath, number>, path: RootPath): number {
  const count = counts.get(path);
  if (count === undefined) throw new Error(`the files below ${path} were not counted`);
  return count;
}

/** Makes new contents durable; what is only moved is held already. */
async function stageWrites(root: RootState, plan: Applies, files: Judgement["files"]): Promise<FileWrite[]> {
  const writes: FileWrite[] = [];
  for (const [path, change] of plan.changes) {
    if (change.type === "delete") writes.push({ path, content: null });
    else if (change.type === "copy") writes.push({ path, content: fileOf(files, change.from) });
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
  const judged = await judge(root, tree, patch);
  if (!judged.ok) return judged;
  const { plan, files } = judged.value;
  if (!plan.applies || dryRun) return ok({ receipt: { mode: "snapshot", snapshotId }, value: outcomeOf(plan) });
  const writes = await stageWrites(root, plan, files);
  const blobs = new Map<RootPath, Sha256>(base.value.entries.map(({ path, blob }) => [path, blob]));
  let totalBytes = base.value.totalBytes;
  for (const { path, content } of writes) {
    totalBytes += (content?.size ?? 0) - (files.get(path)?.size ?? 0);
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
  return ok({ receipt: { mode: "snapshot", snapshotId: id }, value: outcomeOf(plan) });
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
