import { DurableObject } from "cloudflare:workers";
import { type Caller, type CallerFacts, callerFacts } from "../domain/caller";
import { blobSettleMs } from "../domain/limits";
import { parseZipLimits } from "../domain/zip/zip-limits";
import type { Env } from "../env";
import { BlobBucket } from "../storage/blob-bucket";
import { SnapshotDatabase } from "../storage/snapshot-database";
import { AlarmClock } from "./alarm-clock";
import type { Refusal, Reply, TreeChange } from "./contract";
import { logFault } from "./log-fault";
import { publishChange } from "./operations/publish-change";
import { restoreEdits, settleEdits } from "./operations/settle-edits";
import { ReplyMailbox } from "./reply-mailbox";
import type { RootState } from "./root-state";
import { Snapshots } from "./snapshots";
import { Blobs } from "./store/blobs";
import { CollectBlobs, DeleteStrays } from "./store/collect-blobs";
import { ContextIndexes } from "./store/context-index";
import { CoolBlobs, CopyBlobs } from "./store/copy-blobs";
import { EditJournal } from "./store/edit-journal";
import { Leases } from "./store/leases";
import { Revocations } from "./store/revocations";
import { applySchema } from "./store/schema";
import { Sessions } from "./store/sessions";
import { type SettledStorage, settledStorage } from "./store/settled-storage";
import { Streams } from "./store/streams";
import { TextFilters } from "./store/text-filters";
import { Tickets } from "./store/tickets";
import { Tree } from "./store/tree";
import { TreeIds } from "./store/tree-ids";
import { VersionUpkeep } from "./store/version-upkeep";
import { Versions } from "./store/versions";
import { ZipStore } from "./store/zip-store";
import { EditedView } from "./view/edited-view";
import { LiveView } from "./view/live-view";
import { SettledView } from "./view/settled-view";

