import { parentOf, type RootPath } from "../../../domain/path";
import { covers, type Scope } from "../../../domain/scopes";
import { folderBackups, siblingBackups } from "../../../domain/zip/backup-names";
import { workspaceHolding } from "../../../domain/zip/workspace-path";
import type { RootState } from "../../root-state";
import type { FileFacts } from "../../store/tree";
import type { ZipSession } from "../../store/zip-sessions";

/** A file as it shall be after the rotation. */
export interface BackupWrite {
  readonly path: RootPath;
  readonly content: FileFacts;
}

/** Which files the backups become, the newest first (zipfs.md §6.4). No bytes move. */
export function planBackups(
  root: RootState,
  session: ZipSession,
  replaced: FileFacts,
  scopes: readonly Scope[],
): BackupWrite[] {
  const paths = backupPaths(root, session, scopes);
  const former = paths.flatMap((path): FileFacts[] => {
    const node = root.tree.find(path);
    return node?.kind === "file" ? [node] : [];
  });
  const contents = [replaced, ...former].slice(0, paths.length);
  return contents.map((content, index) => ({ path: paths[index] as RootPath, content: factsOf(content) }));
}

/** Beside the source if nothing speaks against it, else in the session's own folder. */
function backupPaths(root: RootState, session: ZipSession, scopes: readonly Scope[]): RootPath[] {
  const { id, sourcePath } = session;
  const count = root.zip.limits.backups;
  const siblings = workspaceHolding(sourcePath) === null ? siblingBackups(sourcePath, count) : null;
  const isFree = (path: RootPath) => {
    if (!covers(scopes, { verb: "write", path })) return false;
    const node = root.tree.find(path);
    return node === null || (node.kind === "file" && root.zip.backups.isOurs(path, node.blob));
  };
  return siblings?.every(isFree) ? siblings : folderBackups(id, sourcePath, count);
}

/** Inside the transaction: brings a file to what it shall be, and gives the directories in which something changed. */
export function placeFile(root: RootState, { path, content }: BackupWrite): RootPath[] {
  const nowMs = root.now();
  const current = root.tree.find(path);
  if (current?.kind === "directory") throw new Error(`${path} is a directory`);
  if (current?.blob === content.blob) return [];
  if (current !== null) {
    root.tree.replaceFile(current, content, nowMs);
    root.blobs.condemnUnnamed(root.versions.record(path, current.blob, content.blob, nowMs), nowMs);
    return [parentOf(path)];
  }
  const made = root.tree.addFile(path, content, nowMs);
  root.blobs.condemnUnnamed(root.versions.settle(path, content.blob), nowMs);
  return [...made.map(parentOf), parentOf(path)];
}

function factsOf({ blob, gitOid, size, lines }: FileFacts): FileFacts {
  return { blob, gitOid, size, lines };
}
