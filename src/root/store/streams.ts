import { sessionStreamsMax } from "../../domain/limits";
import type { RootEvent } from "../contract";

/** What a stream remembers of itself while the object sleeps. */
interface StreamFacts {
  readonly sessionId?: string;
  readonly grantId?: string;
  readonly tokenId?: string;
  readonly openedAtMs: number;
}

const goingAway = 1001;
const superseded = 4000;
const ended = 4001;

/** Open event streams: hibernatable WebSockets to the Worker, so that an idle stream does not keep the object awake. */
export class Streams {
  constructor(private readonly state: DurableObjectState) {}

  accept(socket: WebSocket, facts: StreamFacts): void {
    this.state.acceptWebSocket(socket, facts.sessionId === undefined ? [] : [facts.sessionId]);
    socket.serializeAttachment(facts);
    if (facts.sessionId === undefined) return;
    const open = this.state
      .getWebSockets(facts.sessionId)
      .filter((one) => one.readyState === WebSocket.OPEN)
      .sort((a, b) => factsOf(a).openedAtMs - factsOf(b).openedAtMs);
    for (const oldest of open.slice(0, Math.max(0, open.length - sessionStreamsMax))) {
      oldest.close(superseded, "a newer stream took its place");
    }
  }

  /** Sends to every stream that `wants` the event. */
  publish(event: RootEvent, wants: (sessionId: string | undefined) => boolean): void {
    const text = JSON.stringify(event);
    for (const socket of this.state.getWebSockets()) {
      if (!wants(factsOf(socket).sessionId)) continue;
      try {
        socket.send(text);
      } catch {
        socket.close(goingAway, "not readable");
      }
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
}

function factsOf(socket: WebSocket): StreamFacts {
  return socket.deserializeAttachment() as StreamFacts;
}
