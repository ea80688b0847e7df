import { AuthorizationError, CimdFetchError } from "@cloudflare/workers-oauth-provider";
import { type Context, Hono } from "hono";
import { cors } from "hono/cors";
import type { Env } from "../env";
import { decideConsent, finishSignIn, showConsent } from "./authorize";
import { authEnv } from "./kv";
import { errorPage } from "./layout";
import { authorizationServer, resourceOf, scopesOffered } from "./provider";
import { readLimited, serveTokenRequest } from "./token-endpoint";

type AuthContext = Context<{ Bindings: Env }>;

const consentFormMaxBytes = 64 * 1024;
const formType = "application/x-www-form-urlencoded";

/** Everything a client or a browser needs to sign in. */
export function authRoutes(): Hono<{ Bindings: Env }> {
  const app = new Hono<{ Bindings: Env }>();
  // Browser clients come from anywhere; none of these answers depends on a cookie.
  const open = cors({
    origin: "*",
    allowMethods: ["GET", "HEAD", "POST", "OPTIONS"],
    exposeHeaders: ["WWW-Authenticate", "Retry-After"],
    maxAge: 86_400,
  });
  for (const path of ["/.well-known/*", "/oauth/token", "/oauth/register"]) app.use(path, open);

  app.get("/.well-known/oauth-protected-resource", resourceMetadata);
  app.get("/.well-known/oauth-protected-resource/mcp", resourceMetadata);
  app.all("/.well-known/oauth-authorization-server", byProvider);
  app.all("/oauth/register", byProvider);
  app.all("/oauth/token", (c) => serveTokenRequest(c.req.raw, c.env, contextOf(c), originOf(c)));

  app.get("/authorize", (c) => inBrowser(() => showConsent(c.req.raw, c.env, originOf(c))));
  app.post("/authorize", (c) => inBrowser(() => postConsent(c)));
  app.get("/callback", (c) => inBrowser(() => finishSignIn(c.req.raw, c.env, originOf(c))));
  return app;
}

function resourceMetadata(c: AuthContext): Response {
  const origin = originOf(c);
  return c.json({
    resource: resourceOf(origin),
    authorization_servers: [origin],
    scopes_supported: scopesOffered,
    bearer_methods_supported: ["header"],
    resource_name: "Holdfast",
  });
}

async function byProvider(c: AuthContext): Promise<Response> {
  return authorizationServer(originOf(c)).fetch(c.req.raw, authEnv(c.env), contextOf(c));
}

async function postConsent(c: AuthContext): Promise<Response> {
  const body = await readLimited(c.req.raw, consentFormMaxBytes);
  if (body === null) return errorPage(413, "The form is too long", "What was sent is not a form of this server.");
  if (c.req.header("Content-Type")?.split(";")[0]?.trim().toLowerCase() !== formType) {
    return errorPage(400, "This is not a form", "What was sent is not a form of this server.");
  }
  const form = new FormData();
  for (const [name, value] of new URLSearchParams(body)) form.append(name, value);
  return decideConsent(c.req.raw, c.env, originOf(c), form);
}

/** Failures of a browser's request: back to the app where its address is known to be right, else on a page here. */
async function inBrowser(work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AuthorizationError) {
      if (!error.redirectTo) return errorPage(400, "This authorization cannot go on", error.description);
      return new Response(null, { status: 302, headers: { Location: error.redirectTo, "Cache-Control": "no-store" } });
    }
    if (error instanceof CimdFetchError) {
      console.warn(JSON.stringify({ event: "client_metadata_failed", url: error.metadataUrl, reason: error.detail }));
      return errorPage(400, "This app could not be verified", "The document that describes the app could not be read.");
    }
    throw error;
  }
}

function originOf(c: AuthContext): string {
  return new URL(c.req.url).origin;
}

/** Hono's type of it lacks what the platform added later. */
function contextOf(c: AuthContext): ExecutionContext {
  return c.executionCtx as ExecutionContext;
}
