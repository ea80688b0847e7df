import type { UserId } from "../domain/principal";

/** What every call to the user's object carries: the object refuses revoked tokens and unknown sessions itself, in the same hop that does the work. */
export interface Caller {
  readonly clientId: string;
  readonly grantId?: string;
  readonly tokenId?: string;
  /** Present in the 2025 era. */
  readonly sessionId?: string;
}

export type Refusal = "token_revoked" | "session_unknown";

/** A reply of the user's object. A value, because a thrown class loses its identity across RPC. */
export type Reply<T> =
  | { readonly admitted: false; readonly refusal: Refusal }
  | { readonly admitted: true; readonly value: T; readonly logLevel?: string };

export interface SessionFacts {
  readonly id: string;
  readonly clientId: string;
  /** The params of the `initialize` request, as JSON. */
  readonly initialize: string;
}

export interface RootUsage {
  readonly files: number;
  readonly bytes: number;
}

export interface DirectoryEntry {
  readonly name: string;
  readonly type: "directory" | "file";
}

/** The answer to a listing: what stands at the path, and its children when it is a directory. */
export type Listing =
  | { readonly kind: "absent" }
  | { readonly kind: "file" }
  | { readonly kind: "directory"; readonly entries: readonly DirectoryEntry[]; readonly total: number };

/** A change of the tree, as told to open streams. */
export type RootEvent =
  | { readonly kind: "resource_updated"; readonly uri: string }
  | { readonly kind: "resources_list_changed" };

export interface Revocation {
  readonly userId: UserId;
  readonly grantId: string;
  /** Absent: every token of the grant. */
  readonly tokenId?: string;
}
