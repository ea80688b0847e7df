import { AuthorizationError, CimdFetchError } from "@cloudflare/workers-oauth-provider";
import { type Context, Hono } from "hono";
import { cors } from "hono/cors";
import type { Env } from "../env";
import { limitAddress } from "../web/rate-limits";
import { decideConsent, finishSignIn, showConsent } from "./authorize";
import { authEnv } from "./kv";
import { errorPage } from "./layout";
import { authorizationServer, resourceOf, scopesOffered } from "./provider";
import { bodyTooLong, readLimited, serveTokenRequest, signInBodyMaxBytes } from "./token-endpoint";

type AuthContext = Context<{ Bindings: Env }>;

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
  // Behind `open`, so that a browser client may read the refusal.
  for (const path of ["/authorize", "/callback", "/oauth/*"]) {
    app.use(path, async (c, next) => (await limitAddress(c.req.raw, c.env)) ?? next());
  }

  app.get("/.well-known/oauth-protected-resource", resourceMetadata);
  app.get("/.well-known/oauth-protected-resource/mcp", resourceMetadata);
  app.all("/.well-known/oauth-authorization-server", byProvider);
  app.all("/oauth/register", registerClient);
  app.all("/oauth/token", (c) => serveTokenRequest(c.req.raw, c.env, contextOf(c), originOf(c)));

  app.get("/authorize", (c) => inBrowser("request", () => showConsent(c.req.raw, c.env, originOf(c))));
  app.post("/authorize", (c) => inBrowser("form", () => postConsent(c)));
  app.get("/callback", (c) => inBrowser("callback", () => finishSignIn(c.req.raw, c.env, originOf(c))));
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

/** Anyone may register, and what an app says of itself is kept for months: it has to be short. */
async function registerClient(c: AuthContext): Promise<Response> {
  const { method, url, headers } = c.req.raw;
  if (method !== "POST") return byProvider(c);
  const body = await readLimited(c.req.raw, signInBodyMaxBytes);
  if (body === null) return bodyTooLong();
  return authorizationServer(originOf(c)).fetch(
    new Request(url, { method, headers, body }),
    authEnv(c.env),
    contextOf(c),
  );
}

async function postConsent(c: AuthContext): Promise<Response> {
  const body = await readLimited(c.req.raw, signInBodyMaxBytes);
  if (body === null) return errorPage(413, "The form is too long", "What was sent is not a form of this server.");
  if (c.req.header("Content-Type")?.split(";")[0]?.trim().toLowerCase() !== formType) {
    return errorPage(400, "This is not a form", "What was sent is not a form of this server.");
  }
  const form = new FormData();
  for (const [name, value] of new URLSearchParams(body)) form.append(name, value);
  return decideConsent(c.req.raw, c.env, originOf(c), form);
}

/** What to tell the person when a step cannot go on and there is no address of the app that may be trusted with the news. */
const refusals = {
  request: {
    title: "This app cannot be connected",
    message:
      "This server does not know the app that sent you here, or the app wants access sent to an address that it has not registered. Nothing was allowed. Removing the connection in the app and adding it again often helps.",
  },
  form: {
    title: "This page is no longer valid",
    message:
      "It was used already, is more than 10 minutes old, or was opened in another browser. Nothing was allowed by this click. If your app says that it is connected, all is well.",
  },
  callback: {
    title: "This sign-in is no longer valid",
    message: "It was used already, took more than 10 minutes, or was started in another browser. Nothing was allowed.",
  },
} as const;

/** Failures of a browser's request: back to the app where its address is known to be right, else on a page here. */
async function inBrowser(step: keyof typeof refusals, work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AuthorizationError) {
      const { title, message } = refusals[step];
      if (!error.redirectTo) return errorPage(400, title, message, error.description);
      return new Response(null, { status: 302, headers: { Location: error.redirectTo, "Cache-Control": "no-store" } });
    }
    if (error instanceof CimdFetchError) {
      console.warn(JSON.stringify({ event: "client_metadata_failed", url: error.metadataUrl, reason: error.detail }));
      return errorPage(
        400,
        "This app could not be verified",
        "The app describes itself in a document on the internet, and that document could not be read. Nothing was allowed.",
      );
    }
    const id = crypto.randomUUID();
    console.error(JSON.stringify({ level: "error", id, step, cause: error instanceof Error ? error.stack : error }));
    return errorPage(500, "Something went wrong here", "The fault is on this server, not in your app.", id);
  }
}

function originOf(c: AuthContext): string {
  return new URL(c.req.url).origin;
}

/** Hono's type of it lacks what the platform added later. */
function contextOf(c: AuthContext): ExecutionContext {
  return c.executionCtx as ExecutionContext;
}
