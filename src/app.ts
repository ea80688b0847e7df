import { type Context, Hono } from "hono";
import { authenticate, unauthorized } from "./auth/authenticate";
import { authRoutes } from "./auth/routes";
import type { Env } from "./env";
import { afterBody } from "./files/drain";
import { type FilesContext, fileMethods, serveFiles } from "./files/endpoint";
import { linkOf, serveLink } from "./files/links";
import { forbidden, linkRefused, restated } from "./files/refusals";
import type { Catalog } from "./mcp/catalog";
import { serveMcp } from "./mcp/endpoint";
import { version } from "./version";
import { crossOrigin } from "./web/cross-origin";
import { homePage, homePolicy } from "./web/home";
import { hostCheck } from "./web/host-check";
import { parsedUrl } from "./web/parsed-url";
import { limitAddress, limitUser } from "./web/rate-limits";
import { jsonAnswerHeaders, securityHeaders } from "./web/security-headers";

type AppContext = Context<{ Bindings: Env }>;

/** The whole HTTP surface around one catalog of tools. */
export function createApp(catalog: Catalog): Hono<{ Bindings: Env }> {
  // Strict: `/mcp/` is not `/mcp`; the raw path decides, so an encoded one never reaches a protected handler.
  const app = new Hono<{ Bindings: Env }>({ strict: true, getPath: (request) => rawPathOf(request.url) });
  app.use(securityHeaders());
  app.use(hostCheck());

  app.get("/health", (c) => c.json({ status: "ok", version }));
  app.get("/", (c) => {
    const nonce = crypto.randomUUID();
    c.header("Content-Security-Policy", homePolicy(nonce));
    return c.html(homePage(parsedUrl(c.req.url).origin, nonce, version));
  });

  app.all("/mcp", crossOrigin(["POST", "GET", "DELETE"]), async (c) => {
    const url = parsedUrl(c.req.url);
    const { origin } = url;
    const identity = await authenticate(c.req.raw, c.env, origin);
    if (!identity.ok) return (await limitAddress(c)) ?? unauthorized(origin, identity.error);
    const limited = await limitUser(c.env, identity.value.userId);
    if (limited !== null) return limited;
    return serveMcp(c.req.raw, url, c.env, identity.value, catalog, {
      headers: jsonAnswerHeaders(url.protocol === "https:"),
      onRevoked: () => unauthorized(origin, { code: "token_revoked" }),
    });
  });

  app.all("/files/*", crossOrigin(fileMethods, forbidden), async (c, next) => {
    if (rawPathOf(c.req.url) === "/files") return next();
    return afterBody(c.req.raw, await files(c));
  });
  app.all("/links/*", async (c) => afterBody(c.req.raw, await links(c)));

  app.route("/", authRoutes());

  app.notFound((c) => c.json({ error: "not_found", message: "Nothing is here. The MCP endpoint is /mcp." }, 404));
  app.onError((error, c) => {
    const id = crypto.randomUUID();
    console.error(
      JSON.stringify({ level: "error", id, path: parsedUrl(c.req.url).pathname, cause: error.stack ?? error.message }),
    );
    return c.json({ error: "internal", message: `Internal error ${id}. Try again.` }, 500);
  });
  return app;
}

async function files(c: AppContext): Promise<Response> {
  const { origin } = parsedUrl(c.req.url);
  const identity = await authenticate(c.req.raw, c.env, origin);
  if (!identity.ok) return restated((await limitAddress(c)) ?? unauthorized(origin, identity.error));
  const limited = await limitUser(c.env, identity.value.userId);
  if (limited !== null) return restated(limited);
  return serveFiles(c.req.raw, rawPathOf(c.req.url), identity.value, filesContext(c), () =>
    restated(unauthorized(origin, { code: "token_revoked" })),
  );
}

async function links(c: AppContext): Promise<Response> {
  const link = await linkOf(rawPathOf(c.req.url), c.env);
  const limited = link === null ? await limitAddress(c) : await limitUser(c.env, link.userId);
  if (limited !== null) return restated(limited);
  return link === null ? linkRefused() : serveLink(c.req.raw, link, filesContext(c));
}

function filesContext(c: AppContext): FilesContext {
  return { env: c.env, waitUntil: (work) => c.executionCtx.waitUntil(work) };
}

/** The path as sent, without decoding. */
function rawPathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  if (start === -1) return "/";
  const end = url.slice(start).search(/[?#]/);
  return end === -1 ? url.slice(start) : url.slice(start, start + end);
}
