import { compareUtf8 } from "../../domain/byte-order";
import { listingKeptMaxFiles } from "../../domain/limits";
import type { ManifestEntry } from "../../domain/manifest";
import { ancestorsOf, isAtOrBelow, type RootPath, rootDirectory } from "../../domain/path";
import { isManagedByZipfs } from "../../domain/zipfs-area";
import type { Blobs } from "../store/blobs";
import { LostBlob } from "../store/lost-blob";
import type { FileFacts } from "../store/tree";
import type { EntryPage, TreeView, ViewEntry, ViewFile } from "./tree-view";

/** What a snapshot captured, with the directories that this implies. Never looks at the live tree. */
export class SnapshotView implements TreeView {
  /** Files and what they are never change, so they are looked up once. */
  private listing: readonly ViewFile[] | null = null;

  constructor(
    private readonly entries: readonly ManifestEntry[],
    private readonly blobs: Blobs,
  ) {}

  fileAt(path: RootPath): ViewFile | null {
    const entry = this.entries[this.firstFrom(path)];
    if (entry?.path !== path) return null;
    return this.withFacts([entry])[0] ?? null;
  }

  isDirectory(path: RootPath): boolean {
    if (path === "/") return true;
    const first = this.entries[this.firstFrom(`${path}/`)];
    return first !== undefined && first.path !== path && isAtOrBelow(first.path, path);
  }

  filesBelow(path: RootPath): readonly ViewFile[] {
    if (path !== rootDirectory) return this.withFacts(this.entriesAtOrBelow(path));
    if (this.listing !== null) return this.listing;
    const files = this.withFacts(this.entriesAtOrBelow(path));
    if (files.length <= listingKeptMaxFiles) this.listing = files;
    return files;
  }

  fileCountBelow(directory: RootPath): number {
    return this.firstFrom(`${directory}0`) - this.firstFrom(`${directory}/`);
  }

  entriesBelow(path: RootPath, depth: number, limit: number, offset: number): EntryPage {
    const levelMax = (path === "/" ? 0 : ancestorsOf(path).length) + depth;
    const files = new Map<RootPath, ManifestEntry>();
    const paths = new Set<RootPath>();
    // One level is no walk: nothing is left out of it.
    for (const entry of depth === 1 && path === "/" ? this.entries : this.entriesAtOrBelow(path)) {
      if (entry.path === path) continue;
      const above = ancestorsOf(entry.path);
      for (const directory of above) {
        if (directory !== path && isAtOrBelow(directory, path) && ancestorsOf(directory).length <= levelMax) {
          paths.add(directory);
        }
      }
      if (above.length > levelMax) continue;
      paths.add(entry.path);
      files.set(entry.path, entry);
    }
    const page = [...paths].sort(compareUtf8).slice(offset, offset + limit);
    const facts = new Map(this.withFacts(page.flatMap((at) => files.get(at) ?? [])).map((file) => [file.path, file]));
    const entries = page.map((at): ViewEntry => {
      const file = facts.get(at);
      if (file === undefined) return { path: at, type: "dir" };
      return { path: at, type: "file", size: file.size, gitOid: file.gitOid };
    });
    return { entries, total: paths.size };
  }

  private entriesAtOrBelow(path: RootPath): ManifestEntry[] {
    if (path === "/") return this.entries.filter((entry) => !isManagedByZipfs(entry.path));
    const found: ManifestEntry[] = [];
    const own = this.entries[this.firstFrom(path)];
    if (own?.path === path) found.push(own);
    for (let index = this.firstFrom(`${path}/`); index < this.entries.length; index++) {
      const entry = this.entries[index] as ManifestEntry;
      if (!isAtOrBelow(entry.path, path)) break;
      found.push(entry);
    }
    return found;
  }

  /** Index of the first entry that is not before `path`. */
  private firstFrom(path: string): number {
    let low = 0;
    let high = this.entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareUtf8((this.entries[middle] as ManifestEntry).path, path) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private withFacts(entries: readonly ManifestEntry[]): ViewFile[] {
    const facts = this.blobs.factsOfAll(entries.map((entry) => entry.blob));
    return entries.map(({ path, blob }) => {
      const known: FileFacts | undefined = facts.get(blob);
      if (known === undefined) throw new LostBlob(blob, "has no row");
      return { path, ...known };
    });
  }
}
