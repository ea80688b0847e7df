import type { LeaseId } from "../../../domain/lease";
import { parentOf, type RootPath } from "../../../domain/path";
import { err, ok } from "../../../domain/result";
import type { Scope } from "../../../domain/scopes";
import { nothingAt, wrongKind } from "../../../domain/snapshot-errors";
import type { LiveReceipt, Outcome } from "../../contract";
import type { RootState } from "../../root-state";
import type { ViewFile } from "../../view/tree-view";
import { commitWrites } from "./commit-writes";
import { managedPath } from "./managed-path";
import { beyondScope } from "./scope-check";
import { liveState } from "./with-view";

export interface DeleteRequest {
  readonly path: RootPath;
  readonly leaseId: LeaseId;
  readonly recursive: boolean;
  readonly dryRun: boolean;
  readonly scopes: readonly Scope[];
}

export interface Deleted {
  readonly receipt: LiveReceipt;
  readonly files: number;
}

/** snapshot.md §7.11. */
export async function deletePath(root: RootState, request: DeleteRequest): Promise<Outcome<Deleted>> {
  const { path, leaseId, dryRun } = request;
  if (dryRun) {
    return root.transaction((): Outcome<Deleted> => {
      const state = liveState(root, leaseId);
      if (!state.ok) return state;
      const files = doomedFiles(root, request);
      if (!files.ok) return files;
      return ok({ receipt: { mode: "worktree", leaseId, fingerprint: state.value }, files: files.value.length });
    });
  }
  const deleted = commitWrites(root, leaseId, () => {
    const files = doomedFiles(root, request);
    if (!files.ok) return files;
    const nowMs = root.now();
    root.tree.removeTree(path);
    for (const file of files.value) {
      root.blobs.condemnUnnamed(root.versions.record(file.path, file.blob, null, nowMs), nowMs);
    }
    const directories = new Set([parentOf(path), ...files.value.map((file) => parentOf(file.path))]);
    const change = { directories: [...directories], entriesChanged: true };
    return ok({ value: files.value.length, change, touched: files.value.map((file) => file.path) });
  });
  return deleted.ok ? ok({ receipt: deleted.value.receipt, files: deleted.value.value }) : deleted;
}

/** The files that would go. */
function doomedFiles(root: RootState, { path, recursive, scopes }: DeleteRequest): Outcome<readonly ViewFile[]> {
  const refused = managedPath(root, path, true);
  if (refused !== null) return err(refused);
  const node = root.tree.find(path);
  if (node === null) return err(nothingAt(path, root.tree.nearestDirectory(path)));
  const files = root.live.filesBelow(path);
  const forbidden = beyondScope(scopes, "write", path, files);
  if (forbidden !== null) return err(forbidden);
  const children = node.kind === "directory" ? root.tree.childCount(path) : 0;
  if (children > 0 && !recursive) {
    const wanted = `it holds ${children} entries and ${files.length} files; pass recursive: true to delete all of it`;
    return err(wrongKind(path, "directory", wanted));
  }
  return ok(files);
}
