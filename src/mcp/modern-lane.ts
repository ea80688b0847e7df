import {
  createMcpHandler,
  type JSONRPCMessage,
  parseJSONRPCMessage,
  type ServerEvent,
  type ServerEventBus,
} from "@modelcontextprotocol/server";
import { keepAliveMs } from "../domain/limits";
import type { RootPath } from "../domain/path";
import type { Scope } from "../domain/scopes";
import type { RootEvent } from "../root/contract";
import type { CallContext } from "./call-context";
import type { Catalog } from "./catalog";
import { gate, type PreparedCalls, scopeRefusalResponse, watchedUris } from "./gate";
import { hearsOfEntries, openRootEvents } from "./legacy/event-stream";
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
  const bus = socket && new RootEventBus(socket, watchedBy(message, catalog), context.principal.scopes);
  const handler = createMcpHandler(() => buildServer(catalog, context, prepared, [body]), {
    legacy: "reject",
    keepAliveMs,
    ...(bus !== undefined && { bus }),
  });
  if (socket !== undefined) socket.addEventListener("close", () => void handler.close());
  const response = await handler.fetch(request, { parsedBody: body });
  // A listen request that was refused, or asks for nothing, leaves nobody who would close the socket.
  if (bus?.isHeard === false) socket?.close();
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
class RootEventBus implements ServerEventBus {
  isHeard = false;

  constructor(
    private readonly socket: WebSocket,
    private readonly watched: Watched,
    private readonly scopes: readonly Scope[],
  ) {}

  publish(): void {}

  subscribe(listener: (event: ServerEvent) => void): () => void {
    this.isHeard = true;
    const onMessage = ({ data }: MessageEvent) => {
      for (const event of eventsOf(JSON.parse(data as string) as RootEvent, this.watched, this.scopes)) listener(event);
    };
    this.socket.addEventListener("message", onMessage);
    return () => {
      this.socket.removeEventListener("message", onMessage);
      this.socket.close();
    };
  }
}

function eventsOf(event: RootEvent, watched: Watched, scopes: readonly Scope[]): ServerEvent[] {
  const uris = (event.directories ?? [...watched.keys()]).flatMap((path) => watched.get(path) ?? []);
  const updates: ServerEvent[] = uris.map((uri) => ({ kind: "resource_updated", uri }));
  return hearsOfEntries(event, scopes) ? [...updates, { kind: "resources_list_changed" }] : updates;
}
