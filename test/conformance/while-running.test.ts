// What passes between server and client while a tool runs, beyond what the conformance runner looks at: which log lines
// are sent, progress, questions to the client, faults outside of tools. With the runner's fixtures, because few of the product's tools do these.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freshUser, login } from "../harness/login";
import { bearer, modernRequest, openSession, postMcp, rpc } from "../harness/raw-mcp";
import { type Server, startServer } from "../harness/server";

let server: Server;
let token: string;

beforeAll(async () => {
  server = await startServer({ config: "test/conformance/wrangler.toml" });
  token = (await login(server.url, { user: freshUser("running") })).accessToken;
});

afterAll(() => server?.stop());

/** The methods of the notifications in an event stream; none in a JSON answer. */
function notifications(text: string): string[] {
  return [...text.matchAll(/^data: (.*)$/gm)].flatMap((match) => {
    const { method } = JSON.parse(match[1] ?? "{}") as { method?: string };
    return method === undefined ? [] : [method];
  });
}

const threeLines = Array<string>(3).fill("notifications/message");

test("2025 era: the session's level decides which log lines are sent, also in a call that asks the user's object nothing", async () => {
  const session = await openSession(server.url, token);
  const linesAt = async (level: string) => {
    expect((await session.request("logging/setLevel", { level })).body.result).toEqual({});
    const answer = await session.request("tools/call", { name: "test_tool_with_logging" });
    expect(answer.body.result.content[0].text).toBe("Logged three lines at level info.");
    return notifications(answer.text);
  };
  expect(await linesAt("warning")).toEqual([]);
  expect(await linesAt("info")).toEqual(threeLines);
  expect(await linesAt("debug")).toEqual(threeLines);
  expect(await linesAt("emergency")).toEqual([]);
});

test.each([
  { level: undefined, lines: [] },
  { level: "warning", lines: [] },
  { level: "info", lines: threeLines },
])("2026 era: a request that names the log level $level gets the log lines from there on", async ({ level, lines }) => {
  const message = rpc("tools/call", {
    name: "test_tool_with_logging",
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
      ...(level === undefined ? {} : { "io.modelcontextprotocol/logLevel": level }),
    },
  });
  const answer = await postMcp(`${server.url}/mcp`, message, {
    ...bearer(token),
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": "test_tool_with_logging",
  });
  expect(answer.body.result.content[0].text).toBe("Logged three lines at level info.");
  expect(notifications(answer.text)).toEqual(lines);
});

async function connect(answer: (message: string) => Record<string, string>): Promise<Client> {
  const client = new Client({ name: "running", version: "1" }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => ({
    action: "accept",
    content: answer(params.message),
  }));
  const transport = new StreamableHTTPClientTransport(new URL("/mcp", server.url), {
    requestInit: { headers: bearer(token) },
  });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return client;
}

test("2025 era: calls that ask the client at the same time each get the answer to their own question", async () => {
  const client = await connect((message) => ({ username: `for ${message}`, email: "a@example.com" }));
  const questions = Array.from({ length: 8 }, (_, index) => `question ${index}`);
  const results = await Promise.all(
    questions.map((message) => client.callTool({ name: "test_elicitation", arguments: { message } })),
  );
  const answers = results.map((result) => JSON.stringify(result.content));
  expect(answers.map((text, index) => text.includes(`for question ${index}\\`))).toEqual(questions.map(() => true));
  await client.close();
});

test("2025 era: a tool that needs input in two rounds, as in the 2026 era, asks a client of the 2025 era instead", async () => {
  const asked: string[] = [];
  const client = await connect((message) => {
    asked.push(message);
    return message.includes("color") ? { color: "blue" } : { name: "Alice" };
  });
  const result = await client.callTool({ name: "test_input_required_result_multi_round" });
  expect(result.content).toEqual([{ type: "text", text: "The color is blue." }]);
  expect(asked).toEqual(["What is your name?", "What is your favorite color?"]);
  await client.close();
});

test("2025 era: progress is reported to the call that asked for it, before its result", async () => {
  const client = await connect(() => ({}));
  const reports: number[] = [];
  await client.callTool({ name: "test_tool_with_progress" }, undefined, {
    onprogress: ({ progress }) => reports.push(progress),
  });
  expect(reports).toEqual([0, 50, 100]);
  await client.close();
});

test.each(["2025", "2026"])(
  "%s era: a fault of ours outside of tools shows the client an id, and the log its cause",
  async (era) => {
    const params = { uri: "test://broken" };
    const { body } =
      era === "2025"
        ? await (await openSession(server.url, token)).request("resources/read", params)
        : await modernRequest(server.url, token, "resources/read", params);
    const id = /^Internal error (\S+)\. Try again\.$/.exec(body.error?.message ?? "")?.[1];
    expect(body.error).toEqual({ code: -32603, message: `Internal error ${id}. Try again.`, data: { id } });
    await expect
      .poll(server.log, { timeout: 10_000 })
      .toMatch(new RegExp(`${id}.*resources/read.*the cause of the fault`));
  },
);
