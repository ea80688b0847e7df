import type { MiddlewareHandler } from "hono";
import type { Env } from "../env";
import { type RequestUrl, requestUrl } from "./request-url";

const loopback = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Answers only for the host that is ours: a page that rebinds its name to this address gets nothing. */
export function hostCheck(): MiddlewareHandler<{ Bindings: Env }> {
  return async function checkHost(c, next) {
    if (!isOurHost(c.req.raw, requestUrl(c.req.url), c.env)) {
      return c.json({ error: "invalid_host", message: "This server does not answer for that host name." }, 403);
    }
    await next();
  };
}

export function isOurHost(request: Request, { host, hostname }: RequestUrl, env: Env): boolean {
  const named = request.headers.get("host") ?? host;
  const expected = env.PUBLIC_URL === undefined ? undefined : requestUrl(env.PUBLIC_URL).host;
  const known = expected === undefined ? env.AUTH_MODE !== "local" || loopback.has(hostname) : host === expected;
  return known && named === host;
}
