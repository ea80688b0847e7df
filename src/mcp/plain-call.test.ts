// Which messages are plain calls, and that only those whose like was accepted before skip the SDK. Not that the answers are the
// same either way: test/http/direct-lane.test.ts.
import { describe, expect, it } from "vitest";
import { acceptEnvelope, directCallOf } from "./direct-lane";
import { plainCallOf } from "./plain-call";
import { product } from "./product";

const meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };
const plain = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "text.read", arguments: { path: "/a" } } };

describe("a plain call", () => {
  it.each([
    ["a call", plain, undefined],
    ["a call of the 2026 era", { ...plain, params: { ...plain.params, _meta: meta } }, meta],
    ["a call with a text for its id", { ...plain, id: "a" }, undefined],
    ["a call without arguments", { ...plain, params: { name: "text.read" } }, undefined],
  ])("is %s", (_, body, expected) => {
    expect(plainCallOf(body)).toMatchObject({ id: body.id, name: "text.read" });
    expect(plainCallOf(body)?.meta).toEqual(expected);
  });

  it.each([
    ["a notification", { jsonrpc: "2.0", method: "tools/call", params: plain.params }],
    ["another method", { ...plain, method: "tools/list" }],
    ["another version of JSON-RPC", { ...plain, jsonrpc: "1.0" }],
    ["a batch", [plain]],
    ["nothing", null],
    ["an id that is no integer", { ...plain, id: 1.5 }],
    ["a null id", { ...plain, id: null }],
    ["a member that is not known", { ...plain, extra: 1 }],
    ["a member named as the prototype", JSON.parse('{"__proto__":{},"jsonrpc":"2.0","id":1,"method":"tools/call"}')],
    ["a call without params", { jsonrpc: "2.0", id: 1, method: "tools/call" }],
    ["arguments that are a list", { ...plain, params: { name: "text.read", arguments: [] } }],
    ["a name that is a number", { ...plain, params: { name: 7 } }],
    ["a task", { ...plain, params: { ...plain.params, task: {} } }],
    ["the state of an earlier request", { ...plain, params: { ...plain.params, requestState: "x" } }],
    ["a wish for progress", { ...plain, params: { ...plain.params, _meta: { progressToken: 1 } } }],
    ["an envelope that is no object", { ...plain, params: { ...plain.params, _meta: [] } }],
  ])("is not %s", (_, body) => {
    expect(plainCallOf(body)).toBeNull();
  });
});

describe("a call skips the SDK", () => {
  const caller = {
    families: product.tools.families,
    principal: { userId: "u", clientId: "c" } as never,
    sessionId: undefined,
  };
  const body = { ...plain, params: { ...plain.params, _meta: meta } };
  const request = (headers: Record<string, string>) => new Request("http://127.0.0.1/mcp", { method: "POST", headers });
  const headers = { "mcp-method": "tools/call", "mcp-name": "text.read", "mcp-protocol-version": "2026-07-28" };

  it("only after the SDK has accepted the same envelope, for whatever tool", () => {
    expect(directCallOf(request(headers), body, product, caller)).toBeNull();
    acceptEnvelope(request(headers), body);
    expect(directCallOf(request(headers), body, product, caller)).toMatchObject({ era: "2026" });
    const other = { ...body, params: { ...body.params, name: "file.list" } };
    expect(directCallOf(request({ ...headers, "mcp-name": "file.list" }), other, product, caller)).not.toBeNull();
    expect(directCallOf(request({ ...headers, "mcp-name": "file.list" }), body, product, caller)).toBeNull();
    expect(directCallOf(request({ ...headers, accept: "text/html" }), body, product, caller)).toBeNull();
  });

  it("of the 2025 era only in a session that this isolate knows", () => {
    expect(directCallOf(request({}), plain, product, caller)).toBeNull();
    expect(directCallOf(request({}), plain, product, { ...caller, sessionId: "unseen" })).toBeNull();
  });

  it("only to a tool that is offered", () => {
    acceptEnvelope(request(headers), body);
    expect(directCallOf(request(headers), body, product, { ...caller, families: new Set() })).toBeNull();
  });
});
