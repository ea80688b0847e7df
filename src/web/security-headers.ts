import type { MiddlewareHandler } from "hono";

/** Nothing may load, and nobody may frame: right for JSON; a page brings a policy of its own. */
const contentSecurityPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const always: Readonly<Record<string, string>> = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "X-Frame-Options": "DENY",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
};

/** Pages that a client may open in a popup and has to see closing. */
const openedInPopups = new Set(["/authorize", "/callback"]);

/** On every answer, also on refusals and on those of libraries. */
export function securityHeaders(): MiddlewareHandler {
  return async function setSecurityHeaders(c, next) {
    await next();
    const { pathname, protocol } = new URL(c.req.url);
    const { headers } = asMutable(c.res, (response) => {
      // Without this, Hono would merge the headers of the former answer into the new one.
      c.res = undefined;
      c.res = response;
    });
    // A handler that set one of them had a reason: a page with a form needs another referrer policy to be sent its own origin.
    for (const [name, value] of Object.entries(always)) if (!headers.has(name)) headers.set(name, value);
    headers.set(
      "Cross-Origin-Opener-Policy",
      openedInPopups.has(pathname) ? "same-origin-allow-popups" : "same-origin",
    );
    if (!headers.has("Content-Security-Policy")) headers.set("Content-Security-Policy", contentSecurityPolicy);
    if (protocol === "https:") headers.set("Strict-Transport-Security", "max-age=31536000; includeSubDomains");
  };
}

/** The headers of a fetched answer cannot be changed; its copy has the same body, still streaming, and a status of 101 its socket. */
function asMutable(response: Response, replace: (copy: Response) => void): Response {
  try {
    response.headers.set("X-Content-Type-Options", "nosniff");
    return response;
  } catch {
    const copy = new Response(response.body, response);
    replace(copy);
    return copy;
  }
}
