import {
  createMcpHandler,
  type JSONRPCMessage,
  parseJSONRPCMessage,
  type ServerEvent,
  type ServerEventBus,
} from "@modelcontextprotocol/server";
import { keepAliveMs } from "../domain/limits";
import type { RootPath } from "../domain/path";
import type { RootEvent } from "../root/contract";
import type { CallContext } from "./call-context";
import type { Catalog } from "./catalog";
import { gate, type PreparedCalls, scopeRefusalResponse, watchedUris } from "./gate";
import { openRootEvents } from "./legacy/event-stream";
import { buildServer } from "./server";

/** The 2026 era: every request stands alone. Null: the user's object refused the caller, as the context tells. */
export async function serveModern(
  request: Request,
  body: unknown,
  catalog: Catalog,
  context: CallContext,
): Promise<Response | null> {
  const prepared: PreparedCalls = new Map();
  const message = messageOf(body);
  const refused = message === null ? null : gate(message, catalog, context, prepared);
  if (refused !== null) return scopeRefusalResponse(refused, context.origin);
  const listens = message !== null && "method" in message && message.method === "subscriptions/listen";
  const socket = listens ? await openRootEvents(context) : undefined;
  if (socket === null) return null;
  const handler = createMcpHandler(() => buildServer(catalog, context, prepared), {
    legacy: "reject",
    keepAliveMs,
    ...(socket !== undefined && { bus: busOf(socket, watchedBy(message, catalog)) }),
  });
  if (socket !== undefined) socket.addEventListener("close", () => void handler.close());
  const response = await handler.fetch(request, { parsedBody: body });
  if (!response.ok) socket?.close();
  return response;
}

function messageOf(body: unknown): JSONRPCMessage | null {
  try {
    return parseJSONRPCMessage(body);
  } catch {
    return null;
  }
}

/** The directories that a listen request watches, each with the URIs that it used for it. */
type Watched = ReadonlyMap<RootPath, readonly string[]>;

function watchedBy(message: JSONRPCMessage | null, catalog: Catalog): Watched {
  const watched = new Map<RootPath, string[]>();
  if (message === null || !("method" in message)) return watched;
  for (const uri of watchedUris(message.params ?? {})) {
    for (const { path } of catalog.resources.needs(uri)) watched.set(path, [...(watched.get(path) ?? []), uri]);
  }
  return watched;
}

/** The user's events as the SDK's listen router wants them. */
function busOf(socket: WebSocket, watched: Watched): ServerEventBus {
  return {
    publish() {},
    subscribe(listener) {
      const onMessage = ({ data }: MessageEvent) => {
        for (const event of eventsOf(JSON.parse(data as string) as RootEvent, watched)) listener(event);
      };
      socket.addEventListener("message", onMessage);
      return () => {
        socket.removeEventListener("message", onMessage);
        socket.close();
      };
    },
  };
}

function eventsOf({ directories, entriesChanged }: RootEvent, watched: Watched): ServerEvent[] {
  const changed = directories?.map(({ path }) => path) ?? [...watched.keys()];
  const uris = changed.flatMap((path) => watched.get(path) ?? []);
  const updates: ServerEvent[] = uris.map((uri) => ({ kind: "resource_updated", uri }));
  return entriesChanged ? [...updates, { kind: "resources_list_changed" }] : updates;
}
