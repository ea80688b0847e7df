// Plain tool calls are answered without a server object of the SDK. Here each is sent so that it goes both ways, and the
// answers must not differ in a byte. Which calls are plain: src/mcp/plain-call.test.ts.
import { beforeAll, describe, expect, inject, it } from "vitest";
import { freshUser, login } from "../harness/login";
import { type Answer, modernMessage, openSession, postMcp } from "../harness/raw-mcp";

const calls: [what: string, name: string, args: object | undefined][] = [
  ["a result", "text.read", { path: "/notes/a.md" }],
  ["a result of the underscored name", "text_read", { path: "/notes/a.md", lines: [1, 2] }],
  ["an expected failure", "text.read", { path: "/notes/absent.md" }],
  ["a wrong argument", "text.read", { path: 7 }],
  ["an unknown argument", "text.read", { path: "/a", colour: "red" }],
  ["no arguments", "root.info", undefined],
  ["a tool with an envelope of its own", "context.list_caches", {}],
  ["a failure with a hint beside it", "context.resolve", { cache: "none", query: "x", budget: 10 }],
  ["a tool that reports progress when asked", "zipfs_open", { path: "/absent.zip" }],
  ["a path out of scope", "text.read", { path: "/other/a.md" }],
  ["a tool that does not exist", "text.reed", { path: "/a" }],
];

let url: string;
let token: string;
beforeAll(async () => {
  url = inject("url");
  const user = freshUser("direct");
  const wide = await openSession(url, (await login(url, { user })).accessToken);
  const file = { path: "/notes/a.md", content: '\ufeffUnicode: \u2028 \u{1f600} "quoted" \\ \t\n</script>\n' };
  expect((await wide.request("tools/call", { name: "file.create", arguments: file })).status).toBe(200);
  token = (await login(url, { user, scope: "write:/notes/ read:/caches/" })).accessToken;
});

/** All that a client can see, but for the moment. */
function visible({ status, headers, text }: Answer): unknown {
  const shown = [...headers].filter(([name]) => name !== "date");
  return { status, headers: shown, text };
}

const versions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

describe.each(versions)("a plain call of %s", (protocolVersion) => {
  it.each(calls)("MCP-005 with %s is answered as the SDK answers it", async (_, name, args) => {
    const session = await openSession(url, token, { protocolVersion });
    const message = (more: object) => ({
      jsonrpc: "2.0",
      id: "one",
      method: "tools/call",
      params: { name, ...(args && { arguments: args }), ...more },
    });
    const bySdk = await session.send(message({ _meta: {} }));
    expect(visible(await session.send(message({})))).toEqual(visible(bySdk));
  });
});

describe("a plain call of 2026-07-28", () => {
  it.each(calls)("MCP-005 with %s is answered as the SDK answers it", async (what, name, args) => {
    const { message, headers } = modernMessage(token, "tools/call", { name, ...(args && { arguments: args }) }, what);
    // The first call of a client is the SDK's to judge.
    const answers = [];
    for (let n = 0; n < 3; n++) answers.push(visible(await postMcp(`${url}/mcp`, message, headers)));
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  it("is judged by the SDK again when anything of its envelope is another", async () => {
    const good = modernMessage(token, "tools/call", { name: "root.info" }, "envelopes");
    expect((await postMcp(`${url}/mcp`, good.message, good.headers)).status).toBe(200);
    const { "mcp-method": _, ...noMethod } = good.headers;
    const wrong: Record<string, string>[] = [
      { ...good.headers, "mcp-name": "text.read" },
      { ...good.headers, "mcp-method": "tools/list" },
      { ...good.headers, "mcp-protocol-version": "2025-11-25" },
      noMethod,
    ];
    for (const headers of wrong) expect((await postMcp(`${url}/mcp`, good.message, headers)).status).toBe(400);
    const meta = { ...(good.message.params as { _meta: object })._meta, "io.modelcontextprotocol/clientInfo": 7 };
    const bent = { ...good.message, params: { name: "root.info", _meta: meta } };
    expect((await postMcp(`${url}/mcp`, bent, good.headers)).status).toBe(400);
  });
});
