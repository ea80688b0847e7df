import { DurableObject } from "cloudflare:workers";
import { blobSettleMs } from "../domain/limits";
import type { Env } from "../env";
import { BlobBucket } from "../storage/blob-bucket";
import { SnapshotDatabase } from "../storage/snapshot-database";
import { AlarmClock } from "./alarm-clock";
import type { Caller, Refusal, Reply } from "./contract";
import { publishChange } from "./operations/publish-change";
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
import { Tickets } from "./store/tickets";
import { Tree } from "./store/tree";
import { TreeIds } from "./store/tree-ids";
import { VersionUpkeep } from "./store/version-upkeep";
import { Versions } from "./store/versions";
import { LiveView } from "./view/live-view";

/** What all parts of the object's surface stand on: its state, its alarm, and who is let in. */
export class RootBase extends DurableObject<Env> {
  protected readonly bucket: BlobBucket;
  protected readonly sessions: Sessions;
  protected readonly revocations: Revocations;
  protected readonly streams: Streams;
  protected readonly mailbox = new ReplyMailbox();
  protected readonly clock: AlarmClock;
  protected readonly root: RootState;

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
    const tickets = new Tickets(sql);
    this.root = {
      tree: new Tree(sql),
      treeIds: new TreeIds(sql),
      live: new LiveView(sql),
      blobs,
      versions,
      leases,
      tickets,
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
      tickets,
      new VersionUpkeep(storage, versions, blobs),
      new BlobUpkeep(storage, blobs, this.bucket),
    ]);
  }

  admit(caller: Caller): Reply<null> {
    return this.admitted(caller, () => null);
  }

  override alarm(): Promise<void> {
    return this.clock.ring(Date.now());
  }

  private endIdleSessions(nowMs: number): void {
    for (const id of this.sessions.sweep(nowMs)) this.streams.endSession(id);
  }

  protected admitted<T>(caller: Caller, operation: () => T): Reply<T> {
    const { refusal, logLevel } = this.refusalOf(caller);
    if (refusal !== undefined) return { admitted: false, refusal };
    return { admitted: true, value: operation(), ...(logLevel !== undefined && { logLevel }) };
  }

  protected async admittedAsync<T>(caller: Caller, operation: () => Promise<T>): Promise<Reply<T>> {
    const reply = this.admitted(caller, operation);
    return reply.admitted ? { ...reply, value: await reply.value } : reply;
  }

  protected refusalOf(caller: Caller): { refusal?: Refusal; logLevel?: string } {
    if (caller.grantId !== undefined && this.revocations.has(caller.grantId, caller.tokenId)) {
      return { refusal: "token_revoked" };
    }
    if (caller.sessionId === undefined) return {};
    const session = this.sessions.find(caller.sessionId, caller.clientId, Date.now());
    return session === null ? { refusal: "session_unknown" } : { logLevel: session.logLevel };
  }
}
