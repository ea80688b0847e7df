import { runInDurableObject } from "cloudflare:test";
import { callerOf } from "../../src/domain/caller";
import type { RootEvent } from "../../src/root/contract";
import { caller, callerFacts, type TestRoot } from "./root";

/** An event stream as the Worker holds it, with what came over it. */
export interface Stream {
  readonly events: RootEvent[];
  /** Resolves with the code that the object closes it with. */
  readonly closed: Promise<number>;
}

export async function openSession(root: TestRoot): Promise<string> {
  const reply = await root.stub.openSession(caller, "{}");
  if (!reply.admitted) throw new Error(`refused: ${reply.refusal}`);
  return reply.value;
}

/** Without a session: the stream of a request of the 2026 era. */
export async function openStream(root: TestRoot, sessionId?: string): Promise<Stream> {
  const stream = callerOf({ ...callerFacts, ...(sessionId !== undefined && { sessionId }) });
  const { webSocket } = await root.stub.fetch("https://root.invalid/", {
    headers: { upgrade: "websocket", "holdfast-caller": stream },
  });
  if (webSocket === null) throw new Error("no stream was opened");
  const events: RootEvent[] = [];
  const closed = Promise.withResolvers<number>();
  webSocket.addEventListener("message", ({ data }) => void events.push(JSON.parse(String(data))));
  webSocket.addEventListener("close", ({ code }) => closed.resolve(code));
  webSocket.accept();
  return { events, closed: closed.promise };
}

export function countOpenStreams(root: TestRoot): Promise<number> {
  return runInDurableObject(
    root.stub,
    (_, state) => state.getWebSockets().filter((socket) => socket.readyState === WebSocket.OPEN).length,
  );
}
