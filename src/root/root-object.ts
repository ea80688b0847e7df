import { DurableObject } from "cloudflare:workers";
import { subscriptionsMax } from "../domain/limits";
import type { RootPath } from "../domain/path";
import type { Env } from "../env";
import type { Caller, Listing, Refusal, Reply, Revocation, RootUsage, SessionFacts } from "./contract";
import { ReplyMailbox } from "./reply-mailbox";
import { Revocations } from "./store/revocations";
import { applySchema } from "./store/schema";
import { Sessions } from "./store/sessions";
import { Streams } from "./store/streams";
import { Tree } from "./store/tree";

const sweepStepMs = 60 * 60 * 1000;

/** One per user: serializes the user's root and everything that points into it. Knows nothing of MCP or OAuth. */
export class RootObject extends DurableObject<Env> {
  private readonly sessions: Sessions;
  private readonly revocations: Revocations;
  private readonly tree: Tree;
  private readonly streams: Streams;
  private readonly mailbox = new ReplyMailbox();

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    applySchema(state.storage);
    this.sessions = new Sessions(state.storage.sql);
    this.revocations = new Revocations(state.storage.sql);
    this.tree = new Tree(state.storage.sql);
    this.streams = new Streams(state);
  }

  admit(caller: Caller): Reply<null> {
    return this.admitted(caller, () => null);
  }

  async openSession(caller: Caller, initialize: string): Promise<Reply<string>> {
    await this.scheduleSweep();
    return this.admitted(caller, () => {
      const id = crypto.randomUUID();
      this.sessions.open({ id, clientId: caller.clientId, initialize }, Date.now());
      return id;
    });
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

  /** False when the session holds as many subscriptions as it may. */
  subscribe(caller: Caller, uri: string): Reply<boolean> {
    return this.admitted(caller, () => {
      if (caller.sessionId === undefined) return true;
      if (this.sessions.subscriptionCount(caller.sessionId) >= subscriptionsMax) return false;
      this.sessions.subscribe(caller.sessionId, uri);
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
    const refusal = this.refusalOf(caller).refusal;
    if (refusal !== undefined) return { admitted: false, refusal };
    return { admitted: true, value: await this.mailbox.wait(`${caller.sessionId}/${requestId}`, timeoutMs) };
  }

  deliverReply(caller: Caller, requestId: string, message: string): Reply<boolean> {
    return this.admitted(caller, () => this.mailbox.deliver(`${caller.sessionId}/${requestId}`, message));
  }

  usage(caller: Caller): Reply<RootUsage> {
    return this.admitted(caller, () => this.tree.usage());
  }

  list(caller: Caller, path: RootPath, limit: number, offset: number): Reply<Listing> {
    return this.admitted<Listing>(caller, () => {
      const kind = this.tree.kindOf(path);
      if (kind !== "directory") return { kind: kind ?? "absent" };
      const total = this.tree.childCount(path);
      return { kind, entries: this.tree.children(path, limit, offset), total };
    });
  }

  /** Called by the AuthStore before it forgets a grant or a token. */
  async revoke({ grantId, tokenId }: Revocation): Promise<void> {
    this.revocations.add(grantId, tokenId, Date.now());
    this.streams.endGrant(grantId, tokenId);
    await this.scheduleSweep();
  }

  /** Event streams. The one place where the object is spoken to over fetch: only that can hand over a WebSocket. */
  override async fetch(request: Request): Promise<Response> {
    const caller = JSON.parse(request.headers.get("holdfast-caller") ?? "{}") as Caller;
    const { refusal } = this.refusalOf(caller);
    if (refusal !== undefined) return Response.json(refusal, { status: 403 });
    const { 0: client, 1: server } = new WebSocketPair();
    const { sessionId, grantId, tokenId } = caller;
    this.streams.accept(server, {
      ...(sessionId !== undefined && { sessionId }),
      ...(grantId !== undefined && { grantId }),
      ...(tokenId !== undefined && { tokenId }),
      openedAtMs: Date.now(),
    });
    return new Response(null, { status: 101, webSocket: client });
  }

  override webSocketClose(socket: WebSocket): void {
    socket.close();
  }

  override async alarm(): Promise<void> {
    for (const id of this.sessions.sweep(Date.now())) this.streams.endSession(id);
    this.revocations.sweep(Date.now());
    await this.scheduleSweep();
  }

  private admitted<T>(caller: Caller, operation: () => T): Reply<T> {
    const { refusal, logLevel } = this.refusalOf(caller);
    if (refusal !== undefined) return { admitted: false, refusal };
    return { admitted: true, value: operation(), ...(logLevel !== undefined && { logLevel }) };
  }

  private refusalOf(caller: Caller): { refusal?: Refusal; logLevel?: string } {
    if (caller.grantId !== undefined && this.revocations.has(caller.grantId, caller.tokenId)) {
      return { refusal: "token_revoked" };
    }
    if (caller.sessionId === undefined) return {};
    const session = this.sessions.find(caller.sessionId, caller.clientId, Date.now());
    return session === null ? { refusal: "session_unknown" } : { logLevel: session.logLevel };
  }

  private async scheduleSweep(): Promise<void> {
    const ends = [this.sessions.nextEndMs(), this.revocations.nextEndMs()].filter((ms) => ms !== null);
    if (ends.length === 0) return;
    const soonestMs = Math.max(Math.min(...ends), Date.now() + sweepStepMs);
    const current = await this.ctx.storage.getAlarm();
    if (current === null || current > soonestMs) await this.ctx.storage.setAlarm(soonestMs);
  }
}
