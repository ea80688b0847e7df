import { type Caller, callerFacts } from "../../domain/caller";
import { subscriptionsMax } from "../../domain/limits";
import type { RootPath } from "../../domain/path";
import type { Reply, SessionFacts } from "../contract";
import { RootBase } from "../root-base";

/** Sessions of the 2025 era, their subscriptions and event streams. */
export class WithSessions extends RootBase {
  async openSession(caller: Caller, initialize: string): Promise<Reply<string>> {
    const reply = this.admitted(caller, ({ clientId }) => {
      const id = crypto.randomUUID();
      this.endSessions(this.sessions.open({ id, clientId, initialize }, Date.now()));
      return id;
    });
    await this.clock.ringBy(this.sessions.nextEndMs());
    return reply;
  }

  session(caller: Caller): Reply<SessionFacts> {
    return this.admitted(caller, (facts) => {
      const { id, clientId, initialize } = this.sessions.find(facts.sessionId ?? "", facts.clientId, Date.now()) ?? {
        id: "",
        clientId: "",
        initialize: "{}",
      };
      return { id, clientId, initialize };
    });
  }

  endSession(caller: Caller): Reply<null> {
    return this.admitted(caller, ({ sessionId }) => {
      if (sessionId !== undefined) this.endSessions([sessionId]);
      return null;
    });
  }

  setLogLevel(caller: Caller, level: string): Reply<null> {
    return this.admitted(caller, ({ sessionId }) => {
      if (sessionId !== undefined) this.sessions.setLogLevel(sessionId, level);
      return null;
    });
  }

  /** `path` is the directory that the URI stands for, if any. False when the session holds as many subscriptions as it may. */
  subscribe(caller: Caller, uri: string, path: RootPath | ""): Reply<boolean> {
    return this.admitted(caller, ({ sessionId }) => {
      if (sessionId === undefined) return true;
      if (this.sessions.isSubscribed(sessionId, uri)) return true;
      if (this.sessions.subscriptionCount(sessionId) >= subscriptionsMax) return false;
      this.sessions.subscribe(sessionId, uri, path);
      return true;
    });
  }

  unsubscribe(caller: Caller, uri: string): Reply<null> {
    return this.admitted(caller, ({ sessionId }) => {
      if (sessionId !== undefined) this.sessions.unsubscribe(sessionId, uri);
      return null;
    });
  }

  /** Waits for the client's answer to a request that the server sent it. */
  async awaitReply(caller: Caller, requestId: string, timeoutMs: number): Promise<Reply<string | null>> {
    return this.admittedAsync(caller, ({ sessionId }) => this.mailbox.wait(`${sessionId}/${requestId}`, timeoutMs));
  }

  deliverReply(caller: Caller, requestId: string, message: string): Reply<boolean> {
    return this.admitted(caller, ({ sessionId }) => this.mailbox.deliver(`${sessionId}/${requestId}`, message));
  }

  /** Event streams. The one place where the object is spoken to over fetch: only that can hand over a WebSocket. */
  override async fetch(request: Request): Promise<Response> {
    const caller = callerFacts((request.headers.get("holdfast-caller") ?? "[]") as Caller);
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
}
