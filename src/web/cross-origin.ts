import type { MiddlewareHandler } from "hono";
import type { Env } from "../env";
import { requestUrl } from "./request-url";

const loopback = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * A browser names the page that calls: our own pages, those that are configured and, in local mode, loopback ones.
 * `methods` are those that a page may use here; `refuse` makes the answer to any other page.
 */
export function crossOrigin(
  methods: readonly string[],
  refuse: (message: string) => Response = refusedAsRpc,
): MiddlewareHandler<{ Bindings: Env }> {
  return async function checkOrigin(c, next) {
    const origin = c.req.header("origin");
    if (origin === undefined) return next();
    if (!isAllowed(origin, requestUrl(c.req.url).origin, c.env)) {
      return refuse("Pages of this origin may not call here.");
    }
    if (c.req.method === "OPTIONS") {
      return c.body(null, 204, {
        ...headersFor(origin),
        "Access-Control-Allow-Methods": [...methods, "OPTIONS"].join(", "),
        "Access-Control-Allow-Headers": c.req.header("access-control-request-headers") ?? "authorization, content-type",
        "Access-Control-Max-Age": "86400",
      });
    }
    await next();
    for (const [name, value] of Object.entries(headersFor(origin))) c.res.headers.set(name, value);
  };
}

function refusedAsRpc(message: string): Response {
  return Response.json({ jsonrpc: "2.0", id: null, error: { code: -32000, message } }, { status: 403 });
}

function isAllowed(origin: string, own: string, env: Env): boolean {
  if (origin === own || (env.ALLOWED_ORIGINS ?? "").split(/\s+/).filter(Boolean).includes(origin)) return true;
  if (env.AUTH_MODE !== "local") return false;
  try {
    const url = new URL(origin);
    // What a browser sends is an origin and no more: no name before the host, no path.
    return url.origin === origin && /^https?:$/.test(url.protocol) && loopback.has(url.hostname);
  } catch {
    return false;
  }
}

function headersFor(origin: string): Record<string, string> {
  return {
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Expose-Headers": "mcp-session-id, www-authenticate, retry-after, etag, content-range",
    Vary: "Origin",
  };
}
