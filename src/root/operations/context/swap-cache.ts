import type { BuildRequest } from "../../../domain/context/build-request";
import { documentsFolder } from "../../../domain/context/cache-format";
import { type ContextError, tooLarge } from "../../../domain/context/errors";
import { cacheRoot } from "../../../domain/context/identifier";
import { directoriesMax } from "../../../domain/limits";
import type { RootPath } from "../../../domain/path";
import type { TreeChange } from "../../contract";
import type { RootState } from "../../root-state";
import type { ViewFile } from "../../view/tree-view";
import { brokenQuota, quotaMessage } from "../quota";
import { type FileWrite, writeFiles } from "../snapshot/write-files";
import { type TargetState, targetState } from "./check-target";
import { stored } from "./storage-fault";

/** Puts the new files in the place of everything at the target, in one transaction that checks what it relies on: all or nothing. */
export function swapCache(
  root: RootState,
  request: BuildRequest,
  expected: TargetState,
  files: readonly ViewFile[],
): ContextError | null {
  const done = stored(() =>
    root.transaction((): TreeChange | ContextError => {
      if (targetState(root, request.target) !== expected) return cacheChanged(request);
      return swapRefused(root, request, files) ?? replaceFiles(root, request.target, files);
    }),
  );
  if ("code" in done) return done;
  root.changed(done);
  return null;
}

/** The quota that stands against the new files. */
export function swapRefused(
  root: RootState,
  { target }: BuildRequest,
  files: readonly ViewFile[],
): ContextError | null {
  const present = root.live.filesBelow(target);
  const bytes = (list: readonly ViewFile[]) => list.reduce((sum, file) => sum + file.size, 0);
  const directories = [cacheRoot, target, `${target}/${documentsFolder}` as RootPath];
  const broken = brokenQuota(root.tree, {
    files: files.length - present.length,
    bytes: bytes(files) - bytes(present),
    directories: directories.filter((path) => root.tree.find(path) === null).length,
  });
  if (broken === null) return null;
  return tooLarge(`Nothing was built: ${quotaMessage(broken)}`, broken.max, broken.used + broken.needed);
}

function replaceFiles(root: RootState, target: RootPath, files: readonly ViewFile[]): TreeChange {
  const wanted = new Set(files.map((file) => file.path));
  const leftovers = root.live.filesBelow(target).filter((file) => !wanted.has(file.path));
  const removed = written(
    root,
    leftovers.map(({ path }) => ({ path, content: null })),
  );
  const directories = removeDirectories(root, target);
  const added = written(
    root,
    files.map(({ path, ...content }) => ({ path, content, staged: { ...content, bytes: null, r2Key: null } })),
  );
  return {
    directories: [...removed.directories, ...added.directories, ...directories],
    entriesChanged: removed.entriesChanged || added.entriesChanged || directories.length > 0,
  };
}

/** By now without files. Gives the directories in which something went. */
function removeDirectories(root: RootState, target: RootPath): RootPath[] {
  const documents = `${target}/${documentsFolder}` as RootPath;
  const changed: RootPath[] = [];
  for (const parent of [target, documents]) {
    for (const { name, type } of root.tree.children(parent, directoriesMax, 0)) {
      const path = `${parent}/${name}` as RootPath;
      if (type !== "directory" || path === documents) continue;
      root.tree.removeTree(path);
      changed.push(parent);
    }
  }
  return changed;
}

function written(root: RootState, writes: readonly FileWrite[]): TreeChange {
  const change = writeFiles(root, writes);
  // The quota was checked for all of it together.
  if ("code" in change) throw new Error(change.message);
  return change;
}

function cacheChanged({ cache, target }: BuildRequest): ContextError {
  const message = `Something wrote to ${target} while this cache was built. Nothing was changed. Look at it, then call again.`;
  return { code: "io_error", details: { reason: "cache_changed", message, cache } };
}
