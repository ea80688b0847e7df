import { sha256Hex } from "../../../src/domain/hash";
import type { LeaseId } from "../../../src/domain/lease";
import type { SnapshotId } from "../../../src/domain/manifest";
import { parsePatch } from "../../../src/domain/patch/parse-patch";
import type { RootPath } from "../../../src/domain/path";
import type { SnapshotFailure } from "../../../src/domain/snapshot-errors";
import type { Outcome, Reply } from "../../../src/root/contract";
import type { RootObject } from "../../../src/root/root-object";
import { caller, freshRoot, type TestRoot } from "../root";

export const scopes = [{ verb: "write", path: "/" as RootPath, reach: "tree" }] as const;

/** The operations of the snapshot family on a root, with a token that reaches everything. */
export class SnapshotTestRoot {
  constructor(readonly root: TestRoot = freshRoot()) {}

  private get stub(): DurableObjectStub<RootObject> {
    // From inside the object where a test is there, otherwise by RPC.
    return this.root.methods as unknown as DurableObjectStub<RootObject>;
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

  patch(text: string, view = this.view()) {
    const parsed = parsePatch(text, 1);
    if (!parsed.ok) throw new Error(parsed.error.message);
    const request = { patch: parsed.value, patchHash: `sha256:${sha256Hex(text)}`, dryRun: false };
    return settled(this.stub.applyPatch(caller, view, request));
  }

  list(view = this.view(), depth = 64, limit = 10_000) {
    const request = { path: "/" as RootPath, depth, honoursGitignore: false, limit, offset: 0 };
    return settled(this.stub.listEntries(caller, view, request));
  }

  read(path: string, view = this.view()) {
    return settled(this.stub.readFile(caller, view, path as RootPath));
  }

  grep(query: string, paths: readonly string[] = ["/"], view = this.view()) {
    const request = {
      query,
      regex: false,
      caseSensitive: true,
      honoursGitignore: true,
      maxFiles: 20_000,
      maxMatches: 1_000,
    };
    return settled(this.stub.grepFiles(caller, view, { ...request, paths: paths as RootPath[] }));
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
