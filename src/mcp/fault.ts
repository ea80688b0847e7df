import { ProtocolError, ProtocolErrorCode, type ServerContext } from "@modelcontextprotocol/server";
import { RefusedByRoot } from "./call-context";

/** A fault of ours: the log gets the cause and an id, the client will get the id alone. */
export function logFault(cause: unknown, where: Record<string, string>): string {
  const id = crypto.randomUUID();
  const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  console.error(JSON.stringify({ level: "error", id, ...where, cause: text }));
  return id;
}

/** A handler outside of tools whose faults tell the client nothing of their cause, which the SDK would send. */
export function guarded<Request, Output>(
  handle: (request: Request, server: ServerContext) => Output | Promise<Output>,
): (request: Request, server: ServerContext) => Promise<Output> {
  return async function handleOrHide(request, server) {
    try {
      return await handle(request, server);
    } catch (cause) {
      if (cause instanceof RefusedByRoot || cause instanceof ProtocolError) throw cause;
      const id = logFault(cause, { method: server.mcpReq.method });
      throw new ProtocolError(ProtocolErrorCode.InternalError, `Internal error ${id}. Try again.`, { id });
    }
  };
}
