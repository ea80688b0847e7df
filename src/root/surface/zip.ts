import type { Caller } from "../../domain/caller";
import { blobGraceMs } from "../../domain/limits";
import type { RootPath } from "../../domain/path";
import type { TreeText } from "../../domain/zip/workspace-tree";
import type { Reply } from "../contract";
import {
  type BytesWritten,
  type DeleteBytesRequest,
  deleteFromWorkspace,
  type WriteBytesRequest,
  writeWorkspaceFile,
} from "../operations/zip/edit-workspace";
import {
  type Closed,
  type CloseRequest,
  closeSession,
  type Pruned,
  type PruneRequest,
  pruneSessions,
} from "../operations/zip/end-session";
import type { SessionRequest, ZipOutcome } from "../operations/zip/find-session";
import { type GrepWorkspaceRequest, grepWorkspace, type WorkspaceMatches } from "../operations/zip/grep-workspace";
import {
  type ListedSession,
  type ListWorkspaceRequest,
  listSessions,
  listWorkspace,
  type SessionStatus,
  sessionPath,
  sessionStatus,
  showTree,
  type TreeRequest,
  type WorkspacePage,
} from "../operations/zip/look";
import { type OpenedSession, type OpenRequest, openSession } from "../operations/zip/open-session";
import type { Progress } from "../operations/zip/progress";
import { type BytesRead, type ReadBytesRequest, readWorkspaceFile } from "../operations/zip/read-bytes";
import {
  previewSync,
  type Synced,
  type SyncPreview,
  type SyncRequest,
  syncSession,
} from "../operations/zip/sync-session";
import { WithContext } from "./context";

/** The zip family. */
export class WithZip extends WithContext {
  openZip(caller: Caller, request: OpenRequest, progress: Progress | null): Promise<Reply<ZipOutcome<OpenedSession>>> {
    return this.longRunning(caller, () => openSession(this.root, this.bucket, request, progress));
  }

  listWorkspace(caller: Caller, request: ListWorkspaceRequest): Reply<ZipOutcome<WorkspacePage>> {
    return this.admitted(caller, () => listWorkspace(this.root, request));
  }

  showWorkspaceTree(caller: Caller, request: TreeRequest): Reply<ZipOutcome<TreeText>> {
    return this.admitted(caller, () => showTree(this.root, request));
  }

  readWorkspaceFile(caller: Caller, request: ReadBytesRequest): Promise<Reply<ZipOutcome<BytesRead>>> {
    return this.admittedAsync(caller, () => readWorkspaceFile(this.root, request));
  }

  writeWorkspaceFile(caller: Caller, request: WriteBytesRequest): Promise<Reply<ZipOutcome<BytesWritten>>> {
    return this.admittedAsync(caller, () => writeWorkspaceFile(this.root, request));
  }

  deleteFromWorkspace(caller: Caller, request: DeleteBytesRequest): Reply<ZipOutcome<number>> {
    return this.admitted(caller, () => deleteFromWorkspace(this.root, request));
  }

  grepWorkspace(caller: Caller, request: GrepWorkspaceRequest): Promise<Reply<ZipOutcome<WorkspaceMatches>>> {
    return this.admittedAsync(caller, () => grepWorkspace(this.root, request));
  }

  zipPath(caller: Caller, request: SessionRequest): Reply<ZipOutcome<RootPath>> {
    return this.admitted(caller, () => sessionPath(this.root, request));
  }

  zipStatus(caller: Caller, request: SessionRequest): Reply<ZipOutcome<SessionStatus>> {
    return this.admitted(caller, () => sessionStatus(this.root, request));
  }

  previewSync(caller: Caller, request: SessionRequest): Reply<ZipOutcome<SyncPreview>> {
    return this.admitted(caller, () => previewSync(this.root, request));
  }

  syncZip(caller: Caller, request: SyncRequest, progress: Progress | null): Promise<Reply<ZipOutcome<Synced>>> {
    return this.longRunning(caller, () => syncSession(this.root, this.bucket, request, progress));
  }

  closeZip(caller: Caller, request: CloseRequest, progress: Progress | null): Promise<Reply<ZipOutcome<Closed>>> {
    return this.longRunning(caller, () => closeSession(this.root, this.bucket, request, progress));
  }

  listZipSessions(caller: Caller): Reply<readonly ListedSession[]> {
    return this.admitted(caller, () => listSessions(this.root));
  }

  pruneZipSessions(caller: Caller, request: PruneRequest): Reply<readonly Pruned[]> {
    return this.admitted(caller, () => pruneSessions(this.root, request));
  }

  /** Work that may break off and leave contents behind, which nothing else would ring for. */
  private longRunning<T>(caller: Caller, operation: () => Promise<T>): Promise<Reply<T>> {
    return this.admittedAsync(caller, async () => {
      await this.clock.ringBy(Date.now() + blobGraceMs);
      return operation();
    });
  }
}
