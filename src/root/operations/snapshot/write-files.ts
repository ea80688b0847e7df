import { ancestorsOf, parentOf, type RootPath } from "../../../domain/path";
import type { SnapshotError } from "../../../domain/snapshot-errors";
import type { TreeChange } from "../../contract";
import type { RootState } from "../../root-state";
import type { StagedBlob } from "../../store/blobs";
import type { FileFacts } from "../../store/tree";
import { brokenQuota, quotaMessage } from "../quota";

/** One file as it shall be; null content: gone. `staged` is left out where the content is held already. */
export interface FileWrite {
  readonly path: RootPath;
  readonly content: FileFacts | null;
  readonly staged?: StagedBlob;
}

/**
 * Inside the transaction that checked everything: brings the files to what they shall be, removals first, so that a file can
 * make room for a directory. Gives what changed, or the quota that stands against it before anything is written.
 */
export function writeFiles(root: RootState, writes: readonly FileWrite[]): TreeChange | SnapshotError {
  const nowMs = root.now();
  const effective = writes.filter(({ path, content }) => {
    const current = root.tree.find(path);
    return content === null ? current?.kind === "file" : current?.kind !== "file" || current.blob !== content.blob;
  });
  const broken = brokenQuota(root.tree, growthOf(root, effective));
  if (broken !== null) {
    const { what, used, needed, max } = broken;
    return {
      code: "TOO_LARGE",
      message: `Nothing was changed: ${quotaMessage(broken)}`,
      details: { limit: what, max, actual: used + needed },
    };
  }
  const directories = new Set<RootPath>();
  let entriesChanged = false;
  for (const { path } of effective.filter((write) => write.content === null)) {
    const current = root.tree.find(path);
    if (current?.kind !== "file") continue;
    root.tree.removeFile(current);
    root.blobs.condemnUnnamed(root.versions.record(path, current.blob, null, nowMs), nowMs);
    directories.add(parentOf(path));
    entriesChanged = true;
  }
  for (const { path, content, staged } of effective) {
    if (content === null) continue;
    if (staged !== undefined) root.blobs.adopt(staged, nowMs);
    const current = root.tree.find(path);
    if (current?.kind === "file") {
      root.tree.replaceFile(current, content, nowMs);
      root.blobs.condemnUnnamed(root.versions.record(path, current.blob, content.blob, nowMs), nowMs);
    } else {
      // Nothing but empty directories can be left here: whoever planned this has seen to that.
      if (current?.kind === "directory") root.tree.removeTree(path);
      for (const made of root.tree.addFile(path, content, nowMs)) directories.add(parentOf(made));
      root.blobs.condemnUnnamed(root.versions.settle(path, content.blob), nowMs);
      entriesChanged = true;
    }
    directories.add(parentOf(path));
  }
  return { directories: [...directories], entriesChanged };
}

/** At most: a directory that several new files share is counted once, one that is there already not at all. */
function growthOf(root: RootState, writes: readonly FileWrite[]) {
  let files = 0;
  let bytes = 0;
  const directories = new Set<RootPath>();
  const known = new Set<RootPath>();
  for (const { path, content } of writes) {
    const current = root.tree.find(path);
    const held = current?.kind === "file" ? current.size : 0;
    bytes += (content?.size ?? 0) - held;
    if (content === null) files--;
    else if (current?.kind !== "file") files++;
    if (content === null || current !== null) continue;
    for (const directory of ancestorsOf(path).reverse()) {
      if (known.has(directory) || directories.has(directory)) break;
      if (root.tree.find(directory) === null) directories.add(directory);
      else known.add(directory);
    }
  }
  return { files, directories: directories.size, bytes };
}
