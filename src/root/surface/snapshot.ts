import type { Caller } from "../../domain/caller";
import type { Fingerprint } from "../../domain/fingerprint";
import type { SnapshotId } from "../../domain/manifest";
import type { RootPath } from "../../domain/path";
import type { SnapshotRow } from "../../storage/snapshot-database";
import type {
  Bundle,
  ChangePage,
  DiffText,
  FileRead,
  GrepFound,
  Outcome,
  PatchOutcome,
  Reply,
  Viewed,
  ViewRequest,
} from "../contract";
import { applyPatch, type PatchRequest } from "../operations/snapshot/apply-patch";
import { type CreatedSnapshot, type CreateRequest, createSnapshot } from "../operations/snapshot/create-snapshot";
import { type Deleted, type DeleteRequest, deletePath } from "../operations/snapshot/delete-path";
import { diffStates } from "../operations/snapshot/diff-states";
import { exportFiles } from "../operations/snapshot/export-files";
import { type GrepRequest, grepFiles } from "../operations/snapshot/grep-files";
import { type ChangesRequest, listChanges } from "../operations/snapshot/list-changes";
import { type ListRequest, listEntries } from "../operations/snapshot/list-entries";
import { readFile } from "../operations/snapshot/read-file";
import { type Restored, type RestoreRequest, restoreFiles } from "../operations/snapshot/restore-files";
import { snapshotInfo } from "../operations/snapshot/snapshot-info";
import { type WriteRequest, type WrittenFile, writeFile } from "../operations/snapshot/write-file";
import type { EntryPage } from "../view/tree-view";

import { WithText } from "./text";

/** The snapshot family. */
export class WithSnapshots extends WithText {
  createSnapshot(caller: Caller, request: CreateRequest): Promise<Reply<Outcome<CreatedSnapshot>>> {
    return this.admittedAsync(caller, () => createSnapshot(this.root, request));
  }

  listEntries(caller: Caller, view: ViewRequest, list: ListRequest): Promise<Reply<Outcome<Viewed<EntryPage>>>> {
    return this.admittedAsync(caller, () => listEntries(this.root, view, list));
  }

  readFile(caller: Caller, view: ViewRequest, path: RootPath): Promise<Reply<Outcome<Viewed<FileRead>>>> {
    return this.admittedAsync(caller, () => readFile(this.root, view, path));
  }

  diffStates(
    caller: Caller,
    view: ViewRequest,
    path: RootPath,
    from: SnapshotId | null,
  ): Promise<Reply<Outcome<Viewed<DiffText>>>> {
    return this.admittedAsync(caller, () => diffStates(this.root, view, path, from));
  }

  listChanges(caller: Caller, request: ChangesRequest): Promise<Reply<Outcome<ChangePage>>> {
    return this.admittedAsync(caller, () => listChanges(this.root, request));
  }

  snapshotInfo(caller: Caller, id: SnapshotId): Promise<Reply<Outcome<SnapshotRow>>> {
    return this.admittedAsync(caller, () => snapshotInfo(this.root, id));
  }

  exportFiles(
    caller: Caller,
    view: ViewRequest,
    paths: readonly RootPath[],
    format: "tar" | "json",
  ): Promise<Reply<Outcome<Viewed<Bundle>>>> {
    return this.admittedAsync(caller, () => exportFiles(this.root, view, paths, format));
  }

  grepFiles(caller: Caller, view: ViewRequest, grep: GrepRequest): Promise<Reply<Outcome<Viewed<GrepFound>>>> {
    return this.admittedAsync(caller, () => grepFiles(this.root, view, grep));
  }

  applyPatch(caller: Caller, view: ViewRequest, request: PatchRequest): Promise<Reply<Outcome<Viewed<PatchOutcome>>>> {
    return this.admittedAsync(caller, () => applyPatch(this.root, view, request));
  }

  writeFile(caller: Caller, request: WriteRequest): Promise<Reply<Outcome<WrittenFile>>> {
    return this.admittedAsync(caller, () => writeFile(this.root, request));
  }

  deletePath(caller: Caller, request: DeleteRequest): Promise<Reply<Outcome<Deleted>>> {
    return this.admittedAsync(caller, () => deletePath(this.root, request));
  }

  restoreFiles(caller: Caller, request: RestoreRequest): Promise<Reply<Outcome<Restored>>> {
    return this.admittedAsync(caller, () => restoreFiles(this.root, request));
  }

  fingerprint(caller: Caller): Reply<Fingerprint> {
    return this.admitted(caller, () => this.root.transaction(() => this.root.treeIds.fingerprint()));
  }
}
