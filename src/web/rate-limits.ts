import type { UserId } from "../domain/principal";
import type { Env } from "../env";

const periodSeconds = 60;

/** Calls of one user, whatever token or address they come from. */
export async function limitUser(env: Env, userId: UserId): Promise<Response | null> {
  const { success } = (await env.USER_RATE?.limit({ key: userId })) ?? { success: true };
  return success ? null : tooMany("This user has sent too many requests.");
}

/** Requests without a valid token, and sign-in, by address. */
export async function limitAddress(request: Request, env: Env): Promise<Response | null> {
  const key = request.headers.get("cf-connecting-ip") ?? "unknown";
  const { success } = (await env.ADDRESS_RATE?.limit({ key })) ?? { success: true };
  return success ? null : tooMany("This address has sent too many requests.");
}

function tooMany(message: string): Response {
  return Response.json(
    { jsonrpc: "2.0", id: null, error: { code: -32000, message: `${message} Try again in a minute.` } },
    { status: 429, headers: { "Retry-After": String(periodSeconds) } },
  );
}
