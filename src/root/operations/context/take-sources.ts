import type { SourceFile } from "../../../domain/context/build-plan";
import type { BuildRequest } from "../../../domain/context/build-request";
import type { ContextError } from "../../../domain/context/errors";
import type { SnapshotId } from "../../../domain/manifest";
import { err, ok, type Result } from "../../../domain/result";
import type { RootState } from "../../root-state";
import { SnapshotView } from "../../view/snapshot-view";
import type { TreeView } from "../../view/tree-view";
import { stored, storedLater } from "./storage-fault";

/** All files below the sources at one moment, live or captured. Their contents are read afterwards, by their hashes. */
export async function takeSources(
  root: RootState,
  request: BuildRequest,
): Promise<Result<readonly SourceFile[], ContextError>> {
  const { snapshotId } = request;
  if (snapshotId === null) return stored(() => filesOf(root.live, request));
  const view = await storedLater(() => openSnapshot(root, snapshotId));
  if (view !== null) return stored(() => filesOf(view, request));
  const message = `Snapshot ${snapshotId} is unknown. Take one with snapshot.create, or leave snapshot_id out to build from the live files.`;
  return err(sourceError("source_missing", message, request));
}

/** Null: there is no such snapshot of this user. */
async function openSnapshot(root: RootState, id: SnapshotId): Promise<TreeView | null> {
  const snapshot = await root.snapshots.load(id);
  if (snapshot.ok) return new SnapshotView(snapshot.value.entries, root.blobs);
  if (snapshot.error.code === "NOT_FOUND") return null;
  throw new Error(snapshot.error.message);
}

function filesOf(view: TreeView, request: BuildRequest): Result<readonly SourceFile[], ContextError> {
  const { sources, snapshotId } = request;
  if (view.isDirectory(sources)) return ok(view.filesBelow(sources));
  const where = snapshotId === null ? "" : ` in snapshot ${snapshotId}`;
  if (view.fileAt(sources) !== null) {
    const message = `${sources} is a file${where}; sources is a directory. Give the one that holds it and name the file in include.`;
    return err(sourceError("source_not_directory", message, request));
  }
  const message = `There is no directory ${sources}${where}. Call ${snapshotId === null ? "file.list" : "snapshot.list"} to see what is there.`;
  return err(sourceError("source_missing", message, request));
}

function sourceError(
  reason: "source_missing" | "source_not_directory",
  message: string,
  { sources }: BuildRequest,
): ContextError {
  return { code: "io_error", details: { reason, message, path: sources } };
}
