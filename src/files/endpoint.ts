import { callerOf } from "../domain/caller";
import type { Principal } from "../domain/principal";
import { covers } from "../domain/scopes";
import type { Env } from "../env";
import type { Unwanted } from "../root/operations/files/locate-file";
import { rootOf } from "../storage/root-stub";
import { type Bucket, contentResponse, knownTags } from "./download";
import { faultResponse, methodRefused, refusalResponse, scopeRefused } from "./refusals";
import { parseRequestPath } from "./request-path";
import { Revoked, RootCall } from "./root-call";
import { parseGuard, receive, storedResponse } from "./upload";

export const fileMethods: readonly string[] = ["GET", "HEAD", "PUT"];

/** What the Worker hands to a request for raw bytes. */
export interface FilesContext {
  readonly env: Env;
  waitUntil(work: Promise<unknown>): void;
}

/** `/files/<path>`, for a caller whose token was verified. `onRevoked` makes the 401 of a revoked token. */
export async function serveFiles(
  request: Request,
  rawPath: string,
  principal: Principal,
  context: FilesContext,
  onRevoked: () => Promise<Response>,
): Promise<Response> {
  const root = new RootCall(rootOf(context.env, principal.userId), callerOf(principal));
  try {
    const response = await answer(request, rawPath, principal, context, root);
    await root.ensureAdmitted();
    return response;
  } catch (error) {
    return error instanceof Revoked ? onRevoked() : faultResponse(error, { method: request.method, at: "/files" });
  }
}

async function answer(
  request: Request,
  rawPath: string,
  principal: Principal,
  context: FilesContext,
  root: RootCall,
): Promise<Response> {
  const { method, headers } = request;
  if (!fileMethods.includes(method)) return methodRefused(method, fileMethods);
  const path = parseRequestPath(rawPath);
  if (!path.ok) return refusalResponse(path.error);
  const need = { verb: method === "PUT" ? "write" : "read", path: path.value } as const;
  if (!covers(principal.scopes, need)) return scopeRefused(need, new URL(request.url).origin);

  if (method === "PUT") {
    const guard = parseGuard(headers);
    if (!guard.ok) return refusalResponse(guard.error);
    const target = { path: path.value, guard: guard.value };
    const stored = await receive(request, context.env.BLOBS, root, { target, sha256: null, size: null });
    return stored.ok ? storedResponse(target, stored.value) : refusalResponse(stored.error);
  }
  const found = await root.ask((stub, caller) => stub.locateFile(caller, path.value, unwantedBy(request)));
  return found.ok ? contentResponse(request, found.value, bucketOf(context)) : refusalResponse(found.error);
}

/** Bytes that the answer will not have. */
function unwantedBy({ method, headers }: Request): Unwanted {
  const known = knownTags(headers);
  if (method === "HEAD" || known === "*") return "all";
  return known?.map((tag) => tag.value) ?? [];
}

export function bucketOf({ env, waitUntil }: FilesContext): Bucket {
  return { bucket: env.BLOBS, waitUntil };
}
