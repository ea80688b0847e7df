import { countByteLines } from "../../../domain/byte-lines";
import type { Sha256 } from "../../../domain/hash";
import { sha256Hex } from "../../../domain/hash";
import type { LeaseId } from "../../../domain/lease";
import { textFileMaxBytes } from "../../../domain/limits";
import { parentOf, type RootPath } from "../../../domain/path";
import { err, ok } from "../../../domain/result";
import { nothingAt, overLimit, type SnapshotError, wrongKind } from "../../../domain/snapshot-errors";
import { isText } from "../../../domain/text-kind";
import type { LiveReceipt, Outcome } from "../../contract";
import type { RootState } from "../../root-state";
import { commitWrites } from "./commit-writes";
import { managedPath } from "./managed-path";
import { liveState } from "./with-view";
import { writeFiles } from "./write-files";

export interface WriteRequest {
  readonly path: RootPath;
  readonly bytes: Uint8Array;
  readonly leaseId: LeaseId;
  readonly createsDirectories: boolean;
  readonly dryRun: boolean;
}

export interface WrittenFile {
  readonly receipt: LiveReceipt;
  readonly created: boolean;
  readonly hash: Sha256;
}

/** snapshot.md §7.10: creates or overwrites, under a lease that is still true. */
export async function writeFile(root: RootState, request: WriteRequest): Promise<Outcome<WrittenFile>> {
  const { path, bytes, leaseId, dryRun } = request;
  const judged = root.transaction(() => {
    const state = liveState(root, leaseId);
    if (!state.ok) return state;
    const refused = managedPath(root, path) ?? obstacle(root, request);
    return refused === null ? state : err(refused);
  });
  if (!judged.ok) return judged;
  if (bytes.length > textFileMaxBytes) {
    const narrow = `Use PUT /files${path} for large files.`;
    return err(overLimit("TEXT_FILE_MAX", textFileMaxBytes, bytes.length, narrow));
  }
  if (dryRun) {
    const receipt: LiveReceipt = { mode: "worktree", leaseId, fingerprint: judged.value };
    return ok({ receipt, created: root.tree.find(path) === null, hash: sha256Hex(bytes) });
  }
  const staged = await root.blobs.stage(bytes, isText(bytes) ? countByteLines(bytes) : null, root.now());
  const written = commitWrites(root, leaseId, () => {
    const refused = managedPath(root, path) ?? obstacle(root, request);
    if (refused !== null) return err(refused);
    const created = root.tree.find(path) === null;
    const change = writeFiles(root, [{ path, content: staged, staged }]);
    return "code" in change ? err(change) : ok({ value: created, change, touched: [path] });
  });
  return written.ok ? ok({ receipt: written.value.receipt, created: written.value.value, hash: staged.blob }) : written;
}

function obstacle(root: RootState, { path, createsDirectories }: WriteRequest): SnapshotError | null {
  const ancestors = root.tree.existingAncestors(path);
  const file = ancestors.find((node) => node.kind === "file");
  if (file !== undefined) return wrongKind(file.path, "file", "nothing can be written below it");
  if (root.tree.find(path)?.kind === "directory") return wrongKind(path, "directory", "choose a file name inside it");
  if (createsDirectories || ancestors.at(-1)?.path === parentOf(path)) return null;
  const missing = nothingAt(parentOf(path), root.tree.nearestDirectory(path));
  return { ...missing, message: `${missing.message} Pass create_dirs: true to make it.` };
}
