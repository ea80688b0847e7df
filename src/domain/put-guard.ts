import { matchesStrongly, matchesWeakly, type TagList } from "./entity-tags";
import type { Sha256 } from "./hash";

/** Which state of the path an upload is meant for: `If-Match` and `If-None-Match`, each null where it was not given. */
export interface PutGuard {
  readonly ifMatch: TagList | null;
  readonly ifNoneMatch: TagList | null;
}

export type GuardFailure =
  /** Something is there, and the upload does not say that it has seen it. */
  | "unseen"
  /** Something else is there than what the upload has seen. */
  | "changed"
  /** Nothing is there, where the upload has seen something. */
  | "gone"
  /** Something is there, where the upload wants to create. */
  | "present";

/** A file that is not there yet. */
export const onlyCreate: PutGuard = { ifMatch: null, ifNoneMatch: "*" };

/** The version that was seen. */
export function onlyReplace(hash: Sha256): PutGuard {
  return { ifMatch: [{ weak: false, value: hash }], ifNoneMatch: null };
}

/** `current` is the hash of the file at the path, null for none. "Any version" (`If-Match: *`) is no version that was seen. */
export function guardFailure({ ifMatch, ifNoneMatch }: PutGuard, current: Sha256 | null): GuardFailure | null {
  if (current === null) return ifMatch === null ? null : "gone";
  if (ifMatch !== null && ifMatch !== "*" && !matchesStrongly(ifMatch, current)) return "changed";
  if (ifNoneMatch !== null && matchesWeakly(ifNoneMatch, current)) return "present";
  return ifMatch === null || ifMatch === "*" ? "unseen" : null;
}
