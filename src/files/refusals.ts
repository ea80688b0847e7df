import type { FileRefusal, FileRefusalReason } from "../domain/file-refusals";
import { neededScopeText, refusalMessage, type ScopeNeed } from "../domain/scopes";
import { internal } from "../domain/text-errors";

const statuses: Record<FileRefusalReason, number> = {
  absent: 404,
  not_a_file: 400,
  invalid: 400,
  unseen: 428,
  not_as_seen: 412,
  too_large: 413,
  too_late: 408,
};

/** Codes of what no tool of the file family answers. */
const edgeCodes: Readonly<Record<number, string>> = {
  401: "UNAUTHORIZED",
  403: "FORBIDDEN",
  405: "METHOD_NOT_ALLOWED",
  429: "TOO_MANY_REQUESTS",
};

/** zipfs.md §9: `{"error":{"code","message"}}`, and nothing else. */
export function errorResponse(
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): Response {
  return Response.json(
    { error: { code, message } },
    { status, headers: { "Cache-Control": "private, no-store", ...headers } },
  );
}

export function refusalResponse({ reason, code, message }: FileRefusal): Response {
  return errorResponse(statuses[reason], code, message);
}

/** What other parts of the edge refuse for /mcp, in the shape of /files: status and headers stay. */
export async function restated(response: Response): Promise<Response> {
  const { error } = (await response.json()) as { error: { message: string } };
  const { "content-length": _, ...headers } = Object.fromEntries(response.headers);
  return errorResponse(response.status, edgeCodes[response.status] ?? "INTERNAL", error.message, headers);
}

export function forbidden(message: string, headers: Record<string, string> = {}): Response {
  return errorResponse(403, "FORBIDDEN", message, headers);
}

/** text.md §3.4, decided before anything is looked up. */
export function scopeRefused(need: ScopeNeed, origin: string): Response {
  const scope = neededScopeText(need);
  return forbidden(refusalMessage(need), {
    "WWW-Authenticate": `Bearer error="insufficient_scope", scope="${scope}", resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`,
  });
}

export function methodRefused(method: string, allowed: readonly string[]): Response {
  return errorResponse(405, "METHOD_NOT_ALLOWED", `${method} is not allowed here.`, { Allow: allowed.join(", ") });
}

/** One answer for every link that does not work: unknown, used, late, forged, for another method. */
export function linkRefused(): Response {
  return errorResponse(
    404,
    "NOT_FOUND",
    "This link does not work: it was used, is more than 10 minutes old, or never was one. Ask for a new one.",
  );
}

/** A fault of ours: the log gets the cause and an id, the client the id alone. */
export function faultResponse(cause: unknown, where: Record<string, string>): Response {
  const id = crypto.randomUUID();
  const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  console.error(JSON.stringify({ level: "error", id, ...where, cause: text }));
  const { code, message } = internal(id);
  return errorResponse(500, code, message);
}
