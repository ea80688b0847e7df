import type { Fingerprint } from "./fingerprint";
import type { LeaseId } from "./lease";
import type { SnapshotId } from "./manifest";
import type { RootPath } from "./path";
import { repoPathOf } from "./repo-path";
import type { ScopeNeed } from "./scopes";

/** The closed set of codes of the snapshot family (snapshot.md §13). */
export type SnapshotErrorCode =
  | "NOT_FOUND"
  | "INVALID_ARGUMENT"
  | "REPO_CHANGED"
  | "PERMISSION_DENIED"
  | "TOO_LARGE"
  | "INTERNAL"
  | "STALE_LEASE";

type Detail = string | number | boolean | Fingerprint;

export interface SnapshotError {
  readonly code: SnapshotErrorCode;
  readonly message: string;
  readonly details?: Readonly<Record<string, Detail>>;
}

/** What only a lookup could show: something that the token does not reach. Becomes 403, never a tool result (snapshot.md §3.4). */
export interface Forbidden {
  readonly code: "FORBIDDEN";
  readonly need: ScopeNeed;
}

export type SnapshotFailure = SnapshotError | Forbidden;

export function leaseUnknown(id: LeaseId): SnapshotError {
  return {
    code: "NOT_FOUND",
    message: `Lease ${id} is unknown. Call a worktree read such as snapshot.list without lease_id to get a new one.`,
    details: { lease_id: id },
  };
}

/** Seed 002 §4: the live fingerprint is mandatory. Never a new lease: the caller has to look again. */
export function staleLease(id: LeaseId, fingerprint: Fingerprint, reason: "changed" | "expired"): SnapshotError {
  return {
    code: "STALE_LEASE",
    message: `The files changed since lease ${id} was issued. Nothing was done. Look again at what you rely on without lease_id, then retry with the new lease_id.`,
    details: { fingerprint, lease_id: id, reason },
  };
}

export function repoChanged(fingerprint: Fingerprint): SnapshotError {
  return {
    code: "REPO_CHANGED",
    message: "The files changed while this call ran. Nothing was changed. Retry.",
    details: { fingerprint },
  };
}

export function snapshotUnknown(id: SnapshotId): SnapshotError {
  return {
    code: "NOT_FOUND",
    message: `Snapshot ${id} does not exist. Make one with snapshot.create.`,
    details: { snapshot_id: id },
  };
}

export function snapshotDamaged(id: SnapshotId): SnapshotError {
  return { code: "INTERNAL", message: `Snapshot ${id} is damaged`, details: { snapshot_id: id } };
}

export function nothingAt(path: RootPath, nearest?: RootPath): SnapshotError {
  const shown = repoPathOf(path);
  const look = nearest === undefined ? "" : ` with path ${JSON.stringify(repoPathOf(nearest))}`;
  return {
    code: "NOT_FOUND",
    message: `${shown} does not exist. Call snapshot.list${look} to see what is there.`,
    details: { path: shown },
  };
}

export function notCaptured(path: RootPath, id: SnapshotId): SnapshotError {
  const shown = repoPathOf(path);
  return {
    code: "NOT_FOUND",
    message: `${shown} is not in snapshot ${id}. Call snapshot.list with that snapshot_id to see what it holds.`,
    details: { path: shown },
  };
}

/** `wanted` completes the sentence "src is a directory; …". */
export function wrongKind(path: RootPath, kind: "directory" | "file", wanted: string): SnapshotError {
  const shown = repoPathOf(path);
  return { code: "INVALID_ARGUMENT", message: `${shown} is a ${kind}; ${wanted}.`, details: { path: shown } };
}

export function rootAsTarget(tool: string): SnapshotError {
  return {
    code: "PERMISSION_DENIED",
    message: `path: "." is the root itself, which ${tool} may not replace or remove; name something in it.`,
    details: { path: "." },
  };
}

/** `narrow` says how to ask for less. */
export function overLimit(limit: string, max: number, actual: number, narrow: string): SnapshotError {
  return {
    code: "TOO_LARGE",
    message: `${limit} is ${max}; this would be ${actual}. ${narrow}`,
    details: { limit, max, actual },
  };
}
