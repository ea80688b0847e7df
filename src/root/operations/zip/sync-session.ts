import { ancestorsOf, type RootPath } from "../../../domain/path";
import { err, ok } from "../../../domain/result";
import { covers, type Scope } from "../../../domain/scopes";
import { hasChanges } from "../../../domain/zip/compare-baseline";
import { cutChanges } from "../../../domain/zip/cut-changes";
import type { Layout } from "../../../domain/zip/layout-archive";
import { workspaceHolding } from "../../../domain/zip/workspace-path";
import { conflictDetected, limitExceeded, sourceGone, syncFailed, type ZipError } from "../../../domain/zip/zip-errors";
import type { BlobBucket } from "../../../storage/blob-bucket";
import type { RootState } from "../../root-state";
import type { FileFacts, FileNode } from "../../store/tree";
import type { ZipSession } from "../../store/zip-sessions";
import { brokenQuota } from "../quota";
import { estimateSize, LostLock, planArchive, type WrittenArchive, writeArchive } from "./build-archive";
import { findSession, type SessionRequest, type ZipOutcome } from "./find-session";
import { type Progress, sparse } from "./progress";
import { placeFile, planBackups } from "./rotate-backups";
import { type HeldLock, takeLock } from "./session-lock";
import { findFlaw } from "./verify-archive";
import { currentState, unsyncedChanges } from "./workspace-state";

export interface SyncRequest extends SessionRequest {
  readonly force: boolean;
}

export interface Synced {
  readonly unchanged: boolean;
  readonly backupPath: RootPath | "";
  readonly modified: number;
  readonly added: number;
  readonly deleted: number;
  readonly size: number;
  readonly zipHash: string;
}

/** zipfs.md §6.1. */
export async function syncSession(
  root: RootState,
  bucket: BlobBucket,
  request: SyncRequest,
  progress: Progress | null,
): Promise<ZipOutcome<Synced>> {
  const session = findForSync(root, request);
  if (!session.ok) return session;
  const lock = await takeLock(root, session.value, "sync");
  if (!lock.ok) return lock;
  try {
    return await syncLocked(root, bucket, session.value.id, request, lock.value, progress);
  } finally {
    lock.value.release();
  }
}

/** The workspace must be read as a whole, and the source written. */
export function findForSync(root: RootState, request: SessionRequest): ZipOutcome<ZipSession> {
  const session = findSession(root, request, "read", (path) => [{ verb: "read", path, whole: true }]);
  if (!session.ok) return session;
  const need = { verb: "write", path: session.value.sourcePath } as const;
  return covers(request.scopes, need) ? session : err({ code: "FORBIDDEN", need });
}

/** The steps that need the lock. It stays with the caller. */
export async function syncLocked(
  root: RootState,
  bucket: BlobBucket,
  id: string,
  { force, scopes }: Pick<SyncRequest, "force" | "scopes">,
  lock: HeldLock,
  progress: Progress | null,
): Promise<ZipOutcome<Synced>> {
  const session = root.zip.sessions.find(id);
  // It was closed while this call waited for the lock.
  if (session === null) return findForSync(root, { session: id, scopes }) as ZipOutcome<never>;
  root.zip.sessions.setState(id, "syncing");
  const source = checkSource(root, session, force);
  if (!source.ok) return source;
  const state = currentState(root, session);
  const changes = unsyncedChanges(root, session, state);
  const isSame = source.value?.blob === session.zipHash;
  if (isSame && !hasChanges(changes) && !changes.directoriesChanged) {
    root.zip.sessions.markSynced(id, root.now());
    const { baseSize: size, zipHash } = session;
    return ok({ unchanged: true, backupPath: "", modified: 0, added: 0, deleted: 0, size, zipHash });
  }
  try {
    const renew = () => lock.renew();
    const layout = await planArchive(root, session, state, renew);
    if (!layout.ok) return layout;
    const told = sparse(progress);
    const total = layout.value.size;
    const written = await writeArchive(root, bucket, session, layout.value, renew, (done) => told(done, total));
    const { facts } = written;
    const flaw = await findFlaw(root, session, facts.blob, layout.value, renew);
    if (flaw !== null) return err(syncFailed(flaw));
    const swapped = swap(root, session, written, layout.value, force, scopes, lock);
    if (!swapped.ok) return swapped;
    return ok({
      unchanged: false,
      backupPath: swapped.value,
      modified: changes.modified.length,
      added: changes.added.length,
      deleted: changes.deleted.length,
      size: facts.size,
      zipHash: facts.blob,
    });
  } catch (error) {
    if (error instanceof LostLock) return err(syncFailed("it took too long and another operation took over"));
    const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
    console.error(JSON.stringify({ level: "error", what: "a sync failed", cause }));
    return err(syncFailed("the new archive could not be written"));
  }
}

