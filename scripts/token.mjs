// npm run token: prints one access token, and nothing else, on stdout, got from the running local server by the real OAuth flow.
import { parseArgs } from "node:util";
import { login, OAuthFlowError } from "./oauth-flow.mjs";
import { fail } from "./prepare.mjs";

const usage = 'usage: npm run token -- --user NAME [--scope "read:/ write:/notes/"] [--url http://127.0.0.1:8787]';

const options = readOptions();
const url = readUrl(options.url ?? `http://127.0.0.1:${process.env.PORT ?? 8787}`);

try {
  await (await fetch(new URL("/health", url))).arrayBuffer();
} catch {
  fail(`no server answers at ${url}. Start it with "npm start", or name another with --url.`);
}

try {
  const granted = await login(url, { user: options.user, scope: options.scope, clientName: "npm run token" });
  console.log(granted.accessToken);
  const missing = (options.scope ?? "")
    .split(/\s+/)
    .filter((scope) => scope && !granted.scope.split(" ").includes(scope));
  if (missing.length > 0) console.error(`holdfast: not granted: ${missing.join(" ")}. The token has: ${granted.scope}`);
} catch (error) {
  if (!(error instanceof OAuthFlowError)) throw error;
  const hint = error.step.startsWith("the field")
    ? " Does the server run with AUTH_MODE=local, as npm start runs it?"
    : "";
  fail(`no token: ${error.message}.${hint}`);
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: { user: { type: "string" }, scope: { type: "string" }, url: { type: "string" } },
    });
    // Left out it means everything; an empty variable of a script hardly does.
    if (values.scope?.trim() === "") fail(`--scope is empty. Leave it out for "read:/ write:/".\n${usage}`);
    if (values.user) return values;
  } catch (error) {
    fail(`${error.message}\n${usage}`);
  }
  return fail(`--user is missing.\n${usage}`);
}

/** Accepts the MCP URL as well as the origin. */
function readUrl(text) {
  if (!URL.canParse(text)) fail(`"${text}" is not a URL.\n${usage}`);
  return new URL(text).origin;
}
