import { DurableObject } from "cloudflare:workers";
import type { Fingerprint } from "../domain/fingerprint";
import type { Sha256 } from "../domain/hash";
import { blobSettleMs, subscriptionsMax } from "../domain/limits";
import type { LineRange } from "../domain/lines";
import type { SnapshotId } from "../domain/manifest";
import type { RootPath } from "../domain/path";
import type { Result } from "../domain/result";
import type { TextError } from "../domain/text-errors";
import type { Env } from "../env";
import { BlobBucket } from "../storage/blob-bucket";
import type { SnapshotRow } from "../storage/snapshot-database";
import { SnapshotDatabase } from "../storage/snapshot-database";
import { AlarmClock } from "./alarm-clock";
import type {
  Bundle,
  Caller,
  ChangePage,
  CheckReport,
  DiffText,
  FileRead,
  Listing,
  Outcome,
  Refusal,
  Reply,
  Revocation,
  RootUsage,
  SessionFacts,
  TextEdit,
  TextEdited,
  TextRead,
  Viewed,
  ViewRequest,
} from "./contract";
import { checkRoot } from "./operations/check-root";
import { createFile } from "./operations/create-file";
import { editText } from "./operations/edit-text";
import { publishChange } from "./operations/publish-change";
import { readText } from "./operations/read-text";
import { removeFile } from "./operations/remove-file";
import { type CreatedSnapshot, type CreateRequest, createSnapshot } from "./operations/snapshot/create-snapshot";
import { type Deleted, type DeleteRequest, deletePath } from "./operations/snapshot/delete-path";
import { diffStates } from "./operations/snapshot/diff-states";
import { exportFiles } from "./operations/snapshot/export-files";
import { type ChangesRequest, listChanges } from "./operations/snapshot/list-changes";
import { type ListRequest, listEntries } from "./operations/snapshot/list-entries";
import { readFile } from "./operations/snapshot/read-file";
import { type Restored, type RestoreRequest, restoreFiles } from "./operations/snapshot/restore-files";
import { snapshotInfo } from "./operations/snapshot/snapshot-info";
import { type WriteRequest, type WrittenFile, writeFile } from "./operations/snapshot/write-file";
import { ReplyMailbox } from "./reply-mailbox";
import type { RootState } from "./root-state";
import { Snapshots } from "./snapshots";
import { BlobUpkeep } from "./store/blob-upkeep";
import { Blobs } from "./store/blobs";
import { Leases } from "./store/leases";
import { Revocations } from "./store/revocations";
import { applySchema } from "./store/schema";
import { Sessions } from "./store/sessions";
import { Streams } from "./store/streams";
import { Tree } from "./store/tree";
import { TreeIds } from "./store/tree-ids";
import { VersionUpkeep } from "./store/version-upkeep";
import { Versions } from "./store/versions";
import { LiveView } from "./view/live-view";
import type { EntryPage } from "./view/tree-view";

