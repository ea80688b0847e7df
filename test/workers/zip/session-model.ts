// What a zip session and its source are, told in a few maps: contents are texts, archives are known by their hash.
import { parentsOf } from "../../../src/domain/zip/entry-index";

export type Files = ReadonlyMap<string, string>;

interface Tree {
  readonly files: Map<string, string>;
  readonly directories: Set<string>;
}

export interface Counts {
  readonly modified: number;
  readonly added: number;
  readonly deleted: number;
}

const backupsMax = 3;

export class SessionModel {
  /** The source, by its hash; null: it is gone. */
  source: string | null = null;
  /** What is in the archives that were seen; also empty directories, which sync gives entries of their own (zipfs.md §6.5). */
  readonly archives = new Map<string, Tree>();
  backups: string[] = [];
  session: { readonly open: Tree; base: Tree; readonly now: Tree; zipHash: string } | null = null;

  put(hash: string, files: Files): void {
    this.keep(hash, treeOf(files));
  }

  private keep(hash: string, tree: Tree): void {
    this.source = hash;
    this.archives.set(hash, tree);
  }

  open(): void {
    const tree = this.archives.get(this.source ?? "") ?? treeOf(new Map());
    this.session = { open: copyOf(tree), base: copyOf(tree), now: copyOf(tree), zipHash: this.source ?? "" };
  }

  write(path: string, content: string): boolean {
    const now = this.current();
    if (now.directories.has(path) || parentsOf(path).some((parent) => now.files.has(parent))) return false;
    now.files.set(path, content);
    for (const parent of parentsOf(path)) now.directories.add(parent);
    return true;
  }

  delete(path: string): boolean {
    const { files, directories } = this.current();
    if (!files.has(path) && !directories.has(path)) return false;
    const isGone = (one: string) => one === path || one.startsWith(`${path}/`);
    for (const one of [...files.keys()]) if (isGone(one)) files.delete(one);
    for (const one of [...directories]) if (isGone(one)) directories.delete(one);
    return true;
  }

  /** What a sync answers; null where it has nothing to do. */
  verdict(force: boolean): "ZIP_NOT_FOUND" | "CONFLICT_DETECTED" | "written" | null {
    if (this.source === null) return force ? "written" : "ZIP_NOT_FOUND";
    const { zipHash, base, now } = this.opened();
    if (this.source !== zipHash) return force ? "written" : "CONFLICT_DETECTED";
    const { modified, added, deleted } = difference(base, now);
    const isIdle = modified + added + deleted === 0 && sameSet(base.directories, now.directories);
    return isIdle ? null : "written";
  }

  written(hash: string): void {
    const session = this.opened();
    if (this.source !== null) this.backups = [this.source, ...this.backups].slice(0, backupsMax);
    session.base = copyOf(session.now);
    session.zipHash = hash;
    this.keep(hash, copyOf(session.now));
  }

  unsynced(): Counts {
    return difference(this.opened().base, this.current());
  }

  changed(): Counts {
    return difference(this.opened().open, this.current());
  }

  current(): Tree {
    return this.opened().now;
  }

  private opened() {
    if (this.session === null) throw new Error("no session");
    return this.session;
  }
}

function treeOf(files: Files): Tree {
  return { files: new Map(files), directories: new Set([...files.keys()].flatMap(parentsOf)) };
}

function copyOf({ files, directories }: Tree): Tree {
  return { files: new Map(files), directories: new Set(directories) };
}

function difference(then: Tree, now: Tree): Counts {
  const kept = [...now.files].filter(([path]) => then.files.has(path));
  return {
    modified: kept.filter(([path, content]) => then.files.get(path) !== content).length,
    added: now.files.size - kept.length,
    deleted: then.files.size - kept.length,
  };
}

function sameSet(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  return left.size === right.size && [...left].every((one) => right.has(one));
}
