import { sessionStreamsMax } from "../../domain/limits";
import type { RootEvent } from "../contract";

/** What a stream remembers of itself while the object sleeps. */
export interface StreamFacts {
  readonly sessionId?: string;
  readonly grantId?: string;
  readonly tokenId?: string;
  readonly openedAtMs: number;
  /** Tells streams apart that were opened in the same millisecond. */
  readonly order: number;
}

const goingAway = 1001;
const superseded = 4000;
const ended = 4001;

/** Open event streams: hibernatable WebSockets to the Worker, so that an idle stream does not keep the object awake. */
export class Streams {
  private opened = 0;

  constructor(private readonly state: DurableObjectState) {}

  accept(socket: WebSocket, facts: Omit<StreamFacts, "openedAtMs" | "order">, nowMs: number): void {
    this.state.acceptWebSocket(socket, facts.sessionId === undefined ? [] : [facts.sessionId]);
    socket.serializeAttachment({ ...facts, openedAtMs: nowMs, order: this.opened++ });
    if (facts.sessionId === undefined) return;
    const open = this.openOf(facts.sessionId);
    for (const oldest of open.slice(0, Math.max(0, open.length - sessionStreamsMax))) {
      oldest.close(superseded, "a newer stream took its place");
    }
  }

  /**
   * Sends each stream what `eventFor` gives for its session (undefined: a request of the 2026 era).
   * A session gets it once, on its newest stream: a message must not come twice.
   */
  publish(eventFor: (sessionId: string | undefined) => RootEvent | null): void {
    const sessions = new Set<string>();
    for (const socket of this.state.getWebSockets()) {
      const { sessionId } = factsOf(socket);
      if (sessionId === undefined) send(socket, eventFor(undefined));
      else sessions.add(sessionId);
    }
    for (const sessionId of sessions) {
      const newest = this.openOf(sessionId).at(-1);
      if (newest !== undefined) send(newest, eventFor(sessionId));
    }
  }

  endSession(sessionId: string): void {
    for (const socket of this.state.getWebSockets(sessionId)) socket.close(ended, "the session ended");
  }

  endGrant(grantId: string, tokenId: string | undefined): void {
    for (const socket of this.state.getWebSockets()) {
      const facts = factsOf(socket);
      if (facts.grantId !== grantId || (tokenId !== undefined && facts.tokenId !== tokenId)) continue;
      socket.close(ended, "the token was revoked");
    }
  }

  /** The open streams of a session, the oldest first. */
  private openOf(sessionId: string): WebSocket[] {
    return this.state
      .getWebSockets(sessionId)
      .filter((one) => one.readyState === WebSocket.OPEN)
      .sort((a, b) => {
        const [left, right] = [factsOf(a), factsOf(b)];
        return left.openedAtMs - right.openedAtMs || left.order - right.order;
      });
  }
}

function send(socket: WebSocket, event: RootEvent | null): void {
  if (event === null) return;
  try {
    socket.send(JSON.stringify(event));
  } catch {
    socket.close(goingAway, "not readable");
  }
}

function factsOf(socket: WebSocket): StreamFacts {
  return socket.deserializeAttachment() as StreamFacts;
}
