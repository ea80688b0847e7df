import type { MiddlewareHandler } from "hono";
import type { Env } from "../env";
import { parsedUrl } from "./parsed-url";

const loopback = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Answers only for the host that is ours: a page that rebinds its name to this address gets nothing. */
export function hostCheck(): MiddlewareHandler<{ Bindings: Env }> {
  return async function checkHost(c, next) {
    if (!isOurHost(c.req.raw, c.env)) {
      return c.json({ error: "invalid_host", message: "This server does not answer for that host name." }, 403);
    }
    await next();
  };
}

export function isOurHost(request: Request, env: Env): boolean {
  const { host, hostname } = parsedUrl(request.url);
  const named = request.headers.get("host") ?? host;
  const expected = env.PUBLIC_URL === undefined ? undefined : parsedUrl(env.PUBLIC_URL).host;
  const known = expected === undefined ? env.AUTH_MODE !== "local" || loopback.has(hostname) : host === expected;
  return known && named === host;
}
