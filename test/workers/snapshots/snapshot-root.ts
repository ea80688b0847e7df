import type { LeaseId } from "../../../src/domain/lease";
import type { SnapshotId } from "../../../src/domain/manifest";
import type { RootPath } from "../../../src/domain/path";
import type { SnapshotFailure } from "../../../src/domain/snapshot-errors";
import type { Outcome, Reply } from "../../../src/root/contract";
import { caller, freshRoot, type TestRoot } from "../root";

export const scopes = [{ verb: "write", path: "/" as RootPath, reach: "tree" }] as const;

/** The operations of the snapshot family on a fresh root, with a token that reaches everything. */
export class SnapshotTestRoot {
  readonly root: TestRoot = freshRoot();

  private get stub() {
    return this.root.stub;
  }

  view(leaseId: LeaseId | null = null, snapshotId: SnapshotId | null = null) {
    return { leaseId, snapshotId, scopes };
  }

  write(path: string, content: string, leaseId: LeaseId) {
    const bytes = new TextEncoder().encode(content);
    const request = { path: path as RootPath, bytes, leaseId, createsDirectories: true, dryRun: false };
    return settled(this.stub.writeFile(caller, request));
  }

  delete(path: string, leaseId: LeaseId) {
    const request = { path: path as RootPath, leaseId, recursive: true, dryRun: false, scopes };
    return settled(this.stub.deletePath(caller, request));
  }

  capture(paths: readonly string[] | null, leaseId: LeaseId | null = null) {
    return settled(this.stub.createSnapshot(caller, { leaseId, paths: paths as RootPath[] | null, scopes }));
  }

  restore(snapshotId: SnapshotId, leaseId: LeaseId, deletesExtra: boolean, paths: readonly string[] = ["/"]) {
    const request = { snapshotId, leaseId, paths: paths as RootPath[], deletesExtra, dryRun: false, scopes };
    return settled(this.stub.restoreFiles(caller, request));
  }

  list(view = this.view(), depth = 64, limit = 10_000) {
    const request = { path: "/" as RootPath, depth, honoursGitignore: false, limit, offset: 0 };
    return settled(this.stub.listEntries(caller, view, request));
  }

  read(path: string, view = this.view()) {
    return settled(this.stub.readFile(caller, view, path as RootPath));
  }

  /** A lease on the tree as it is, which has seen nothing. */
  async lease(): Promise<LeaseId> {
    const { receipt } = value(await this.list(this.view(), 1, 0));
    if (receipt.mode !== "worktree") throw new Error("no lease");
    return receipt.leaseId;
  }
}

async function settled<T>(call: PromiseLike<Reply<Outcome<T>>>): Promise<Outcome<T>> {
  const reply = await call;
  if (!reply.admitted) throw new Error(`refused: ${reply.refusal}`);
  return reply.value as Outcome<T>;
}

export function value<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value;
  throw new Error(JSON.stringify(outcome.error satisfies SnapshotFailure));
}
