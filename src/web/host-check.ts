import type { MiddlewareHandler } from "hono";
import type { Env } from "../env";
import { parsedUrl } from "./parsed-url";

const loopback = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Answers only for the host that is ours: a page that rebinds its name to this address gets nothing. */
export function hostCheck(): MiddlewareHandler<{ Bindings: Env }> {
  return async function checkHost(c, next) {
    const { host, hostname } = parsedUrl(c.req.url);
    const named = c.req.header("host") ?? host;
    const expected = c.env.PUBLIC_URL === undefined ? undefined : parsedUrl(c.env.PUBLIC_URL).host;
    const known = expected === undefined ? c.env.AUTH_MODE !== "local" || loopback.has(hostname) : host === expected;
    if (!known || named !== host) {
      return c.json({ error: "invalid_host", message: "This server does not answer for that host name." }, 403);
    }
    await next();
  };
}
