import { ancestorsOf, isAtOrBelow, type RootPath, rootDirectory } from "../path";
import type { BaseTree } from "./base-tree";
import type { Patch } from "./patch";
import type { RejectReason } from "./rejects";

/** What a file holds: made by the patch, or still what a path held before it. */
export type Content = { readonly bytes: Uint8Array } | { readonly baseOf: RootPath };

type Entry = { readonly type: "file"; readonly content: Content } | { readonly type: "directory" | "absent" };

/** The tree while sections apply one after the other (snapshot.md §9.4). Nothing is copied: what differs from the base is kept beside it. */
export class PatchedTree {
  /** Null stands for a file that is gone. */
  private readonly files = new Map<RootPath, Content | null>();
  private readonly madeDirectories = new Set<RootPath>();
  /** Files of the base that some section removes or renames. Until then they are in nobody's way. */
  private readonly leaving: ReadonlySet<RootPath>;
  /** Those of them whose place was taken before the section came that removes them: by a directory or a file above, or by another file. */
  private readonly builtOver = new Set<RootPath>();
  private readonly overwritten = new Set<RootPath>();

  constructor(
    private readonly base: BaseTree,
    patch: Patch,
  ) {
    const leaving = patch.sections.flatMap(({ kind, path, source }) =>
      kind === "delete" ? [path] : kind === "rename" && source ? [source] : [],
    );
    this.leaving = new Set(leaving);
  }

  /** What a modification or deletion finds. */
  current(path: RootPath): Content | RejectReason {
    const entry = this.entryAt(path);
    if (entry.type === "file") return entry.content;
    const isBlocked = ancestorsOf(path).some((ancestor) => this.entryAt(ancestor).type === "file");
    return entry.type === "directory" || isBlocked ? "path_conflict" : "file_not_found";
  }

  /** What a rename or copy finds: its source as it was before the patch. */
  original(path: RootPath): Content | RejectReason {
    const node = this.base.nodeAt(path);
    if (node.type === "file") return { baseOf: path };
    const isBlocked = ancestorsOf(path).some((ancestor) => this.base.nodeAt(ancestor).type === "file");
    return node.type === "directory" || isBlocked ? "path_conflict" : "file_not_found";
  }

  /** What a deletion finds. The file in whose place this patch makes a directory, or above which it makes a file, is still the one to be removed. */
  toDelete(path: RootPath): Content | RejectReason {
    return this.builtOver.has(path) ? { baseOf: path } : this.current(path);
  }

  /** Why no file can be made at the path. */
  obstacle(path: RootPath): RejectReason | null {
    const isBlocked = ancestorsOf(path).some(
      (ancestor) => this.entryAt(ancestor).type === "file" && !this.isLeaving(ancestor),
    );
    const { type } = this.entryAt(path);
    if (isBlocked || (type === "directory" && !this.isVacated(path))) return "path_conflict";
    return type === "file" && !this.isLeaving(path) ? "already_exists" : null;
  }

  write(path: RootPath, content: Content): void {
    for (const ancestor of ancestorsOf(path)) {
      if (ancestor === rootDirectory) continue;
      if (this.entryAt(ancestor).type === "file") {
        this.files.set(ancestor, null);
        this.builtOver.add(ancestor);
      }
      this.madeDirectories.add(ancestor);
    }
    const { type } = this.entryAt(path);
    if (type === "file") this.overwritten.add(path);
    if (type === "directory") this.buildOverFilesBelow(path);
    this.files.set(path, content);
  }

  /** A modification: the path keeps its place. */
  replace(path: RootPath, content: Content): void {
    this.files.set(path, content);
  }

  remove(path: RootPath): void {
    if (!this.builtOver.delete(path)) this.files.set(path, null);
  }

  /** The source of a rename. What a section of this patch wrote there stays. */
  moveAway(path: RootPath): void {
    this.builtOver.delete(path);
    this.overwritten.delete(path);
    if (!this.files.has(path)) this.files.set(path, null);
  }

  /** The file of the base was replaced before the section that deletes it, which then sees only the new one. */
  hidesUnseen(path: RootPath): boolean {
    const node = this.base.nodeAt(path);
    return this.overwritten.has(path) && node.type === "file" && node.sizeBytes > 0;
  }

  /** Files that were written, and null for those that are gone. */
  changes(): ReadonlyMap<RootPath, Content | null> {
    return this.files;
  }

  private entryAt(path: RootPath): Entry {
    if (this.madeDirectories.has(path)) return { type: "directory" };
    const content = this.files.get(path);
    if (content) return { type: "file", content };
    if (content === null) return { type: "absent" };
    const { type } = this.base.nodeAt(path);
    return type === "file" ? { type, content: { baseOf: path } } : { type };
  }

  private isLeaving(path: RootPath): boolean {
    return this.leaving.has(path) && !this.files.has(path);
  }

  /** A directory of the base that the patch leaves without files: for git there is none, so a file may take its place. */
  private isVacated(directory: RootPath): boolean {
    if (this.madeDirectories.has(directory)) return false;
    for (const [path, content] of this.files) if (content !== null && isAtOrBelow(path, directory)) return false;
    return this.leavingFilesBelow(directory).length === this.base.fileCountBelow(directory);
  }

  private buildOverFilesBelow(directory: RootPath): void {
    for (const path of this.leavingFilesBelow(directory)) {
      if (this.files.has(path)) continue;
      this.files.set(path, null);
      this.builtOver.add(path);
    }
  }

  private leavingFilesBelow(directory: RootPath): RootPath[] {
    return [...this.leaving].filter(
      (path) => isAtOrBelow(path, directory) && path !== directory && this.base.nodeAt(path).type === "file",
    );
  }
}
