import { parentOf } from "../../../domain/path";
import { err, ok } from "../../../domain/result";
import { covers, type ScopeNeed } from "../../../domain/scopes";
import { hasChanges } from "../../../domain/zip/compare-baseline";
import { staleReason } from "../../../domain/zip/duration";
import { contentsPath } from "../../../domain/zip/workspace-path";
import type { BlobBucket } from "../../../storage/blob-bucket";
import type { RootState } from "../../root-state";
import type { ZipSession } from "../../store/zip-sessions";
import { findSession, type SessionRequest, type ZipOutcome } from "./find-session";
import type { Progress } from "./progress";
import { takeLock } from "./session-lock";
import { syncLocked } from "./sync-session";
import { currentState, type UnsyncedChanges, unsyncedChanges } from "./workspace-state";

export interface CloseRequest extends SessionRequest {
  readonly syncs: boolean;
}

export interface Closed {
  readonly synced: boolean;
  readonly modified: number;
  readonly added: number;
  readonly deleted: number;
}

/** Edits that come in while a closing sync runs are synced too, this many times over. */
const syncRoundsMax = 5;

/** zipfs.md §7. */
export async function closeSession(
  root: RootState,
  bucket: BlobBucket,
  request: CloseRequest,
  progress: Progress | null,
): Promise<ZipOutcome<Closed>> {
  const session = findForClose(root, request);
  if (!session.ok) return session;
  const { id } = session.value;
  const lock = await takeLock(root, session.value, "close");
  if (!lock.ok) return lock;
  try {
    for (let round = 1; ; round++) {
      if (request.syncs) {
        const { scopes } = request;
        const synced = await syncLocked(root, bucket, id, { force: false, scopes }, lock.value, progress);
        if (!synced.ok) return synced;
      }
      const goesOn = request.syncs && round < syncRoundsMax;
      const changes = root.transaction(() => removeUnless(root, id, (found) => goesOn && isUnsynced(found)));
      if (changes === "kept") continue;
      if (changes === null) return findForClose(root, { ...request, session: id }) as ZipOutcome<never>;
      publishEnd(root, session.value);
      const { modified, added, deleted } = changes;
      return ok({
        synced: request.syncs,
        modified: modified.length,
        added: added.length,
        deleted: deleted.length,
      });
    }
  } finally {
    lock.value.release();
  }
}

function findForClose(root: RootState, request: CloseRequest): ZipOutcome<ZipSession> {
  const session = findSession(root, request, "write", (path) => [{ verb: "write", path, whole: true }]);
  if (!session.ok || !request.syncs) return session;
  const need: ScopeNeed = { verb: "write", path: session.value.sourcePath };
  return covers(request.scopes, need) ? session : err({ code: "FORBIDDEN", need });
}

function isUnsynced(changes: UnsyncedChanges): boolean {
  return hasChanges(changes) || changes.directoriesChanged;
}

/** Inside a transaction: the end of a session, and what it had that no archive has. Null: there is no such session any more. */
function removeUnless(
  root: RootState,
  id: string,
  isKept: (changes: UnsyncedChanges) => boolean,
): UnsyncedChanges | "kept" | null {
  const session = root.zip.sessions.find(id);
  if (session === null) return null;
  const changes = unsyncedChanges(root, session, currentState(root, session));
  if (isKept(changes)) return "kept";
  removeSession(root, session);
  return changes;
}

function removeSession(root: RootState, session: ZipSession): void {
  const nowMs = root.now();
  const contents = contentsPath(session);
  const workspace = parentOf(contents);
  const blobs = new Set(root.tree.below(contents).flatMap(({ blob }) => blob ?? []));
  if (root.tree.find(workspace) !== null) root.tree.removeTree(workspace);
  for (const blob of root.versions.forgetBelow(workspace)) blobs.add(blob);
  root.zip.entries.remove(session.id);
  root.zip.sessions.remove(session.id);
  root.blobs.condemnUnnamed([...blobs, session.baseBlob], nowMs);
}

/** After the transaction. */
function publishEnd(root: RootState, session: ZipSession): void {
  const contents = contentsPath(session);
  const workspace = parentOf(contents);
  root.changed({ directories: [parentOf(workspace), workspace, contents], entriesChanged: true });
}

export interface PruneRequest {
  readonly all: boolean;
  /** Null: age plays no part. */
  readonly staleMs: number | null;
  readonly dryRun: boolean;
}

export interface Pruned {
  readonly id: string;
  readonly name: string;
  readonly reason: string;
  readonly hadUnsyncedChanges: boolean;
  readonly extractedBytes: number;
}

/** Every session for which there is a reason, one transaction each. Locked ones are left alone; nobody waits. */
export function pruneSessions(root: RootState, request: PruneRequest): Pruned[] {
  root.zip.locks.repair(root.now());
  return root.zip.sessions.all().flatMap((session): Pruned[] => {
    const reason = pruneReason(session, request, root.now());
    if (reason === null) return [];
    const ended = endFor(root, session, request.dryRun);
    if (ended === null) return [];
    if (!request.dryRun) publishEnd(root, session);
    const { id, name, extractedBytes } = session;
    return [{ id, name, reason, hadUnsyncedChanges: isUnsynced(ended), extractedBytes }];
  });
}

function pruneReason(session: ZipSession, { all, staleMs }: PruneRequest, nowMs: number): string | null {
  if (all) return "all sessions";
  const idleMs = nowMs - session.accessedAtMs;
  return staleMs !== null && idleMs > staleMs ? staleReason(idleMs) : null;
}

/** Null: it is locked, or it could not be removed and is whole. */
function endFor(root: RootState, session: ZipSession, dryRun: boolean): UnsyncedChanges | null {
  try {
    return root.transaction(() => {
      if (root.zip.locks.find(session.id) !== null) return null;
      if (dryRun) return unsyncedChanges(root, session, currentState(root, session));
      const removed = removeUnless(root, session.id, () => false);
      return removed === "kept" ? null : removed;
    });
  } catch (error) {
    console.error(JSON.stringify({ level: "error", what: "a session could not be pruned", cause: String(error) }));
    return null;
  }
}
