import type { Env } from "../env";
import type { TokenOwner } from "./auth-store";
import { authEnv } from "./kv";
import { authorizationServer } from "./provider";
import { isUserId } from "./user-id";

/** Of every request to sign in; all of them are a few hundred bytes. */
export const signInBodyMaxBytes = 64 * 1024;

/** Token and revocation requests go to the object that owns the grant; what names none is answered here. */
export async function serveTokenRequest(
  request: Request,
  env: Env,
  ctx: ExecutionContext,
  origin: string,
): Promise<Response> {
  if (request.method !== "POST") return authorizationServer(origin).fetch(request, authEnv(env), ctx);
  const body = await readLimited(request, signInBodyMaxBytes);
  if (body === null) return bodyTooLong();
  const copy = new Request(request.url, { method: "POST", headers: request.headers, body });
  const owner = ownerOf(new URLSearchParams(body));
  if (!owner) return authorizationServer(origin).fetch(copy, authEnv(env), ctx);
  return env.AUTH.get(env.AUTH.idFromName(`user:${owner.userId}`)).serveToken(copy, owner);
}

/** Codes and tokens are "user:grant:secret". */
function ownerOf(form: URLSearchParams): TokenOwner | null {
  const grantType = form.get("grant_type");
  const redeems =
    grantType === "authorization_code"
      ? form.get("code")
      : grantType === "refresh_token"
        ? form.get("refresh_token")
        : null;
  const [userId = "", grantId = "", secret, ...rest] = (redeems ?? form.get("token") ?? "").split(":");
  if (!isUserId(userId) || grantId === "" || !secret || rest.length > 0) return null;
  return { userId, grantId, ...(redeems === null ? {} : { redeems }) };
}

export function bodyTooLong(): Response {
  return Response.json(
    { error: "invalid_request", error_description: `The body is over ${signInBodyMaxBytes} bytes` },
    { status: 413, headers: { "Cache-Control": "no-store" } },
  );
}

/** The body as text, or null once it passes the limit; counted on the stream, as a length header may be absent or wrong. */
export async function readLimited(request: Request, maxBytes: number): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.byteLength;
    if (length > maxBytes) return null;
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
