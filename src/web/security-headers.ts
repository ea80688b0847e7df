import type { MiddlewareHandler } from "hono";
import { type RequestUrl, requestUrl } from "./request-url";

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

/** What an answer in JSON carries; it may be made with them, which is quicker than to set them one by one. */
export function jsonAnswerHeaders(isSecure: boolean): Headers {
  return isSecure ? secureJsonHeaders : jsonHeaders;
}

const jsonHeaders = new Headers({
  ...always,
  "Content-Type": "application/json",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Content-Security-Policy": contentSecurityPolicy,
});
const transportSecurity = "max-age=31536000; includeSubDomains";
const secureJsonHeaders = new Headers([...jsonHeaders, ["Strict-Transport-Security", transportSecurity]]);

/** On every answer, also on refusals and on those of libraries. */
export function securityHeaders(): MiddlewareHandler {
  return async function setSecurityHeaders(c, next) {
    await next();
    const secured = withSecurityHeaders(c.res, requestUrl(c.req.url));
    if (secured === c.res) return;
    // Without this, Hono would merge the headers of the former answer into the new one.
    c.res = undefined;
    c.res = secured;
  };
}

/** The same answer, or where its headers cannot be changed, a copy of it. */
export function withSecurityHeaders(response: Response, { pathname, protocol }: RequestUrl): Response {
  // Nothing else sets this one: the answer was made with all of them.
  if (response.headers.has("X-Frame-Options")) return response;
  const secured = asMutable(response);
  const { headers } = secured;
  // A handler that set one of them had a reason: a page with a form needs another referrer policy to be sent its own origin.
  for (const [name, value] of Object.entries(always)) if (!headers.has(name)) headers.set(name, value);
  headers.set("Cross-Origin-Opener-Policy", openedInPopups.has(pathname) ? "same-origin-allow-popups" : "same-origin");
  if (!headers.has("Content-Security-Policy")) headers.set("Content-Security-Policy", contentSecurityPolicy);
  if (protocol === "https:") headers.set("Strict-Transport-Security", transportSecurity);
  return secured;
}

/** The headers of a fetched answer cannot be changed; its copy has the same body, still streaming, and a status of 101 its socket. */
function asMutable(response: Response): Response {
  try {
    response.headers.set("X-Content-Type-Options", "nosniff");
    return response;
  } catch {
    return new Response(response.body, response);
  }
}
