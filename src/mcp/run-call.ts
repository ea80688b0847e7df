import { ProtocolError, type RequestId, type ServerContext } from "@modelcontextprotocol/server";
import type { Result } from "../domain/result";
import { type CallContext, ForbiddenByLookup, RefusedByRoot } from "./call-context";
import { internalError } from "./envelope";
import type { PreparedCall } from "./tool";

/** A call whose scopes were checked, to its result; faults of ours become one, refusals of the caller go on as they are. */
export async function runCall(
  call: Result<PreparedCall, unknown>,
  { id, name }: { readonly id: RequestId; readonly name: string },
  context: CallContext,
  server: ServerContext | null,
): Promise<unknown> {
  if (!call.ok) return call.error;
  try {
    return await call.value.run(context, server);
  } catch (cause) {
    if (cause instanceof RefusedByRoot || cause instanceof ProtocolError) throw cause;
    if (cause instanceof ForbiddenByLookup) {
      context.forbidden ??= { id, need: cause.need };
      throw cause;
    }
    return internalError(cause, name);
  }
}
