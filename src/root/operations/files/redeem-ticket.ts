import { type Caller, callerOf } from "../../../domain/caller";
import type { Sha256 } from "../../../domain/hash";
import type { RootPath } from "../../../domain/path";
import { onlyCreate, onlyReplace } from "../../../domain/put-guard";
import type { RootState } from "../../root-state";
import type { Maker } from "../../store/tickets";
import type { LocatedContent } from "./locate-file";
import type { PutTarget } from "./put-file";

export interface AllowedDownload extends LocatedContent {
  readonly path: RootPath;
}

export interface AllowedUpload {
  /** In whose name the upload goes on. */
  readonly maker: Caller;
  readonly target: PutTarget;
  readonly sha256: Sha256 | null;
  readonly size: number | null;
}

/** Does the token that made the ticket still hold? */
type Holds = (maker: Maker) => boolean;

/** zipfs.md §9: used, late, unknown, for the other method, of a revoked token: null, all alike. */
export function redeemDownload(root: RootState, ticket: string, holds: Holds): AllowedDownload | null {
  const taken = root.tickets.take(ticket, "download", root.now());
  if (taken?.permit.kind !== "download" || !holds(taken.maker)) return null;
  const { path, blob } = taken.permit;
  const facts = root.blobs.factsOf(blob);
  if (facts === null) throw new Error(`the blob ${blob} of a ticket is gone`);
  return { path, hash: blob, size: facts.size, place: root.blobs.locate(blob, root.now()) };
}

/** Used up from here on, whatever comes of the upload. */
export function redeemUpload(root: RootState, ticket: string, holds: Holds): AllowedUpload | null {
  const taken = root.tickets.take(ticket, "upload", root.now());
  if (taken?.permit.kind !== "upload" || !holds(taken.maker)) return null;
  const { path, replaces, sha256, size } = taken.permit;
  const guard = replaces === null ? onlyCreate : onlyReplace(replaces);
  return { maker: callerOf(taken.maker), target: { path, guard }, sha256, size };
}
