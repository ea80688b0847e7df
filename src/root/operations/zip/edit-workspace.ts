import { countByteLines } from "../../../domain/byte-lines";
import type { Sha256 } from "../../../domain/hash";
import { zipWriteMaxBytes } from "../../../domain/limits";
import { parentOf, type RootPath } from "../../../domain/path";
import { quote } from "../../../domain/quote";
import { err, ok } from "../../../domain/result";
import { isText } from "../../../domain/text-kind";
import { workspacesDirectory } from "../../../domain/zip/workspace-path";
import { invalidParams, limitExceeded, pathNotFound, type ZipError } from "../../../domain/zip/zip-errors";
import type { RootState } from "../../root-state";
import type { StagedBlob } from "../../store/blobs";
import { overQuota } from "../quota";
import { findForPath, type SessionRequest, touch, type ZipOutcome } from "./find-session";
import { placeFile } from "./rotate-backups";

export interface WriteBytesRequest extends SessionRequest {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly createsDirectories: boolean;
  /** What the file must hold now; null: whatever it holds. */
  readonly hash: Sha256 | null;
}

export interface BytesWritten {
  readonly size: number;
  readonly hash: Sha256;
  readonly created: boolean;
}

export async function writeWorkspaceFile(
  root: RootState,
  request: WriteBytesRequest,
): Promise<ZipOutcome<BytesWritten>> {
  const { bytes } = request;
  const found = findForPath(root, request, "write");
  if (!found.ok) return found;
  const { at } = found.value;
  const refused = obstacle(root, request, at);
  if (refused !== null) return err(refused);
  if (bytes.length > zipWriteMaxBytes) {
    const advice = `Send larger files with PUT /files${at}`;
    return err(limitExceeded("size of content in bytes", bytes.length, zipWriteMaxBytes, advice));
  }
  const staged = await root.blobs.stage(bytes, isText(bytes) ? countByteLines(bytes) : null, root.now());
  const done = root.transaction((): ZipOutcome<{ created: boolean; directories: RootPath[] }> => {
    // Everything again: the session may have ended while the bytes were on their way.
    const again = findForPath(root, { ...request, session: found.value.session.id }, "write");
    if (!again.ok) return again;
    const error = obstacle(root, request, at) ?? storageObstacle(root, at, staged);
    if (error !== null) return err(error);
    const created = root.tree.find(at) === null;
    root.blobs.adopt(staged, root.now());
    const directories = placeFile(root, { path: at, content: staged });
    touch(root, again.value.session);
    return ok({ created, directories });
  });
  if (!done.ok) return done;
  const { created, directories } = done.value;
  if (directories.length > 0) root.changed({ directories, entriesChanged: created });
  return ok({ size: bytes.length, hash: staged.blob, created });
}

function obstacle(root: RootState, request: WriteBytesRequest, at: RootPath): ZipError | null {
  const { path, hash, createsDirectories } = request;
  if (path === "") return invalidParams("path", "it is the workspace itself; name a file in it");
  const ancestors = root.tree.existingAncestors(at);
  if (ancestors.some((node) => node.kind === "file")) {
    return invalidParams("path", `${quote(path)} lies below a file; choose another path`);
  }
  const node = root.tree.find(at);
  if (node?.kind === "directory") return invalidParams("path", `${quote(path)} is a directory; name a file in it`);
  if (hash !== null) {
    if (node === null) return pathNotFound(path);
    if (node.blob !== hash) return invalidParams("hash", "the file has changed since you read it; read it again");
  }
  const hasParent = ancestors.at(-1)?.path === parentOf(at);
  return hasParent || createsDirectories ? null : pathNotFound(path.slice(0, Math.max(0, path.lastIndexOf("/"))));
}

function storageObstacle(root: RootState, at: RootPath, staged: StagedBlob): ZipError | null {
  const current = root.tree.find(at);
  const bytes = staged.size - (current?.kind === "file" ? current.size : 0);
  const advice = "Remove files that you no longer need, or send fewer bytes (large files: PUT /files/…)";
  const broken = overQuota(root.tree, at, { files: current === null ? 1 : 0, bytes });
  if (broken !== null) {
    const { size, max } = broken.details ?? {};
    return limitExceeded("your root's storage", Number(size), Number(max), advice);
  }
  const total = root.tree.usageBelow(workspacesDirectory).bytes + bytes;
  const { totalBytes } = root.zip.limits;
  return bytes > 0 && total > totalBytes ? limitExceeded("bytes of all workspaces", total, totalBytes, advice) : null;
}

export interface DeleteBytesRequest extends SessionRequest {
  readonly path: string;
  readonly recursive: boolean;
}

/** Gives how many files are gone. Parents stay. */
export function deleteFromWorkspace(root: RootState, request: DeleteBytesRequest): ZipOutcome<number> {
  const { path, recursive } = request;
  const done = root.transaction((): ZipOutcome<{ files: number; at: RootPath }> => {
    const found = findForPath(root, request, "write", recursive ? { whole: true } : {});
    if (!found.ok) return found;
    const { at, session } = found.value;
    if (path === "") return err(invalidParams("path", "it is the workspace itself; close it with zipfs_close"));
    const node = root.tree.find(at);
    if (node === null) return err(pathNotFound(path));
    if (node.kind === "directory" && !recursive) {
      return err(invalidParams("path", `${quote(path)} is a directory; use recursive=true`));
    }
    const nowMs = root.now();
    const files = root.live.filesBelow(at);
    root.tree.removeTree(at);
    for (const file of files) {
      root.blobs.condemnUnnamed(root.versions.record(file.path, file.blob, null, nowMs), nowMs);
    }
    touch(root, session);
    return ok({ files: files.length, at });
  });
  if (!done.ok) return done;
  root.changed({ directories: [parentOf(done.value.at)], entriesChanged: true });
  return ok(done.value.files);
}
