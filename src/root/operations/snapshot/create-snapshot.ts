import type { Fingerprint } from "../../../domain/fingerprint";
import type { LeaseId } from "../../../domain/lease";
import { manifestFilesMax } from "../../../domain/limits";
import type { SnapshotId } from "../../../domain/manifest";
import { type RootPath, rootDirectory } from "../../../domain/path";
import { err, ok } from "../../../domain/result";
import type { Scope } from "../../../domain/scopes";
import { overLimit } from "../../../domain/snapshot-errors";
import type { Outcome } from "../../contract";
import type { RootState } from "../../root-state";
import type { ViewFile } from "../../view/tree-view";
import { beyondScope } from "./scope-check";
import { selectFiles } from "./select-files";
import { liveState } from "./with-view";

export interface CreateRequest {
  readonly leaseId: LeaseId | null;
  /** Null: what the lease has touched. */
  readonly paths: readonly RootPath[] | null;
  readonly scopes: readonly Scope[];
}

export interface CreatedSnapshot {
  readonly snapshotId: SnapshotId;
  readonly fingerprint: Fingerprint;
  readonly files: number;
  readonly totalBytes: number;
}

/** snapshot.md §7.1. Fingerprint and entries are of one instant; the blobs are named before the manifest is written. */
export async function createSnapshot(root: RootState, request: CreateRequest): Promise<Outcome<CreatedSnapshot>> {
  const captured = root.transaction((): Outcome<{ fingerprint: Fingerprint; files: ViewFile[] }> => {
    const fingerprint = liveState(root, request.leaseId);
    if (!fingerprint.ok) return fingerprint;
    const files = capture(root, request);
    if (!files.ok) return files;
    root.snapshots.pin(files.value.map((file) => file.blob));
    return ok({ fingerprint: fingerprint.value, files: files.value });
  });
  if (!captured.ok) return captured;
  const { fingerprint, files } = captured.value;
  const totalBytes = files.reduce((sum, file) => sum + file.size, 0);
  const snapshotId = await root.snapshots.put(fingerprint, files, totalBytes, null, root.now());
  return ok({ snapshotId, fingerprint, files: files.length, totalBytes });
}

function capture(root: RootState, { leaseId, paths, scopes }: CreateRequest): Outcome<ViewFile[]> {
  const files =
    paths === null
      ? ok(touchedFiles(root, leaseId))
      : selectFiles(root, { snapshotId: null, leaseId, scopes }, root.live, paths);
  if (!files.ok) return files;
  const forbidden = paths === null ? beyondScope(scopes, "read", rootDirectory, files.value) : null;
  if (forbidden !== null) return err(forbidden);
  if (files.value.length > manifestFilesMax) {
    return err(overLimit("MANIFEST_MAX_FILES", manifestFilesMax, files.value.length, "Capture fewer paths."));
  }
  return files;
}

/** What the lease has seen and still exists. */
function touchedFiles(root: RootState, leaseId: LeaseId | null): ViewFile[] {
  if (leaseId === null) return [];
  return root.leases.touched(leaseId).flatMap((path) => root.live.fileAt(path) ?? []);
}
