import { directoryThere, type FileRefusal, nothingThere } from "../../../domain/file-refusals";
import type { Sha256 } from "../../../domain/hash";
import type { RootPath } from "../../../domain/path";
import { err, ok, type Result } from "../../../domain/result";
import type { RootState } from "../../root-state";
import type { BlobPlace } from "../../store/blob-reads";

/** A content and where its bytes are: here, or in object storage, from where the caller fetches them itself. */
export interface LocatedContent {
  readonly hash: Sha256;
  readonly size: number;
  /** Null: the caller does not want them. */
  readonly place: BlobPlace | null;
}

/** Bytes that the caller has already, or, for "all", does not want at all. */
export type Unwanted = "all" | readonly string[];

export function locateFile(root: RootState, path: RootPath, unwanted: Unwanted): Result<LocatedContent, FileRefusal> {
  const node = root.tree.find(path);
  if (node === null) return err(nothingThere(path, root.tree.nearestDirectory(path)));
  if (node.kind === "directory") return err(directoryThere(path));
  const { blob: hash, size } = node;
  const place = unwanted === "all" || unwanted.includes(hash) ? null : root.blobs.locate(hash, root.now());
  return ok({ hash, size, place });
}
