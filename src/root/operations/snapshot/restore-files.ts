import { compareUtf8 } from "../../../domain/byte-order";
import type { LeaseId } from "../../../domain/lease";
import type { SnapshotId } from "../../../domain/manifest";
import { ancestorsOf, type RootPath } from "../../../domain/path";
import { err, ok } from "../../../domain/result";
import type { Scope } from "../../../domain/scopes";
import { notCaptured, wrongKind } from "../../../domain/snapshot-errors";
import type { LiveReceipt, Outcome } from "../../contract";
import type { RootState } from "../../root-state";
import { SnapshotView } from "../../view/snapshot-view";
import type { ViewFile } from "../../view/tree-view";
import { commitWrites } from "./commit-writes";
import { managedPath } from "./managed-path";
import { reportDamage } from "./report-damage";
import { beyondScope } from "./scope-check";
import { liveState } from "./with-view";
import { type FileWrite, writeFiles } from "./write-files";

export interface RestoreRequest {
  readonly snapshotId: SnapshotId;
  readonly leaseId: LeaseId;
  readonly paths: readonly RootPath[];
  readonly deletesExtra: boolean;
  readonly dryRun: boolean;
  readonly scopes: readonly Scope[];
}

export interface Restored {
  readonly receipt: LiveReceipt;
  readonly restored: readonly RootPath[];
  readonly deleted: readonly RootPath[];
  readonly unchanged: number;
}

interface Plan extends Omit<Restored, "receipt"> {
  readonly writes: readonly FileWrite[];
}

/** snapshot.md §7.12: brings captured bytes back, all or nothing. */
export function restoreFiles(root: RootState, request: RestoreRequest): Promise<Outcome<Restored>> {
  return reportDamage(root, [request.snapshotId], () => restore(root, request));
}

async function restore(root: RootState, request: RestoreRequest): Promise<Outcome<Restored>> {
  const { leaseId, snapshotId } = request;
  const snapshot = await root.snapshots.load(snapshotId);
  if (!snapshot.ok) return snapshot;
  const captured = new SnapshotView(snapshot.value.entries, root.blobs);
  if (request.dryRun) {
    return root.transaction((): Outcome<Restored> => {
      const state = liveState(root, leaseId);
      if (!state.ok) return state;
      const plan = planRestore(root, captured, request);
      if (!plan.ok) return plan;
      const { writes: _, ...rest } = plan.value;
      return ok({ ...rest, receipt: { mode: "worktree", leaseId, fingerprint: state.value } });
    });
  }
  const done = commitWrites(root, leaseId, () => {
    const plan = planRestore(root, captured, request);
    if (!plan.ok) return plan;
    const { writes, ...rest } = plan.value;
    const change = writeFiles(root, writes);
    if ("code" in change) return err(change);
    return ok({ value: rest, change, touched: [...rest.restored, ...rest.deleted] });
  });
  return done.ok ? ok({ ...done.value.value, receipt: done.value.receipt }) : done;
}

function planRestore(root: RootState, captured: SnapshotView, request: RestoreRequest): Outcome<Plan> {
  const wanted = new Map<RootPath, ViewFile>();
  const extra = new Map<RootPath, ViewFile>();
  for (const path of request.paths) {
    const files = captured.filesBelow(path);
    if (files.length === 0 && path !== "/" && !captured.isDirectory(path)) {
      return err(notCaptured(path, request.snapshotId));
    }
    const live = request.deletesExtra ? root.live.filesBelow(path) : [];
    // To write includes to read, so this is the one scope to ask for.
    const forbidden = beyondScope(request.scopes, "write", path, [...files, ...live]);
    if (forbidden !== null) return err(forbidden);
    for (const file of files) wanted.set(file.path, file);
    for (const file of live) if (captured.fileAt(file.path) === null) extra.set(file.path, file);
  }
  for (const path of wanted.keys()) {
    const managed = managedPath(root, path);
    if (managed !== null) return err(managed);
  }
  for (const path of extra.keys()) {
    const managed = managedPath(root, path, true);
    if (managed !== null) return err(managed);
  }
  const restored = [...wanted.values()]
    .filter((file) => root.live.fileAt(file.path)?.blob !== file.blob)
    .sort((left, right) => compareUtf8(left.path, right.path));
  const deleted = [...extra.keys()].sort(compareUtf8);
  for (const file of restored) {
    const blocked = blocker(root, file.path, extra);
    if (blocked !== null) return err(blocked);
  }
  const writes: FileWrite[] = [
    ...deleted.map((path) => ({ path, content: null })),
    ...restored.map((file) => ({ path: file.path, content: file })),
  ];
  return ok({
    writes,
    restored: restored.map((file) => file.path),
    deleted,
    unchanged: wanted.size - restored.length,
  });
}

/** A file in place of a directory, or a directory in place of a file, unless what is removed clears the way. */
function blocker(root: RootState, path: RootPath, extra: ReadonlyMap<RootPath, ViewFile>) {
  const file = ancestorsOf(path).find((ancestor) => root.tree.find(ancestor)?.kind === "file" && !extra.has(ancestor));
  if (file !== undefined) return wrongKind(file, "file", "it stands where a captured directory must be");
  if (root.tree.find(path)?.kind !== "directory") return null;
  const remaining = root.live.filesBelow(path).filter((one) => !extra.has(one.path));
  if (remaining.length === 0) return null;
  return wrongKind(path, "directory", "it is not empty and stands where a captured file must be");
}