/** What all parts of the object's surface stand on: its state, its alarm, and who is let in. */
export class RootBase extends DurableObject<Env> {
  protected readonly bucket: BlobBucket;
  protected readonly sessions: Sessions;
  protected readonly revocations: Revocations;
  protected readonly streams: Streams;
  protected readonly mailbox = new ReplyMailbox();
  protected readonly clock: AlarmClock;
  protected readonly root: RootState;
  /** For everything but the journal of edits itself, and those below. */
  protected readonly storage: SettledStorage;
  /** For what edits do not change, and for those who look for them in the journal as well. */
  private readonly tables: SettledStorage;
  /** Also while the object comes to be, until all that waits is in memory again. */
  private settling = true;
  /** What waits is known by its rows alone: it failed to come into the tables, or did come there and failed afterwards. */
  private inDoubt = false;
  private isAside = false;
  private lastCaller: { readonly caller: Caller; readonly facts: CallerFacts } | null = null;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    applySchema(state.storage);
    this.storage = settledStorage(state.storage, () => this.settle());
    this.tables = settledStorage(state.storage, () => this.settleDoubts());
    const { storage, tables } = this;
    const { sql } = storage;
    this.bucket = new BlobBucket(env.BLOBS, state.id.toString());
    this.sessions = new Sessions(tables.sql);
    this.revocations = new Revocations(tables.sql);
    this.streams = new Streams(state);
    const journal = new EditJournal(state.storage.sql);
    const blobs = new Blobs(sql, tables.sql, this.bucket, (dueMs) => this.wakeBy(dueMs));
    const versions = new Versions(sql);
    const leases = new Leases(tables.sql);
    const tickets = new Tickets(tables.sql);
    const tree = new Tree(sql, tables.sql);
    const inTables = new LiveView(tables.sql, tree);
    this.root = {
      tree,
      treeIds: new TreeIds(tables.sql, journal, () => tree.idsMade()),
      live: new SettledView(inTables, () => this.settle()),
      edited: new EditedView(inTables, journal),
      journal,
      blobs,
      versions,
      leases,
      tickets,
      snapshots: new Snapshots(new SnapshotDatabase(env.MANIFESTS, state.id.toString()), blobs),
      contextIndexes: new ContextIndexes(sql),
      textFilters: new TextFilters(tables.sql),
      zip: new ZipStore(sql, parseZipLimits(env.ZIP_LIMITS)),
      now: () => Date.now(),
      transaction: (work) => this.transactionOn(storage, work),
      aside: (work) => this.aside(work),
      settle: () => this.settle(),
      changed: (change) => this.announce(change),
    };
    restoreEdits(this.root);
    this.settling = false;
    this.clock = new AlarmClock(state.storage, [
      { run: (nowMs) => this.endSessions(this.sessions.idle(nowMs)), nextDueMs: () => this.sessions.nextEndMs() },
      this.revocations,
      leases,
      tickets,
      new VersionUpkeep(storage, versions, blobs),
      new CopyBlobs(storage, blobs, this.bucket),
      new CoolBlobs(sql),
      new CollectBlobs(storage),
      new DeleteStrays(sql, this.bucket),
    ]);
  }

  admit(caller: Caller): Reply<null> {
    return this.admitted(caller, () => null);
  }

  override alarm(): Promise<void> {
    return this.clock.ring(Date.now());
  }

  /** Brings the edits that wait into the tables. Whoever looks there calls it, through `storage`. */
  private settle(): void {
    if (this.settling || (this.root.journal.isEmpty && !this.inDoubt)) return;
    // Were that undone, what waits would be gone.
    if (this.isAside) throw new Error("edits come into the tables in a transaction of their own");
    const { journal, tree } = this.root;
    this.settling = true;
    try {
      if (this.inDoubt) restoreEdits(this.root);
      this.ctx.storage.transactionSync(() => settleEdits(this.root, Date.now()));
      journal.forget();
      this.inDoubt = false;
    } catch (error) {
      // With nothing in memory everyone has to look at the tables, and comes here first.
      tree.undone();
      journal.forget();
      this.inDoubt = true;
      throw error;
    } finally {
      this.settling = false;
    }
  }

  private transactionOn<T>(storage: SettledStorage, work: () => T): T {
    try {
      return storage.transactionSync(work);
    } catch (error) {
      this.root.tree.undone();
      throw error;
    }
  }

  private aside<T>(work: () => T): T {
    this.settleDoubts();
    this.isAside = true;
    try {
      return this.transactionOn(this.tables, work);
    } finally {
      this.isAside = false;
    }
  }

  /** What is not in memory has to be there before anybody goes without the tables. */
  private settleDoubts(): void {
    if (this.inDoubt) this.settle();
  }

  /** The change is made, and its caller has to hear so: what fails from here on is logged and no more. */
  private announce(change: TreeChange): void {
    try {
      publishChange(this.streams, this.sessions, change);
    } catch (error) {
      logFault("publish change", error);
    }
    this.wakeBy(Date.now() + blobSettleMs);
  }

  /** Does not wait: what was done stays done without the alarm, and the next change sets it. */
  private wakeBy(dueMs: number): void {
    this.clock.ringBy(dueMs).catch((error: unknown) => logFault("set alarm", error));
  }

  /** With their streams; those first, because only a row that is still there is found again after a failure. */
  protected endSessions(ids: readonly string[]): void {
    for (const id of ids) {
      this.streams.endSession(id);
      this.sessions.end(id);
    }
  }

  protected admitted<T>(caller: Caller, operation: (facts: CallerFacts) => T): Reply<T> {
    const facts = this.factsOf(caller);
    const { refusal, logLevel } = this.refusalOf(facts);
    if (refusal !== undefined) return { admitted: false, refusal };
    return { admitted: true, value: operation(facts), ...(logLevel !== undefined && { logLevel }) };
  }

  protected async admittedAsync<T>(caller: Caller, operation: (facts: CallerFacts) => Promise<T>): Promise<Reply<T>> {
    const reply = this.admitted(caller, operation);
    return reply.admitted ? { ...reply, value: await reply.value } : reply;
  }

  /** The same agent mostly calls again. */
  private factsOf(caller: Caller): CallerFacts {
    if (this.lastCaller?.caller !== caller) this.lastCaller = { caller, facts: callerFacts(caller) };
    return this.lastCaller.facts;
  }

  protected refusalOf(caller: CallerFacts): { refusal?: Refusal; logLevel?: string } {
    if (caller.grantId !== undefined && this.revocations.has(caller.grantId, caller.tokenId)) {
      return { refusal: "token_revoked" };
    }
    if (caller.sessionId === undefined) return {};
    const session = this.sessions.find(caller.sessionId, caller.clientId, Date.now());
    return session === null ? { refusal: "session_unknown" } : { logLevel: session.logLevel };
  }
}
