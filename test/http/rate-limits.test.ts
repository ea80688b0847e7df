// 429 with Retry-After, by user and by address: the product with limits so small that a test reaches them.
// More requests are sent than two periods allow, so that the test does not depend on when a period begins.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freshUser, login } from "../harness/login";
import { modernRequest, postMcp, rpc } from "../harness/raw-mcp";
import { type Server, startServer } from "../harness/server";

const projectDir = resolve(import.meta.dirname, "../..");
const userLimit = 8;
const addressLimit = 60;
let folder: string;
let server: Server;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdfast-limits-"));
  const config = await readFile(join(projectDir, "wrangler.toml"), "utf8");
  const path = join(folder, "wrangler.toml");
  await writeFile(
    path,
    config
      .replace('main = "src', `main = "${projectDir}/src`)
      .replace('migrations_dir = "', `migrations_dir = "${projectDir}/`)
      .replace("limit = 60000,", `limit = ${userLimit},`)
      .replace("limit = 6000,", `limit = ${addressLimit},`),
  );
  server = await startServer({ config: path });
});

afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function statuses(count: number, send: () => Promise<{ status: number; headers: Headers; text: string }>) {
  const answers = [];
  for (let sent = 0; sent < count; sent += 1) answers.push(await send());
  return answers;
}

it("answers a user who calls too often with 429 and when to try again, whatever the token; other users go on", async () => {
  const user = freshUser("busy");
  const [first, second] = [await login(server.url, { user }), await login(server.url, { user })];
  const calm = await login(server.url, { user: freshUser("calm") });
  const answers = await statuses(2 * userLimit + 1, () => modernRequest(server.url, first.accessToken, "tools/list"));
  const refused = answers.filter(({ status }) => status !== 200);
  expect(answers[0]?.status).toBe(200);
  expect(refused.length).toBeGreaterThan(0);
  for (const { status, headers, text } of refused) {
    expect(status).toBe(429);
    expect(headers.get("retry-after")).toBe("60");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(JSON.parse(text)).toEqual({
      jsonrpc: "2.0",
      id: null,
      error: { code: -32000, message: "This user has sent too many requests. Try again in a minute." },
    });
  }
  const others = await statuses(2 * userLimit + 1, () => modernRequest(server.url, second.accessToken, "tools/list"));
  expect(others.some(({ status }) => status === 429)).toBe(true);
  expect((await modernRequest(server.url, calm.accessToken, "tools/list")).status).toBe(200);
});

it("answers an address that calls without a valid token too often with 429, also at sign-in; who has a token goes on", async () => {
  const { accessToken } = await login(server.url, { user: freshUser("calm") });
  const answers = await statuses(2 * addressLimit + 1, () =>
    postMcp(`${server.url}/mcp`, rpc("ping"), { authorization: "Bearer garbage" }),
  );
  const refused = answers.filter(({ status }) => status !== 401);
  expect(refused.length).toBeGreaterThan(0);
  for (const { status, headers, text } of refused) {
    expect(status).toBe(429);
    expect(headers.get("retry-after")).toBe("60");
    expect(JSON.parse(text).error.message).toBe("This address has sent too many requests. Try again in a minute.");
  }
  for (const path of ["/oauth/token", "/oauth/register", "/authorize"]) {
    const tried = [];
    for (let sent = 0; sent < 2 * addressLimit + 1; sent += 1) {
      const response = await fetch(`${server.url}${path}`, { method: "POST" });
      await response.body?.cancel();
      tried.push(response.status);
      // A page must be able to read why it was refused.
      if (path !== "/authorize") expect(response.headers.get("access-control-allow-origin")).toBe("*");
    }
    expect(tried, path).toContain(429);
  }
  expect((await fetch(`${server.url}/health`)).status).toBe(200);
  expect((await modernRequest(server.url, accessToken, "tools/list")).status).toBe(200);
});
