// The official conformance runner against the endpoint code, with its fixtures in place of the product's tools, behind
// real sign-in. Judged is what the runner scores for each revision of the protocol; its extension "tasks" is not offered.
import { resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { unstable_readConfig } from "wrangler";
import { freshUser, login } from "../harness/login";
import { type Server, startServer } from "../harness/server";
import { complaints, requiredScenarios, runRequirements, runScenario } from "./runner";
import { startTokenProxy, type TokenProxy } from "./token-proxy";

const runTestMs = 150_000;

interface Database {
  readonly binding: string;
  readonly database_name?: string;
}

const config = "test/conformance/wrangler.toml";
let server: Server;
let proxy: TokenProxy;

beforeAll(async () => {
  server = await startServer({ config });
  proxy = await startTokenProxy(server.port);
  // Through the proxy, whose address then is the audience of the token.
  const { accessToken } = await login(proxy.url, { user: freshUser("conformance") });
  proxy.useToken(accessToken);
});

afterAll(async () => {
  await proxy?.stop();
  await server?.stop();
});

test.each([
  { revision: "2025-11-25", scored: 30, beyond: ["server-session-lifecycle", "json-schema-2020-12"] },
  { revision: "2026-07-28", scored: 37, beyond: ["http-header-validation", "json-schema-2020-12"] },
])(
  "MCP-001 MCP-002 the endpoint passes every server scenario that the runner scores for $revision",
  async ({ revision, scored, beyond }) => {
    const required = await requiredScenarios(revision);
    expect(required).toHaveLength(scored);

    const report = await runRequirements(`${proxy.url}/mcp`, revision);
    const passed = required.filter((scenario) => complaints(report, scenario).length === 0);
    console.info(`conformance ${revision}: ${passed.length} of ${required.length} server scenarios passed`);

    expect([...required, ...beyond].flatMap((scenario) => complaints(report, scenario))).toEqual([]);
    expect(passed).toEqual(required);
    expect(report.exitCode, report.output).toBe(0);
    // The runner is content with any 4xx, also with the 401 of a token that got lost.
    const rebinding = report.checks
      .get("dns-rebinding-protection")
      ?.find(({ id }) => id.endsWith("rebinding-rejected"));
    expect(rebinding?.details).toMatchObject({ statusCode: 403, body: { error: "invalid_host" } });
  },
  runTestMs,
);

test("the runner is not content without the token that the proxy adds", async () => {
  const report = await runScenario(`${server.url}/mcp`, "2025-11-25", "ping");
  expect(report.exitCode).toBe(1);
  expect(complaints(report, "ping").join()).toContain("Authorization is required");
});

test("the Worker of the fixtures has the settings of the product but for its name and entry", () => {
  const root = resolve(import.meta.dirname, "../..");
  const settingsOf = (file: string) => {
    const own = ["configPath", "userConfigPath", "topLevelName", "name", "main", "workers_dev", "observability"];
    const { d1_databases, ...rest } = unstable_readConfig({ config: resolve(root, file) });
    return {
      ...Object.fromEntries(Object.entries(rest).filter(([key]) => !own.includes(key))),
      databases: (d1_databases as Database[]).map(({ binding, database_name }) => ({ binding, database_name })),
    };
  };
  expect(settingsOf(config)).toEqual(settingsOf("wrangler.toml"));
});
