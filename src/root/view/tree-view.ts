import type { RootPath } from "../../domain/path";
import type { FileFacts } from "../store/tree";

export interface ViewFile extends FileFacts {
  readonly path: RootPath;
  /** Of an edit that waits: the content, which no table has yet. */
  readonly text?: string;
}

export type ViewEntry =
  | { readonly path: RootPath; readonly type: "dir" }
  | { readonly path: RootPath; readonly type: "file"; readonly size: number; readonly gitOid: string };

export interface EntryPage {
  readonly entries: readonly ViewEntry[];
  readonly total: number;
}

/** One state of the files, live or captured. All lists are in the order of the UTF-8 bytes of the whole path. */
export interface TreeView {
  fileAt(path: RootPath): ViewFile | null;
  isDirectory(path: RootPath): boolean;
  /** Files at or below the path. From above, `/.zipfs` is left out (snapshot.md §2.4). */
  filesBelow(path: RootPath): readonly ViewFile[];
  /** The number of files below a directory other than the root. */
  fileCountBelow(directory: RootPath): number;
  /** Files and directories below the path, down to `depth`. Deeper than one level, `/.zipfs` is left out from above (zipfs.md §1.3). */
  entriesBelow(path: RootPath, depth: number, limit: number, offset: number): EntryPage;
}
