import {
  createMcpHandler,
  type JSONRPCMessage,
  parseJSONRPCMessage,
  type ServerEvent,
  type ServerEventBus,
} from "@modelcontextprotocol/server";
import { keepAliveMs } from "../domain/limits";
import type { RootEvent } from "../root/contract";
import type { CallContext } from "./call-context";
import type { Catalog } from "./catalog";
import { gate, type PreparedCalls, scopeRefusalResponse } from "./gate";
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
  if (refused !== null) return (await context.ensureAdmitted()) ? scopeRefusalResponse(refused, context.origin) : null;
  const listens = message !== null && "method" in message && message.method === "subscriptions/listen";
  const socket = listens ? await openRootEvents(context) : undefined;
  if (socket === null) return null;
  const handler = createMcpHandler(() => buildServer(catalog, context, prepared), {
    legacy: "reject",
    keepAliveMs,
    ...(socket !== undefined && { bus: busOf(socket) }),
  });
  if (socket !== undefined) socket.addEventListener("close", () => void handler.close());
  const response = await handler.fetch(request, { parsedBody: body });
  return socket !== undefined || (await context.ensureAdmitted()) ? response : null;
}

function messageOf(body: unknown): JSONRPCMessage | null {
  try {
    return parseJSONRPCMessage(body);
  } catch {
    return null;
  }
}

/** The user's events as the SDK's listen router wants them. */
function busOf(socket: WebSocket): ServerEventBus {
  return {
    publish() {},
    subscribe(listener) {
      const onMessage = ({ data }: MessageEvent) => listener(eventOf(JSON.parse(data as string) as RootEvent));
      socket.addEventListener("message", onMessage);
      return () => {
        socket.removeEventListener("message", onMessage);
        socket.close();
      };
    },
  };
}

function eventOf(event: RootEvent): ServerEvent {
  return event.kind === "resource_updated"
    ? { kind: "resource_updated", uri: event.uri }
    : { kind: "resources_list_changed" };
}
