import type { RootPath } from "../../../domain/path";
import { compareBaseline, sameSet, type WorkspaceChanges } from "../../../domain/zip/compare-baseline";
import { indexedDirectories } from "../../../domain/zip/entry-index";
import type { WorkspaceFile, WorkspaceState } from "../../../domain/zip/plan-sync";
import { contentsPath } from "../../../domain/zip/workspace-path";
import type { RootState } from "../../root-state";
import { hashesOf } from "../../store/zip-entries";
import type { ZipSession } from "../../store/zip-sessions";

/** Everything in a workspace at this instant, from rows alone. */
export function workspaceState(root: RootState, contents: RootPath): WorkspaceState {
  const files = new Map<string, WorkspaceFile>();
  const directories = new Map<string, number>();
  for (const [path, kind, blob, size, mtimeMs] of root.tree.rowsBelow(contents)) {
    const relative = path.slice(contents.length + 1);
    if (kind === "directory") directories.set(relative, mtimeMs);
    else files.set(relative, { hash: blob ?? "", size, timeMs: mtimeMs });
  }
  return { files, directories };
}

export interface UnsyncedChanges extends WorkspaceChanges {
  readonly directoriesChanged: boolean;
}

/** What the archive that the session stands on does not have yet. */
export function unsyncedChanges(root: RootState, session: ZipSession, state: WorkspaceState): UnsyncedChanges {
  const indexed = root.zip.entries.paths(session.id);
  const changes = compareBaseline(hashesOf(indexed), currentHashes(state));
  const directories = indexedDirectories(indexed);
  return { ...changes, directoriesChanged: !sameSet(directories, new Set(state.directories.keys())) };
}

/** What changed since the archive was opened, syncs or not. */
export function changesSinceOpen(root: RootState, session: ZipSession, state: WorkspaceState): WorkspaceChanges {
  const { entries } = root.zip;
  const baseline = session.baselineKept ? entries.keptBaseline(session.id) : hashesOf(entries.paths(session.id));
  return compareBaseline(baseline, currentHashes(state));
}

export function currentState(root: RootState, session: ZipSession): WorkspaceState {
  return workspaceState(root, contentsPath(session));
}

function currentHashes({ files }: WorkspaceState): Map<string, string> {
  return new Map([...files].map(([path, file]) => [path, file.hash]));
}
