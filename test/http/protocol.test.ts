// What MCP itself answers beside the tools: ping, unknown methods and tools, params that do not fit, resources and completions.
// The contents of list:// are tested with the text family, the scopes in test/scopes.
import { beforeAll, describe, expect, inject, it } from "vitest";
import { freshUser, login } from "../harness/login";
import { type Answer, modernRequest, openSession, type Session } from "../harness/raw-mcp";

const url = inject("url");
let token: string;
let session: Session;

type Request = (method: string, params?: object) => Promise<Answer>;

beforeAll(async () => {
  token = (await login(url, { user: freshUser("protocol") })).accessToken;
  session = await openSession(url, token);
  for (const path of ["/notes/a.md", "/notes/deep/b.md", "/notebook/c.md", "/my notes/d.md", "/readme.md"]) {
    const { body } = await session.request("tools/call", { name: "file.create", arguments: { path, content: "x" } });
    expect(body.result.isError ?? false).toBe(false);
  }
});

const eras: [string, Request][] = [
  ["2025-11-25", (method, params) => session.request(method, params)],
  ["2026-07-28", (method, params) => modernRequest(url, token, method, params)],
];

const pathOf = (value: string) => ({
  ref: { type: "ref/resource", uri: "list://{+path}" },
  argument: { name: "path", value },
});

describe.each(eras)("in %s", (_, request) => {
  it("gives structuredContent and the same JSON as the one text block, for success and for error", async () => {
    for (const args of [{}, { unknown: 1 }]) {
      const { body } = await request("tools/call", { name: "root.info", arguments: args });
      const { content, structuredContent, isError } = body.result;
      expect(content).toEqual([{ type: "text", text: JSON.stringify(structuredContent) }]);
      expect(isError ?? false).toBe("error" in structuredContent);
      expect("error" in structuredContent).toBe("unknown" in args);
    }
  });

  it("answers tools/list with a cursor that nobody gave out with -32602", async () => {
    const { body } = await request("tools/list", { cursor: "made-up" });
    expect(body.error).toMatchObject({ code: -32602, message: expect.stringContaining("cursor") });
  });

  it.each(["nothing", "root.infos", "__proto__", "constructor", ""])(
    'answers the unknown tool "%s" with -32602',
    async (name) => {
      const { body } = await request("tools/call", { name, arguments: {} });
      expect(body.error?.code).toBe(-32602);
      expect(body.result).toBeUndefined();
    },
  );

  it.each([
    ["tools/call", {}, "params.name"],
    ["tools/call", { name: "root.info", arguments: [1] }, "params.arguments"],
    ["tools/call", { name: "root.info", arguments: null }, "params.arguments"],
    ["resources/read", {}, "params.uri"],
    ["resources/read", { uri: 5 }, "params.uri"],
    ["completion/complete", { ref: { type: "ref/resource", uri: "list://{+path}" } }, "params.argument"],
  ])("answers %s with params that do not fit (%o) with -32602 and what does not: %s", async (method, params, where) => {
    const { body } = await request(method, params);
    expect(body.error?.code, JSON.stringify(body)).toBe(-32602);
    expect(body.error?.message).toMatch(
      new RegExp(`^The params do not fit ${method}\\. ${where}: Invalid input[^\\n{]*\\.$`),
    );
  });

  it("answers an unknown method with -32601", async () => {
    expect((await request("tools/delete", {})).body.error?.code).toBe(-32601);
  });

  it("MCP-020 lists the root as a resource and list:// as a template", async () => {
    const { resources } = (await request("resources/list", {})).body.result;
    expect(resources).toEqual([expect.objectContaining({ uri: "list://", mimeType: "application/json" })]);
    const { resourceTemplates } = (await request("resources/templates/list", {})).body.result;
    expect(resourceTemplates).toEqual([
      expect.objectContaining({ uriTemplate: "list://{+path}", mimeType: "application/json" }),
    ]);
  });

  it("MCP-020 reads list:// as it was asked for", async () => {
    const { contents } = (await request("resources/read", { uri: "list:///notes/./" })).body.result;
    expect(contents).toEqual([
      {
        uri: "list:///notes/./",
        mimeType: "application/json",
        text: '{"path":"/notes","entries":[{"name":"deep","type":"directory"},{"name":"a.md","type":"file"}],"total":2,"truncated":false}',
      },
    ]);
  });

  it.each([
    ["", ["my notes/", "notebook/", "notes/"]],
    ["note", ["notebook/", "notes/"]],
    ["notes/", ["notes/deep/"]],
    ["/no", ["/notebook/", "/notes/"]],
    ["notes/deep/", []],
    ["readme", []],
    ["absent/x", []],
    ["../", []],
    ["NOTES", []],
  ])('completes the path "%s" of list:// to directories', async (value, values) => {
    const { completion } = (await request("completion/complete", pathOf(value))).body.result;
    expect(completion).toEqual({ values, total: values.length, hasMore: false });
  });

  it("completes nothing for another argument or template", async () => {
    for (const params of [
      { ...pathOf(""), argument: { name: "other", value: "" } },
      { ...pathOf(""), ref: { type: "ref/resource", uri: "list://{other}" } },
    ]) {
      expect((await request("completion/complete", params)).body.result.completion.values).toEqual([]);
    }
  });
});

describe("in the 2025 era", () => {
  it.each([0, 7, -1, "a text", "", "holdfast-initialize"])("answers in the id of the request: %j", async (id) => {
    const { body } = await session.send({ jsonrpc: "2.0", id, method: "ping" });
    expect(body).toEqual({ jsonrpc: "2.0", id, result: {} });
  });

  it("answers ping", async () => {
    const { status, body } = await session.request("ping");
    expect({ status, result: body.result }).toEqual({ status: 200, result: {} });
  });

  it.each(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])("speaks %s when asked to", async (version) => {
    const client = await openSession(url, token, { protocolVersion: version });
    expect((await client.request("ping")).body.result).toEqual({});
  });

  it("accepts notifications and answers of the client with 202 and no body", async () => {
    for (const message of [
      { jsonrpc: "2.0", method: "notifications/roots/list_changed" },
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } },
      { jsonrpc: "2.0", id: "unasked", result: {} },
    ]) {
      const { status, text } = await session.send(message);
      expect({ status, text }).toEqual({ status: 202, text: "" });
    }
  });

  it("answers initialize with params that do not fit with -32602 and opens no session", async () => {
    const response = await fetch(`${url}/mcp`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json", accept: "application/json" },
      body: '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}',
    });
    expect((await response.json()) as unknown).toMatchObject({ id: 1, error: { code: -32602 } });
    expect(response.headers.has("mcp-session-id")).toBe(false);
  });
});

it.each(["GET", "DELETE"])("answers %s of 2026-07-28 with 405: that version has no sessions", async (method) => {
  const headers = { ...session.headers, "mcp-protocol-version": "2026-07-28", accept: "text/event-stream" };
  const response = await fetch(`${url}/mcp`, { method, headers });
  expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
  expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining("uses POST alone") } });
  expect((await session.request("ping")).status).toBe(200);
});