/** The source as it is now; null if it is gone and may be written again. */
function checkSource(root: RootState, session: ZipSession, force: boolean): ZipOutcome<FileNode | null> {
  const source = root.tree.find(session.sourcePath);
  if (source === null) {
    if (!force) return err(sourceGone(session.sourcePath));
    const directory = workspaceHolding(session.sourcePath);
    const isGone = directory !== null && root.zip.sessions.ofDirectory(directory) === null;
    return isGone ? err(syncFailed("the workspace that held the source is closed")) : ok(null);
  }
  if (source.kind === "directory") return err(syncFailed("the source path is a directory now"));
  const isForeign = source.blob !== session.zipHash;
  return isForeign && !force ? err(conflictDetected(session.sourcePath)) : ok(source);
}

/** Step 5: one transaction, which checks everything again. Gives the newest backup. */
function swap(
  root: RootState,
  session: ZipSession,
  { facts, store }: WrittenArchive,
  layout: Layout,
  force: boolean,
  scopes: readonly Scope[],
  lock: HeldLock,
): ZipOutcome<RootPath | ""> {
  const done = root.transaction((): ZipOutcome<{ backup: RootPath | ""; directories: RootPath[] }> => {
    if (!lock.isHeld()) return err(syncFailed("it took too long and another operation took over"));
    const source = checkSource(root, session, force);
    if (!source.ok) return source;
    const blocked = root.tree.existingAncestors(session.sourcePath).find((node) => node.kind === "file");
    if (blocked !== undefined) return err(syncFailed(`${blocked.path} is a file now`));
    const writes = source.value === null ? [] : planBackups(root, session, source.value, scopes);
    const all = [...writes, { path: session.sourcePath, content: facts }];
    const over = quotaObstacle(root, all);
    if (over !== null) return err(over);
    const nowMs = root.now();
    const directories = all.flatMap((write) => placeFile(root, write));
    // Last: on the way, a content may have had no name for a moment.
    root.blobs.retain(all.map(({ content }) => content.blob));
    store.settle();
    for (const { path, content } of writes) root.zip.backups.note(path, content.blob);
    root.zip.entries.replace(session.id, layout.index.entries, !session.baselineKept);
    root.zip.sessions.setBase(session.id, facts.blob, facts.size);
    root.zip.sessions.markSynced(session.id, nowMs);
    root.blobs.condemnUnnamed([session.baseBlob], nowMs);
    return ok({ backup: writes[0]?.path ?? "", directories });
  });
  if (!done.ok) return done;
  root.changed({ directories: done.value.directories, entriesChanged: true });
  return ok(done.value.backup);
}

function quotaObstacle(root: RootState, writes: readonly { path: RootPath; content: FileFacts }[]): ZipError | null {
  const advice = "Remove files that you no longer need, such as old backups; the source zip is untouched";
  let files = 0;
  let directories = 0;
  let bytes = 0;
  for (const { path, content } of writes) {
    const current = root.tree.find(path);
    if (current === null) {
      files++;
      // The new files of one sync lie in one directory.
      directories = ancestorsOf(path).length - root.tree.existingAncestors(path).length;
    }
    bytes += content.size - (current?.kind === "file" ? current.size : 0);
  }
  const broken = brokenQuota(root.tree, { files, bytes, directories });
  if (broken === null) return null;
  return limitExceeded(`${broken.what} of your root`, broken.used + broken.needed, broken.max, advice);
}

export interface SyncPreview {
  readonly modified: readonly string[];
  readonly added: readonly string[];
  readonly deleted: readonly string[];
  /** Also of what the lists leave out. */
  readonly counts: { readonly modified: number; readonly added: number; readonly deleted: number };
  readonly isCut: boolean;
  readonly conflict: boolean;
  readonly sourceMissing: boolean;
  readonly estimatedSize: number;
}

/** zipfs.md §6.7: takes no lock, writes nothing, touches nothing. */
export function previewSync(root: RootState, request: SessionRequest): ZipOutcome<SyncPreview> {
  const session = findForSync(root, request);
  if (!session.ok) return session;
  const state = currentState(root, session.value);
  const { modified, added, deleted } = unsyncedChanges(root, session.value, state);
  const source = root.tree.find(session.value.sourcePath);
  const sourceMissing = source === null;
  const conflict = source?.kind !== "file" || source.blob !== session.value.zipHash;
  return ok({
    ...cutChanges({ modified, added, deleted }, 3),
    counts: { modified: modified.length, added: added.length, deleted: deleted.length },
    conflict,
    sourceMissing,
    estimatedSize: estimateSize(root, session.value, state),
  });
}
