import { patchWorkMaxBytes, textFileMaxBytes } from "../limits";
import type { RootPath } from "../path";
import { repoPathOf } from "../repo-path";
import { err, ok, type Result } from "../result";
import { isText } from "../text-kind";
import { applyHunks, sizeAfter } from "./apply-hunks";
import type { BaseContents, BaseTree } from "./base-tree";
import { matchHunks, type Placed } from "./match-hunks";
import type { Patch, PatchSection } from "./patch";
import { type PatchTooLarge, tooLarge } from "./patch-errors";
import { affectedPaths, tooMuchWork } from "./patch-paths";
import { type Content, PatchedTree } from "./patched-tree";
import { type PathRejects, type RejectReason, Rejects } from "./rejects";

/** All of a patch, or nothing of it. */
export type PatchPlan =
  | {
      readonly applies: true;
      /** Every affected path, in byte order. */
      readonly applied: readonly RootPath[];
      /** What becomes of files, one entry for each path whose content changes. */
      readonly changes: ReadonlyMap<RootPath, FileChange>;
    }
  | { readonly applies: false; readonly rejects: readonly PathRejects[] };

export type FileChange =
  | { readonly type: "write"; readonly bytes: Uint8Array }
  /** Holds what `from` held before the patch. */
  | { readonly type: "copy"; readonly from: RootPath }
  | { readonly type: "delete" };

/**
 * Judges a patch against the base (snapshot.md §9.3 – §9.5). `contents` has the files that `sourcesOf` names.
 * Every hunk is judged; a section that is rejected leaves its files as they were for those after it.
 */
export function planPatch(patch: Patch, base: BaseTree, contents: BaseContents): Result<PatchPlan, PatchTooLarge> {
  const planner = new Planner(patch, base, contents);
  for (const section of patch.sections) {
    const excess = planner.apply(section);
    if (excess) return err(excess);
  }
  return ok(planner.plan());
}

class Planner {
  private readonly tree: PatchedTree;
  private readonly rejects = new Rejects();
  private readonly hunksSeen = new Map<RootPath, number>();
  private workBytes = 0;

  constructor(
    private readonly patch: Patch,
    private readonly base: BaseTree,
    private readonly contents: BaseContents,
  ) {
    this.tree = new PatchedTree(base, patch);
  }

  apply(section: PatchSection): PatchTooLarge | null {
    const { path, hunks } = section;
    const firstIndex = this.hunksSeen.get(path) ?? 0;
    this.hunksSeen.set(path, firstIndex + hunks.length);
    const input = this.inputOf(section);
    if (typeof input === "string") {
      this.rejects.add(path, { index: firstIndex, reason: input });
      return null;
    }
    const output = hunks.length === 0 ? ok(input) : this.edit(section, input, firstIndex);
    if (!output.ok) return output.error;
    if (output.value) this.commit(section, output.value, firstIndex);
    return null;
  }

  plan(): PatchPlan {
    const rejects = this.rejects.list();
    if (rejects.length > 0) return { applies: false, rejects };
    const changes = new Map<RootPath, FileChange>();
    for (const [path, content] of this.tree.changes()) {
      const change = this.changeOf(path, content);
      if (change) changes.set(path, change);
    }
    return { applies: true, applied: affectedPaths(this.patch).written, changes };
  }

  /** What the hunks apply to, or the first reason of the table in §9.5 that concerns the whole section. */
  private inputOf(section: PatchSection): Content | RejectReason {
    const { kind, path, source, hunks } = section;
    if (section.hasForeignMode) return "unsupported_mode";
    if (section.isBinary) return "binary";
    const found = this.findInput(section);
    const isNewPath = kind === "create" || source !== null;
    const obstacle = isNewPath ? this.tree.obstacle(path) : null;
    if (found === "path_conflict" || obstacle === "path_conflict") return "path_conflict";
    if (typeof found === "string") return found;
    if (obstacle) return obstacle;
    return hunks.length > 0 && !this.isTextContent(found) ? "binary" : found;
  }

  private findInput({ kind, path, source }: PatchSection): Content | RejectReason {
    if (source !== null) return this.tree.original(source);
    if (kind === "create") return { bytes: new Uint8Array() };
    return kind === "delete" ? this.tree.toDelete(path) : this.tree.current(path);
  }

  /** Null if a hunk is rejected. */
  private edit(section: PatchSection, input: Content, firstIndex: number): Result<Content | null, PatchTooLarge> {
    const { path, hunks } = section;
    const size = this.sizeOf(input);
    if (size > textFileMaxBytes) return err(fileTooLarge(section.source ?? path, size));
    const file = this.bytesOf(input);
    const verdicts = matchHunks(file, this.patch.bytes, hunks);
    const places: Placed[] = [];
    for (const [offset, hunk] of hunks.entries()) {
      const verdict = verdicts[offset];
      if (verdict?.ok) places.push(verdict);
      else if (verdict) this.rejects.addMisplaced(path, firstIndex + offset, verdict, hunk, file, this.patch.bytes);
    }
    const isApplied = places.length === hunks.length;
    const resultSize = isApplied ? sizeAfter(file, hunks) : 0;
    if (resultSize > textFileMaxBytes) return err(fileTooLarge(path, resultSize));
    this.workBytes += size + resultSize;
    if (this.workBytes > patchWorkMaxBytes) return err(tooMuchWork(this.workBytes));
    return ok(isApplied ? { bytes: applyHunks(file, this.patch.bytes, hunks, places) } : null);
  }

  private commit(section: PatchSection, content: Content, firstIndex: number): void {
    const { kind, path, source, hunks } = section;
    if (kind === "delete") {
      if (this.sizeOf(content) > 0 || this.tree.hidesUnseen(path)) {
        const index = firstIndex + Math.max(0, hunks.length - 1);
        this.rejects.add(path, { index, reason: "not_empty_after_delete" });
      } else this.tree.remove(path);
    } else if (kind === "modify") {
      // A change of mode alone alters nothing.
      if (hunks.length > 0) this.tree.replace(path, content);
    } else {
      if (kind === "rename" && source !== null) this.tree.moveAway(source);
      this.tree.write(path, content);
    }
  }

  private changeOf(path: RootPath, content: Content | null): FileChange | null {
    if (content === null) return this.base.nodeAt(path).type === "file" ? { type: "delete" } : null;
    if ("bytes" in content) return { type: "write", bytes: content.bytes };
    return content.baseOf === path ? null : { type: "copy", from: content.baseOf };
  }

  private isTextContent(content: Content): boolean {
    if ("bytes" in content) return isText(content.bytes);
    const node = this.base.nodeAt(content.baseOf);
    return node.type === "file" && node.isText;
  }

  private sizeOf(content: Content): number {
    if ("bytes" in content) return content.bytes.length;
    const node = this.base.nodeAt(content.baseOf);
    return node.type === "file" ? node.sizeBytes : 0;
  }

  private bytesOf(content: Content): Uint8Array {
    if ("bytes" in content) return content.bytes;
    const bytes = this.contents.get(content.baseOf);
    if (!bytes) throw new Error("a source of the patch was not read");
    return bytes;
  }
}

function fileTooLarge(path: RootPath, size: number): PatchTooLarge {
  const given = `${repoPathOf(path)} has, or would have, ${size} bytes`;
  return tooLarge("TEXT_FILE_MAX", textFileMaxBytes, size, given, `Use PUT/GET /files${path} for large files.`);
}
