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
import { hostCheck, isOurHost } from "./web/host-check";
import { limitAddress, limitUser } from "./web/rate-limits";
import { type RequestUrl, requestUrl } from "./web/request-url";
import { jsonAnswerHeaders, securityHeaders, withSecurityHeaders } from "./web/security-headers";

type AppContext = Context<{ Bindings: Env }>;

/** The whole HTTP surface around one catalog of tools. */
export function createApp(catalog: Catalog) {
  const routes = createRoutes(catalog);
  return {
    fetch(request: Request, env: Env, executionContext: ExecutionContext): Response | Promise<Response> {
      const url = requestUrl(request.url);
      return isCall(request, url) && isOurHost(request, url, env)
        ? call(request, url, env, catalog)
        : routes.fetch(request, env, executionContext);
    },
  } satisfies ExportedHandler<Env>;
}

/** What agents send all day, from no browser. The way through the routes would take a tenth of its time. */
function isCall(request: Request, { rawPath }: RequestUrl): boolean {
  return request.method === "POST" && rawPath === "/mcp" && !request.headers.has("origin");
}

async function call(request: Request, url: RequestUrl, env: Env, catalog: Catalog): Promise<Response> {
  const answer = await mcp(request, url, env, catalog).catch((error: Error) => failed(error, url));
  return withSecurityHeaders(answer, url);
}

function createRoutes(catalog: Catalog): Hono<{ Bindings: Env }> {
  // Strict: `/mcp/` is not `/mcp`; the raw path decides, so an encoded one never reaches a protected handler.
  const app = new Hono<{ Bindings: Env }>({ strict: true, getPath: (request) => requestUrl(request.url).rawPath });
  app.use(securityHeaders());
  app.use(hostCheck());

  app.get("/health", (c) => c.json({ status: "ok", version }));
  app.get("/", (c) => {
    const nonce = crypto.randomUUID();
    c.header("Content-Security-Policy", homePolicy(nonce));
    return c.html(homePage(requestUrl(c.req.url).origin, nonce, version));
  });

  app.all("/mcp", crossOrigin(["POST", "GET", "DELETE"]), (c) => mcp(c.req.raw, requestUrl(c.req.url), c.env, catalog));

  app.all("/files/*", crossOrigin(fileMethods, forbidden), async (c, next) => {
    if (requestUrl(c.req.url).rawPath === "/files") return next();
    return afterBody(c.req.raw, await files(c));
  });
  app.all("/links/*", async (c) => afterBody(c.req.raw, await links(c)));

  app.route("/", authRoutes());

  app.notFound((c) => c.json({ error: "not_found", message: "Nothing is here. The MCP endpoint is /mcp." }, 404));
  app.onError((error, c) => failed(error, requestUrl(c.req.url)));
  return app;
}

function failed(error: Error, { pathname }: RequestUrl): Response {
  const id = crypto.randomUUID();
  const cause = error.stack ?? error.message;
  console.error(JSON.stringify({ level: "error", id, path: pathname, cause }));
  return Response.json({ error: "internal", message: `Internal error ${id}. Try again.` }, { status: 500 });
}

async function mcp(request: Request, url: RequestUrl, env: Env, catalog: Catalog): Promise<Response> {
  const { origin } = url;
  const identity = await authenticate(request, env, origin);
  if (!identity.ok) return (await limitAddress(request, env)) ?? unauthorized(origin, identity.error);
  const limited = await limitUser(env, identity.value.userId);
  if (limited !== null) return limited;
  return serveMcp(request, url, env, identity.value, catalog, {
    headers: jsonAnswerHeaders(url.protocol === "https:"),
    onRevoked: () => unauthorized(origin, { code: "token_revoked" }),
  });
}

async function files(c: AppContext): Promise<Response> {
  const { origin, rawPath } = requestUrl(c.req.url);
  const identity = await authenticate(c.req.raw, c.env, origin);
  if (!identity.ok) return restated((await limitAddress(c.req.raw, c.env)) ?? unauthorized(origin, identity.error));
  const limited = await limitUser(c.env, identity.value.userId);
  if (limited !== null) return restated(limited);
  return serveFiles(c.req.raw, rawPath, identity.value, filesContext(c), () =>
    restated(unauthorized(origin, { code: "token_revoked" })),
  );
}

async function links(c: AppContext): Promise<Response> {
  const link = await linkOf(requestUrl(c.req.url).rawPath, c.env);
  const limited = link === null ? await limitAddress(c.req.raw, c.env) : await limitUser(c.env, link.userId);
  if (limited !== null) return restated(limited);
  return link === null ? linkRefused() : serveLink(c.req.raw, link, filesContext(c));
}

function filesContext(c: AppContext): FilesContext {
  return { env: c.env, waitUntil: (work) => c.executionCtx.waitUntil(work) };
}
