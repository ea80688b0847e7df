import {
  type JSONRPCRequest,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

/** How the SDK reports params that do not fit: in the message of an error, for a call of a tool after a few words. */
const reportSchema = z
  .array(z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() }))
  .min(1);

/** The SDK answers params that do not fit the schema of their method with its raw report, mostly as -32603; JSON-RPC has -32602 for that. */
export class ParamsCheckingServer extends Server {
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const wrapped = super._wrapHandler(method, handler);
    return async function handleOrRefuseParams(request, context) {
      try {
        return await wrapped(request, context);
      } catch (error) {
        const why = complaintOf(error);
        if (why === null) throw error;
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The params do not fit ${method}. ${why}`);
      }
    };
  }
}

/** The first thing that a report complains about; null for an error of another kind. */
function complaintOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  try {
    const [issue] = reportSchema.parse(JSON.parse(error.message.replace(/^Invalid \S+ request: /, "")));
    return issue === undefined ? null : `${issue.path.join(".")}: ${issue.message}.`;
  } catch {
    return null;
  }
}
