import type { Fingerprint } from "../domain/fingerprint";
import type { GitOid } from "../domain/git-objects";
import type { Sha256 } from "../domain/hash";
import type { LeaseId } from "../domain/lease";
import type { SnapshotId } from "../domain/manifest";
import type { PathRejects } from "../domain/patch/rejects";
import type { RootPath } from "../domain/path";
import type { UserId } from "../domain/principal";
import type { Result } from "../domain/result";
import type { Scope } from "../domain/scopes";
import type { SnapshotFailure } from "../domain/snapshot-errors";
import type { Insertion, Replacement } from "../domain/text-edit";

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
  readonly directories: number;
  readonly bytes: number;
}

export interface DirectoryEntry {
  readonly name: string;
  readonly type: "directory" | "file";
}

/** The answer to a listing: what stands at the path, and its children when it is a directory. */
export type Listing =
  | { readonly kind: "absent"; readonly nearest: RootPath }
  | { readonly kind: "file" }
  | { readonly kind: "directory"; readonly entries: readonly DirectoryEntry[]; readonly total: number };

/** One edit of a text file (ADR-5: one per call). */
export type TextEdit =
  | ({ readonly kind: "replace" } & Replacement)
  | ({ readonly kind: "insert" } & Insertion)
  | { readonly kind: "append"; readonly content: string };

export interface TextEdited {
  readonly hash: Sha256;
  readonly totalLines: number;
  /** An earlier try of the same edit had arrived already (text.md §6.4). */
  readonly alreadyApplied: boolean;
}

export interface TextRead {
  readonly content: string;
  readonly hash: Sha256;
  readonly totalLines: number;
  /** Where to go on, when the content was cut. */
  readonly nextLine: number | null;
}

/** A change of the tree, as told to an open stream. What its token may hear of it, the stream's own end decides. */
export interface RootEvent {
  /** Directories in which something changed. Null: too many to name. */
  readonly directories: readonly RootPath[] | null;
  /** Files or directories came or went. */
  readonly entriesChanged: boolean;
  /** To a session: its subscriptions to any of those directories, by the URIs it used. */
  readonly subscribed?: readonly { readonly path: RootPath; readonly uri: string }[];
}

/** What an operation changed in the tree. */
export interface TreeChange {
  readonly directories: readonly RootPath[];
  readonly entriesChanged: boolean;
}

/** Which state of the files a call of the snapshot family is about, and what its token may reach. */
export interface ViewRequest {
  /** Null: the live tree. */
  readonly snapshotId: SnapshotId | null;
  readonly leaseId: LeaseId | null;
  readonly scopes: readonly Scope[];
}

export interface LiveReceipt {
  readonly mode: "worktree";
  readonly leaseId: LeaseId;
  readonly fingerprint: Fingerprint;
}

/** What every answer about a state says of it. */
export type ViewReceipt = LiveReceipt | { readonly mode: "snapshot"; readonly snapshotId: SnapshotId };

export interface Viewed<T> {
  readonly receipt: ViewReceipt;
  readonly value: T;
}

/** What operations of the snapshot family answer. */
export type Outcome<T> = Result<T, SnapshotFailure>;

export interface FileRead {
  readonly bytes: Uint8Array;
  readonly size: number;
  readonly gitOid: GitOid;
  readonly hash: Sha256;
  readonly isText: boolean;
}

export interface Bundle {
  readonly bytes: Uint8Array;
  readonly files: number;
  readonly totalBytes: number;
}

export interface DiffText {
  readonly from: SnapshotId | null;
  readonly diff: string;
  readonly files: number;
  readonly added: number;
  readonly removed: number;
}

/** The matches of one file, column by column: thousands of small objects would take long on their way. */
export interface FoundInFile {
  readonly path: RootPath;
  readonly lineNumbers: readonly number[];
  readonly columns: readonly number[];
  readonly texts: readonly string[];
  /** Which of the texts are the beginnings of longer lines, by their index. */
  readonly cut: readonly number[];
}

export interface GrepFound {
  readonly found: readonly FoundInFile[];
  readonly filesSearched: number;
  readonly truncated: boolean;
}

/** Applied as a whole, or rejected as a whole. */
export interface PatchOutcome {
  readonly applied: readonly RootPath[];
  readonly rejects: readonly PathRejects[];
}

export interface Change {
  readonly path: RootPath;
  readonly status: "added" | "modified" | "deleted" | "renamed";
  /** Of a renamed file, its former path. */
  readonly from?: RootPath;
}

export interface ChangePage {
  readonly from: SnapshotId | null;
  readonly changes: readonly Change[];
  readonly counts: { readonly [status in Change["status"]]: number };
  readonly total: number;
}

export interface RootProblem {
  readonly rule: string;
  readonly what: string;
}

/** What `check` found. Problems are cut at a bound; their count is not. */
export interface CheckReport {
  readonly files: number;
  readonly directories: number;
  readonly blobs: number;
  readonly snapshots: number;
  readonly problemCount: number;
  readonly problems: readonly RootProblem[];
}

export interface Revocation {
  readonly userId: UserId;
  readonly grantId: string;
  /** Absent: every token of the grant. */
  readonly tokenId?: string;
}
