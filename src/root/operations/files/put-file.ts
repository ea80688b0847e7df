import type { ContentFacts } from "../../../domain/content-scan";
import { scanContent } from "../../../domain/content-scan";
import {
  belowFile,
  type FileRefusal,
  guardRefusal,
  invalidRequest,
  overQuotaRefusal,
  placeTaken,
  uploadTooLate,
} from "../../../domain/file-refusals";
import type { Sha256 } from "../../../domain/hash";
import { parentOf, type RootPath } from "../../../domain/path";
import { guardFailure, type PutGuard } from "../../../domain/put-guard";
import { err, ok, type Result } from "../../../domain/result";
import type { TreeChange } from "../../contract";
import type { RootState } from "../../root-state";
import type { StagedBlob } from "../../store/blobs";
import { managedPath } from "../managed-path";
import { overQuota } from "../quota";

/** Where an upload goes, and which state of that place it is meant for. */
export interface PutTarget {
  readonly path: RootPath;
  readonly guard: PutGuard;
}

export interface StoredFile {
  readonly created: boolean;
  readonly hash: Sha256;
  readonly size: number;
}

/** Bytes that are small enough to be stored with the tree, in one transaction. */
export function putBytes(root: RootState, target: PutTarget, bytes: Uint8Array): Result<StoredFile, FileRefusal> {
  return commit(root, target, { ...scanContent(bytes), bytes, r2Key: null });
}

/**
 * Before larger bytes are sent: a key of object storage to send them to. What stands against the upload by now is told at once,
 * so that nobody sends 100 MiB in vain; it is checked again at the end. `size` is what is known of it so far.
 */
export function beginUpload(root: RootState, target: PutTarget, size: number): Result<string, FileRefusal> {
  const refused = obstacle(root, target, size);
  return refused === null ? ok(root.blobs.announceObject(root.now())) : err(refused);
}

/** The bytes lie under the key and were read back: `facts` is what they are. */
export function finishUpload(
  root: RootState,
  target: PutTarget,
  r2Key: string,
  { blob, gitOid, size, lines }: ContentFacts,
): Result<StoredFile, FileRefusal> {
  return commit(root, target, { blob, gitOid, size, lines, bytes: null, r2Key });
}

function commit(root: RootState, target: PutTarget, staged: StagedBlob): Result<StoredFile, FileRefusal> {
  const { path } = target;
  const done = root.transaction((): Result<TreeChange | null, FileRefusal> => {
    const nowMs = root.now();
    if (staged.r2Key !== null && !root.blobs.isAnnounced(staged.r2Key, nowMs)) {
      root.blobs.leaveToCollector(staged.r2Key, nowMs);
      return err(uploadTooLate(path));
    }
    const refused = obstacle(root, target, staged.size);
    if (refused !== null) return err(refused);
    return ok(write(root, path, staged, nowMs));
  });
  if (!done.ok) return done;
  if (done.value !== null) root.changed(done.value);
  return ok({ created: done.value?.entriesChanged === true, hash: staged.blob, size: staged.size });
}

/** Null: the file has these bytes already. */
function write(root: RootState, path: RootPath, staged: StagedBlob, nowMs: number): TreeChange | null {
  const current = root.tree.find(path);
  if (current?.kind === "file") {
    if (current.blob === staged.blob) return null;
    root.blobs.adopt(staged, nowMs);
    root.tree.replaceFile(current, staged, nowMs);
    root.blobs.condemnUnnamed(root.versions.record(path, current.blob, staged.blob, nowMs), nowMs);
    return { directories: [parentOf(path)], entriesChanged: false };
  }
  root.blobs.adopt(staged, nowMs);
  const made = root.tree.addFile(path, staged, nowMs);
  root.blobs.condemnUnnamed(root.versions.settle(path, staged.blob), nowMs);
  return { directories: [...made.map(parentOf), parentOf(path)], entriesChanged: true };
}

/** What stands against a file of `size` bytes at the path, in the order of text.md §4.2. */
function obstacle(root: RootState, { path, guard }: PutTarget, size: number): FileRefusal | null {
  const managed = managedPath(root, path);
  if (managed !== null) return invalidRequest(managed.message);
  const blocker = root.tree.existingAncestors(path).find((node) => node.kind === "file");
  if (blocker !== undefined) return belowFile(path, blocker.path);
  const current = root.tree.find(path);
  if (current?.kind === "directory") return placeTaken(path);
  const failure = guardFailure(guard, current?.blob ?? null);
  if (failure !== null) return guardRefusal(path, failure);
  const growth = { files: current === null ? 1 : 0, bytes: size - (current?.size ?? 0) };
  const over = overQuota(root.tree, path, growth);
  return over === null ? null : overQuotaRefusal(over);
}
