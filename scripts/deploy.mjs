// npm run deploy: uploads the Worker to Cloudflare and brings the database up to date.
// The bucket, the database and the Durable Objects are created by the first deployment.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fail, finished, prepare, projectDir, say, wrangler } from "./prepare.mjs";

prepare();
await assertLoggedIn();
explainSignIn();

say("deploying the Worker …");
await run(["deploy"], "the deployment failed; wrangler's own message is above.");
say("applying database migrations …");
await run(
  ["d1", "migrations", "apply", "MANIFESTS", "--remote"],
  'the Worker is deployed, but the migrations failed; wrangler\'s own message is above. "npm run deploy" may be repeated at any time.',
);
say("deployed.");

async function assertLoggedIn() {
  const { code, output } = await finished(wrangler(["whoami"], { stdio: ["ignore", "pipe", "pipe"] }));
  if (code === 0 && !/not authenticated/i.test(output)) return;
  fail(
    'not logged in to Cloudflare. Run "npx wrangler login", or set CLOUDFLARE_API_TOKEN (and CLOUDFLARE_ACCOUNT_ID), then try again.',
  );
}

/** Without an identity provider the deployed server lets nobody in; better said before than found out after. */
function explainSignIn() {
  const config = readFileSync(join(projectDir, "wrangler.toml"), "utf8");
  const missing = ["OIDC_ISSUER", "OIDC_CLIENT_ID"].filter(
    (name) => !new RegExp(`^\\s*${name}\\s*=`, "m").test(config),
  );
  if (missing.length === 0) return;
  say(`${missing.join(" and ")} not set in wrangler.toml. Users sign in at your OpenID provider, which needs:
  [vars] in wrangler.toml     OIDC_ISSUER = "https://…", OIDC_CLIENT_ID = "…", PUBLIC_URL = "https://…"
  npx wrangler secret put     OIDC_CLIENT_SECRET
  at the provider             the redirect URI <PUBLIC_URL>/callback
Until then (or unless set in the dashboard) nobody can sign in. README.md, "Deploy", tells more.`);
  if (existsSync(join(projectDir, ".dev.vars"))) say(".dev.vars is for local use and is not deployed.");
}

async function run(args, message) {
  const { code } = await finished(wrangler(args, { stdio: ["inherit", "inherit", "inherit"] }));
  if (code !== 0) fail(message);
}
