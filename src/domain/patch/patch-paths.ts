import { compareUtf8 } from "../byte-order";
import { patchWorkMaxBytes, textFileMaxBytes } from "../limits";
import type { RootPath } from "../path";
import { err, ok, type Result } from "../result";
import type { BaseTree } from "./base-tree";
import type { Patch } from "./patch";
import { type PatchTooLarge, tooLarge } from "./patch-errors";

/** What a patch touches, known before anything is looked up. */
export interface AffectedPaths {
  /** Made, changed or removed, both ends of a rename included: what `applied` lists. In byte order. */
  readonly written: readonly RootPath[];
  /** Only read: sources of copies. In byte order. */
  readonly read: readonly RootPath[];
}

export function affectedPaths({ sections }: Patch): AffectedPaths {
  const written = new Set<RootPath>();
  const read = new Set<RootPath>();
  for (const { kind, path, source } of sections) {
    written.add(path);
    if (source !== null) (kind === "rename" ? written : read).add(source);
  }
  return { written: [...written].sort(compareUtf8), read: [...read].sort(compareUtf8) };
}

/**
 * The files whose contents `planPatch` may ask for. What is only moved, or is no text, is not read.
 * A section on a path to which another was moved may see either file: which one depends on whether the move is rejected.
 */
export function sourcesOf(patch: Patch, base: BaseTree): Result<readonly RootPath[], PatchTooLarge> {
  const moved = new Map<RootPath, RootPath[]>();
  const sources = new Set<RootPath>();
  for (const { kind, path, source, hunks } of patch.sections) {
    const inputs = source === null ? [path, ...(moved.get(path) ?? [])] : [source];
    if (hunks.length > 0 && kind !== "create") for (const input of inputs) sources.add(input);
    if (source !== null) moved.set(path, [...(moved.get(path) ?? []), source]);
  }

  const readable: RootPath[] = [];
  let totalBytes = 0;
  for (const path of sources) {
    const node = base.nodeAt(path);
    if (node.type !== "file" || !node.isText || node.sizeBytes > textFileMaxBytes) continue;
    readable.push(path);
    totalBytes += node.sizeBytes;
  }
  return totalBytes > patchWorkMaxBytes ? err(tooMuchWork(totalBytes)) : ok(readable);
}

export function tooMuchWork(bytes: number): PatchTooLarge {
  const given = `The files that the patch reads and makes have more than ${patchWorkMaxBytes} bytes together`;
  const hint = "Split the patch and send the parts one after the other.";
  return tooLarge("PATCH_WORK_MAX", patchWorkMaxBytes, bytes, given, hint);
}
