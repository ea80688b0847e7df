import { zipTreeMaxLines } from "../../../domain/limits";
import type { RootPath } from "../../../domain/path";
import { quote } from "../../../domain/quote";
import { err, ok } from "../../../domain/result";
import { cutChanges } from "../../../domain/zip/cut-changes";
import { decodeCursor, encodeCursor } from "../../../domain/zip/list-cursor";
import { contentsPath } from "../../../domain/zip/workspace-path";
import { renderTree, type TreeText } from "../../../domain/zip/workspace-tree";
import { invalidParams, pathNotFound } from "../../../domain/zip/zip-errors";
import type { RootState } from "../../root-state";
import type { TreeRow } from "../../store/tree-listing";
import type { ZipSession } from "../../store/zip-sessions";
import { findForPath, findSession, type SessionRequest, touch, type ZipOutcome } from "./find-session";
import { changesSinceOpen, currentState, unsyncedChanges } from "./workspace-state";

/** Looking at sessions and workspaces, from rows alone (zipfs.md §4, §5, §7). */

export interface ListWorkspaceRequest extends SessionRequest {
  readonly path: string;
  readonly recursive: boolean;
  readonly limit: number;
  readonly cursor: string | null;
}

export interface WorkspaceEntry {
  readonly name: string;
  readonly isDirectory: boolean;
  readonly size: number;
  readonly timeMs: number;
}

export interface WorkspacePage {
  readonly entries: readonly WorkspaceEntry[];
  readonly nextCursor: string | null;
}

export function listWorkspace(root: RootState, request: ListWorkspaceRequest): ZipOutcome<WorkspacePage> {
  const { path, recursive, limit } = request;
  const found = findForPath(root, request, "read", recursive ? { whole: true } : { listing: true });
  if (!found.ok) return found;
  const { session, contents, at } = found.value;
  const listing = { sessionId: session.id, path, recursive };
  const after = request.cursor === null ? null : decodeCursor(request.cursor, listing);
  if (request.cursor !== null && after === null) {
    return err(
      invalidParams("cursor", "it is none of this listing; pass next_cursor as it was given, with the same path"),
    );
  }
  const node = root.tree.find(at);
  if (node === null) return err(pathNotFound(path));
  touch(root, session);
  if (node.kind === "file") {
    const timeMs = root.tree.mtimeMs(at) ?? 0;
    const name = path.slice(path.lastIndexOf("/") + 1);
    return ok({ entries: [{ name, isDirectory: false, size: node.size, timeMs }], nextCursor: null });
  }
  const from = after === null ? null : (`${contents}/${after}` as RootPath);
  const rows = recursive ? root.tree.below(at, from, limit + 1) : root.tree.childrenAfter(at, from, limit + 1);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return ok({
    entries: shown.map((row) => entryOf(row, at)),
    nextCursor: hasMore ? encodeCursor({ ...listing, after: last.path.slice(contents.length + 1) }) : null,
  });
}

function entryOf({ path, kind, size, mtimeMs }: TreeRow, directory: RootPath): WorkspaceEntry {
  return { name: path.slice(directory.length + 1), isDirectory: kind === "directory", size, timeMs: mtimeMs };
}

export interface TreeRequest extends SessionRequest {
  readonly path: string;
  /** 0: unlimited. */
  readonly maxDepth: number;
}

export function showTree(root: RootState, request: TreeRequest): ZipOutcome<TreeText> {
  const found = findForPath(root, request, "read", { whole: true });
  if (!found.ok) return found;
  const { session, at } = found.value;
  const node = root.tree.find(at);
  if (node === null) return err(pathNotFound(request.path));
  if (node.kind === "file") {
    return err(invalidParams("path", `${quote(request.path)} is a file; use zipfs_read`));
  }
  touch(root, session);
  const items = root.tree.below(at).map(({ path, kind }) => ({
    path: path.slice(at.length + 1),
    isDirectory: kind === "directory",
  }));
  const isShown = ({ path }: { path: string }) => request.maxDepth === 0 || path.split("/").length <= request.maxDepth;
  return ok(renderTree(items.filter(isShown), zipTreeMaxLines));
}

export function sessionPath(root: RootState, request: SessionRequest): ZipOutcome<RootPath> {
  const session = findSession(root, request, "read", (path) => [{ verb: "read", path }]);
  if (!session.ok) return session;
  touch(root, session.value);
  return ok(contentsPath(session.value));
}

export interface SessionStatus {
  readonly modified: readonly string[];
  readonly added: readonly string[];
  readonly deleted: readonly string[];
  readonly unchangedCount: number;
  /** Some list is not whole. */
  readonly isCut: boolean;
  readonly unsynced: {
    readonly modified: readonly string[];
    readonly added: readonly string[];
    readonly deleted: readonly string[];
    readonly directoriesChanged: boolean;
  };
}

/** Since the open and since the last sync, three each. */
const listsOfStatus = 6;

export function sessionStatus(root: RootState, request: SessionRequest): ZipOutcome<SessionStatus> {
  const session = findSession(root, request, "read", (path) => [{ verb: "read", path, whole: true }]);
  if (!session.ok) return session;
  const state = currentState(root, session.value);
  const sinceOpen = changesSinceOpen(root, session.value, state);
  const unsynced = unsyncedChanges(root, session.value, state);
  touch(root, session.value);
  const { isCut, ...shown } = cutChanges(sinceOpen, listsOfStatus);
  const { isCut: isUnsyncedCut, ...shownUnsynced } = cutChanges(unsynced, listsOfStatus);
  return ok({
    ...shown,
    unchangedCount: sinceOpen.unchangedCount,
    isCut: isCut || isUnsyncedCut,
    unsynced: { ...shownUnsynced, directoriesChanged: unsynced.directoriesChanged },
  });
}

export interface ListedSession extends ZipSession {
  readonly currentFiles: number;
  readonly currentBytes: number;
}

export function listSessions(root: RootState): ListedSession[] {
  root.zip.locks.repair(root.now());
  return root.zip.sessions.all().map((session) => {
    const { files, bytes } = root.tree.usageBelow(contentsPath(session));
    return { ...session, currentFiles: files, currentBytes: bytes };
  });
}
