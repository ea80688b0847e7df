import { keepAliveMs } from "../../domain/limits";
import { rootDirectory } from "../../domain/path";
import { coversListing, type Scope } from "../../domain/scopes";
import type { RootEvent } from "../../root/contract";
import type { CallContext } from "../call-context";

/** Opens the user's event stream; null when the object refused the caller (noted in the context). */
export async function openRootEvents(context: CallContext): Promise<WebSocket | null> {
  const response = await context.root.fetch("https://root/events", {
    headers: { Upgrade: "websocket", "holdfast-caller": context.caller },
  });
  if (response.webSocket === null) {
    context.refusal = await response.json();
    return null;
  }
  response.webSocket.accept();
  return response.webSocket;
}

/** The standalone SSE stream of a session (GET): events of the user's object as notifications, with keep-alives. */
export async function serveEventStream({ signal }: Request, context: CallContext): Promise<Response | null> {
  const socket = await openRootEvents(context);
  if (socket === null) return null;
  const encoder = new TextEncoder();
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const end = () => {
    clearInterval(timer);
    writer.close().catch(() => {});
    socket.close();
  };
  const write = (text: string) => void writer.write(encoder.encode(text)).catch(end);
  const timer = setInterval(() => write(": keep-alive\n\n"), keepAliveMs);
  socket.addEventListener("message", ({ data }) => {
    for (const notification of notificationsOf(JSON.parse(data as string) as RootEvent, context.principal.scopes)) {
      write(`event: message\ndata: ${JSON.stringify(notification)}\n\n`);
    }
  });
  socket.addEventListener("close", end);
  socket.addEventListener("error", end);
  writer.closed.catch(end);
  // The client has gone: noticed by the runtime when the next keep-alive does not arrive.
  signal.addEventListener("abort", end);
  write(": open\n\n");
  return new Response(readable, {
    headers: { "Content-Type": "text/event-stream", "Cache-Control": "no-cache, no-transform" },
  });
}

/** The stream's own token decides what it may hear of: the one that subscribed may have reached further. */
function notificationsOf(event: RootEvent, scopes: readonly Scope[]): object[] {
  const heard = (event.subscribed ?? []).filter(({ path }) => coversListing(scopes, path));
  const updates = heard.map(({ uri }) => ({
    jsonrpc: "2.0",
    method: "notifications/resources/updated",
    params: { uri },
  }));
  if (!hearsOfEntries(event, scopes)) return updates;
  return [...updates, { jsonrpc: "2.0", method: "notifications/resources/list_changed" }];
}

/** Did files or directories come or go where the token may list? */
export function hearsOfEntries({ directories, entriesChanged }: RootEvent, scopes: readonly Scope[]): boolean {
  return entriesChanged && (directories ?? [rootDirectory]).some((path) => coversListing(scopes, path));
}
