import type { RootPath } from "../path";

/** The files as they were before the patch: the live tree or a snapshot. Nothing here reads contents. */
export interface BaseTree {
  nodeAt(path: RootPath): BaseNode;
  /** How many files a directory that the patch names holds, at any depth. */
  fileCountBelow(directory: RootPath): number;
}

export type BaseNode =
  | { readonly type: "file"; readonly sizeBytes: number; readonly isText: boolean }
  | { readonly type: "directory" }
  | { readonly type: "absent" };

/** Contents read from the base, as far as `sourcesOf` asks for them. */
export type BaseContents = ReadonlyMap<RootPath, Uint8Array>;