/** One per user: serializes the user's root and everything that points into it. Knows nothing of MCP or OAuth. */
export class RootObject extends DurableObject<Env> {
  private readonly bucket: BlobBucket;
  private readonly sessions: Sessions;
  private readonly revocations: Revocations;
  private readonly streams: Streams;
  private readonly mailbox = new ReplyMailbox();
  private readonly clock: AlarmClock;
  private readonly root: RootState;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    const { storage } = state;
    const { sql } = storage;
    applySchema(storage);
    this.bucket = new BlobBucket(env.BLOBS, state.id.toString());
    this.sessions = new Sessions(sql);
    this.revocations = new Revocations(sql);
    this.streams = new Streams(state);
    const blobs = new Blobs(sql, this.bucket);
    const versions = new Versions(sql);
    const leases = new Leases(sql);
    this.root = {
      tree: new Tree(sql),
      treeIds: new TreeIds(sql),
      live: new LiveView(sql),
      blobs,
      versions,
      leases,
      snapshots: new Snapshots(new SnapshotDatabase(env.MANIFESTS, state.id.toString()), blobs),
      now: () => Date.now(),
      transaction: (work) => storage.transactionSync(work),
      changed: (change) => {
        publishChange(this.streams, this.sessions, change);
        void this.clock.ringBy(Date.now() + blobSettleMs);
      },
    };
    this.clock = new AlarmClock(storage, [
      { run: (nowMs) => this.endIdleSessions(nowMs), nextDueMs: () => this.sessions.nextEndMs() },
      this.revocations,
      leases,
      new VersionUpkeep(storage, versions, blobs),
      new BlobUpkeep(storage, blobs, this.bucket),
    ]);
  }

  admit(caller: Caller): Reply<null> {
    return this.admitted(caller, () => null);
  }

  async openSession(caller: Caller, initialize: string): Promise<Reply<string>> {
    const reply = this.admitted(caller, () => {
      const id = crypto.randomUUID();
      this.sessions.open({ id, clientId: caller.clientId, initialize }, Date.now());
      return id;
    });
    await this.clock.ringBy(this.sessions.nextEndMs());
    return reply;
  }

  session(caller: Caller): Reply<SessionFacts> {
    return this.admitted(caller, () => {
      const { id, clientId, initialize } = this.sessions.find(caller.sessionId ?? "", caller.clientId, Date.now()) ?? {
        id: "",
        clientId: "",
        initialize: "{}",
      };
      return { id, clientId, initialize };
    });
  }

  endSession(caller: Caller): Reply<null> {
    return this.admitted(caller, () => {
      if (caller.sessionId !== undefined) {
        this.sessions.end(caller.sessionId);
        this.streams.endSession(caller.sessionId);
      }
      return null;
    });
  }

  setLogLevel(caller: Caller, level: string): Reply<null> {
    return this.admitted(caller, () => {
      if (caller.sessionId !== undefined) this.sessions.setLogLevel(caller.sessionId, level);
      return null;
    });
  }

  /** `path` is the directory that the URI stands for, if any. False when the session holds as many subscriptions as it may. */
  subscribe(caller: Caller, uri: string, path: RootPath | ""): Reply<boolean> {
    return this.admitted(caller, () => {
      if (caller.sessionId === undefined) return true;
      if (this.sessions.subscriptionCount(caller.sessionId) >= subscriptionsMax) return false;
      this.sessions.subscribe(caller.sessionId, uri, path);
      return true;
    });
  }

  unsubscribe(caller: Caller, uri: string): Reply<null> {
    return this.admitted(caller, () => {
      if (caller.sessionId !== undefined) this.sessions.unsubscribe(caller.sessionId, uri);
      return null;
    });
  }

  /** Waits for the client's answer to a request that the server sent it. */
  async awaitReply(caller: Caller, requestId: string, timeoutMs: number): Promise<Reply<string | null>> {
    return this.admittedAsync(caller, () => this.mailbox.wait(`${caller.sessionId}/${requestId}`, timeoutMs));
  }

  deliverReply(caller: Caller, requestId: string, message: string): Reply<boolean> {
    return this.admitted(caller, () => this.mailbox.deliver(`${caller.sessionId}/${requestId}`, message));
  }

  usage(caller: Caller): Reply<RootUsage> {
    return this.admitted(caller, () => this.root.tree.usage());
  }

  list(caller: Caller, path: RootPath, limit: number, offset: number): Reply<Listing> {
    return this.admitted<Listing>(caller, () => {
      const { tree } = this.root;
      const node = tree.find(path);
      if (node === null) return { kind: "absent", nearest: tree.nearestDirectory(path) };
      if (node.kind === "file") return { kind: "file" };
      return { kind: "directory", entries: tree.children(path, limit, offset), total: tree.childCount(path) };
    });
  }

  createFile(caller: Caller, path: RootPath, bytes: Uint8Array): Promise<Reply<Result<Sha256, TextError>>> {
    return this.admittedAsync(caller, () => createFile(this.root, path, bytes));
  }

  removeFile(caller: Caller, path: RootPath, hash: Sha256): Promise<Reply<Result<null, TextError>>> {
    return this.admittedAsync(caller, () => removeFile(this.root, path, hash));
  }

  readText(caller: Caller, path: RootPath, lines: LineRange | null): Promise<Reply<Result<TextRead, TextError>>> {
    return this.admittedAsync(caller, () => readText(this.root, path, lines));
  }

  editText(
    caller: Caller,
    path: RootPath,
    hash: Sha256,
    edit: TextEdit,
  ): Promise<Reply<Result<TextEdited, TextError>>> {
    return this.admittedAsync(caller, () => editText(this.root, path, hash, edit));
  }

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

  /** Reads every byte of the root and holds it against the invariants. For operators: no request of a client leads here. */
  check(): Promise<CheckReport> {
    return checkRoot(this.ctx.storage.sql, this.bucket);
  }

  /** Called by the AuthStore before it forgets a grant or a token. */
  async revoke({ grantId, tokenId }: Revocation): Promise<void> {
    this.revocations.add(grantId, tokenId, Date.now());
    this.streams.endGrant(grantId, tokenId);
    await this.clock.ringBy(this.revocations.nextDueMs());
  }

  /** Event streams. The one place where the object is spoken to over fetch: only that can hand over a WebSocket. */
  override async fetch(request: Request): Promise<Response> {
    const caller = JSON.parse(request.headers.get("holdfast-caller") ?? "{}") as Caller;
    const { refusal } = this.refusalOf(caller);
    if (refusal !== undefined) return Response.json(refusal, { status: 403 });
    const { 0: client, 1: server } = new WebSocketPair();
    const { clientId: _, ...facts } = caller;
    this.streams.accept(server, facts, Date.now());
    return new Response(null, { status: 101, webSocket: client });
  }

  override webSocketClose(socket: WebSocket): void {
    socket.close();
  }

  override alarm(): Promise<void> {
    return this.clock.ring(Date.now());
  }

  private endIdleSessions(nowMs: number): void {
    for (const id of this.sessions.sweep(nowMs)) this.streams.endSession(id);
  }

  private admitted<T>(caller: Caller, operation: () => T): Reply<T> {
    const { refusal, logLevel } = this.refusalOf(caller);
    if (refusal !== undefined) return { admitted: false, refusal };
    return { admitted: true, value: operation(), ...(logLevel !== undefined && { logLevel }) };
  }

  private async admittedAsync<T>(caller: Caller, operation: () => Promise<T>): Promise<Reply<T>> {
    const reply = this.admitted(caller, operation);
    return reply.admitted ? { ...reply, value: await reply.value } : reply;
  }

  private refusalOf(caller: Caller): { refusal?: Refusal; logLevel?: string } {
    if (caller.grantId !== undefined && this.revocations.has(caller.grantId, caller.tokenId)) {
      return { refusal: "token_revoked" };
    }
    if (caller.sessionId === undefined) return {};
    const session = this.sessions.find(caller.sessionId, caller.clientId, Date.now());
    return session === null ? { refusal: "session_unknown" } : { logLevel: session.logLevel };
  }
}
