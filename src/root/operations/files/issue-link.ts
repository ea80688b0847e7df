import type { Sha256 } from "../../../domain/hash";
import { uploadMaxBytes } from "../../../domain/limits";
import type { RootPath } from "../../../domain/path";
import { err, ok, type Result } from "../../../domain/result";
import { directoryExists, parentIsFile, type TextError, tooLarge } from "../../../domain/text-errors";
import type { RootState } from "../../root-state";
import type { IssuedTicket, Maker, Permit } from "../../store/tickets";
import { findFile } from "../find-file";
import { managedPath } from "../managed-path";
import { staleHash } from "../stale-hash";

export type UploadWish = Omit<Extract<Permit, { readonly kind: "upload" }>, "kind">;

/** A ticket for one upload. What stands against it by now is told at once; the upload itself checks it again. */
export async function issueUpload(
  root: RootState,
  wish: UploadWish,
  maker: Maker,
): Promise<Result<IssuedTicket, TextError>> {
  const refused = managedPath(root, wish.path) ?? (await obstacle(root, wish));
  if (refused !== null) return err(refused);
  if (wish.size !== null && wish.size > uploadMaxBytes) {
    const hint = "Split it into several files.";
    return err(tooLarge(wish.path, wish.size, "file.upload_url", uploadMaxBytes, hint));
  }
  return ok(root.tickets.issue({ kind: "upload", ...wish }, maker, root.now()));
}

export interface DownloadTicket extends IssuedTicket {
  readonly hash: Sha256;
  readonly size: number;
}

/** A ticket for the bytes that the file has now: a blob outlives its last name by more than the ticket lives. */
export function issueDownload(root: RootState, path: RootPath, maker: Maker): Result<DownloadTicket, TextError> {
  const file = findFile(root.tree, path, "file.download_url is for files; see what is in it with file.list");
  if (!file.ok) return file;
  const { blob, size } = file.value;
  const issued = root.tickets.issue({ kind: "download", path, blob }, maker, root.now());
  return ok({ ...issued, hash: blob, size });
}

async function obstacle(root: RootState, { path, replaces }: UploadWish): Promise<TextError | null> {
  if (replaces !== null) {
    const file = findFile(root.tree, path, "choose a file name inside it");
    if (!file.ok) return file.error;
    return file.value.blob === replaces ? null : staleHash(root, file.value, replaces);
  }
  const blocker = root.tree.existingAncestors(path).find((node) => node.kind === "file");
  if (blocker !== undefined) return parentIsFile(path, blocker.path);
  const present = root.tree.find(path);
  if (present === null) return null;
  if (present.kind === "directory") return directoryExists(path);
  const message = `${path} already exists and was not changed. Read it and pass its hash to replace that version, or choose another path.`;
  return { code: "ALREADY_EXISTS", message, details: { path, type: "file" } };
}
