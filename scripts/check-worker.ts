// The Worker of `npm run check`: the product's own Durable Objects on the same state, and one question. Never part of the product's bundle.
import { deriveUserId, localIssuer } from "../src/auth/user-id";
import type { Env } from "../src/env";

export { AuthStore } from "../src/auth/auth-store";
export { RootObject } from "../src/root/root-object";

interface CheckEnv extends Env {
  /** Known to the command that started this Worker, and to nobody else on the machine. */
  CHECK_KEY: string;
}

export default {
  async fetch(request, env) {
    const url = new URL(request.url);
    if (request.headers.get("check-key") !== env.CHECK_KEY) return new Response(null, { status: 404 });
    const id = env.ROOT.idFromName(await deriveUserId(localIssuer, url.searchParams.get("user") ?? ""));
    if (url.pathname === "/id") return Response.json({ id: id.toString() });
    return Response.json(await env.ROOT.get(id).check());
  },
} satisfies ExportedHandler<CheckEnv>;
