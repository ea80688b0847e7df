// What every call needs (text.md §3.3, snapshot.md §3.4), and its refusal (§3.4): HTTP 403 in both eras, decided by the arguments alone.
// A new tool gets a row in needs.ts; the last test fails until it has one. What only a lookup shows is tested with the families.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EventStream } from "../harness/event-stream";
import { type Answer, answerOf, modernMessage, modernRequest, openSession } from "../harness/raw-mcp";
import { elsewhere, path, tools, uris } from "./needs";
import { type ScopedServer, startScopedServer } from "./scoped-server";

type Request = (method: string, params: object) => Promise<Answer>;

let server: ScopedServer;
beforeAll(async () => {
  server = await startScopedServer();
});
afterAll(() => server?.stop());

const eras: [string, (scope: string) => Promise<Request>][] = [
  ["2025-11-25", oncePerScope(async (scope) => (await openSession(server.url, await server.token(scope))).request)],
  [
    "2026-07-28",
    oncePerScope(async (scope) => {
      const token = await server.token(scope);
      return (method, params) => modernRequest(server.url, token, method, params);
    }),
  ],
];

function oncePerScope(connect: (scope: string) => Promise<Request>): (scope: string) => Promise<Request> {
  const connected = new Map<string, Promise<Request>>();
  return (scope) => {
    const request = connected.get(scope) ?? connect(scope);
    connected.set(scope, request);
    return request;
  };
}

/** The whole of text.md §3.4. */
function expectRefusal({ status, headers, body }: Answer, scope: string): void {
  expect(status).toBe(403);
  expect(headers.get("content-type")).toBe("application/json");
  expect(headers.get("www-authenticate")).toBe(
    `Bearer error="insufficient_scope", scope="${scope}", resource_metadata="${server.url}/.well-known/oauth-protected-resource/mcp"`,
  );
  expect(body).toEqual({
    jsonrpc: "2.0",
    id: expect.any(Number),
    error: {
      code: -32000,
      message: expect.stringMatching(/^This token may not .* Ask for the scope .* and authorize again\.$/),
      data: { error: "insufficient_scope", scope },
    },
  });
  expect(body.error?.message).toContain(`Ask for the scope ${scope}`);
}

/** The same path, for reading instead of writing and the other way round. */
function otherVerb(scope: string): string {
  return scope.startsWith("write:") ? scope.replace("write:", "read:") : scope.replace("read:", "write:");
}

describe.each(eras)("in %s", (_, connect) => {
  const call = async (scope: string, name: string, args: object) =>
    (await connect(scope))("tools/call", { name, arguments: args });

  it.each(tools.filter(([, , needs]) => needs !== "any"))(
    "MCP-051 AUTH-030 AUTH-031 AUTH-032 AUTH-039 %s %j needs %s, and is refused without it",
    async (name, args, needs, enough) => {
      expectRefusal(await call(elsewhere, name, args), needs);
      // The name with an underscore is no way around.
      expectRefusal(await call(elsewhere, name.replaceAll(".", "_"), args), needs);
      expect((await call(enough ?? needs, name, args)).status).toBe(200);
      if (enough !== undefined) return;
      const withOtherVerb = await call(`${elsewhere} ${otherVerb(needs)}`, name, args);
      if (needs.startsWith("write:")) expectRefusal(withOtherVerb, needs);
      else expect(withOtherVerb.status).toBe(200);
    },
  );

  it.each(tools.filter(([, , needs]) => needs === "any"))("%s %j names no path and needs none", async (name, args) => {
    expect((await call(elsewhere, name, args)).status).toBe(200);
  });

  it.each(uris)("MCP-051 AUTH-032 AUTH-040 resources/read of %s needs %s", async (uri, needs) => {
    expectRefusal(await (await connect(elsewhere))("resources/read", { uri }), needs);
    expect((await (await connect(needs))("resources/read", { uri })).status).toBe(200);
  });

  it.each(["list://../", "list://%zz", "http://work", "list:/work"])(
    "resources/read of %s, which is nothing of ours, is no matter of scope",
    async (uri) => {
      const { status, body } = await (await connect(elsewhere))("resources/read", { uri });
      expect({ status, code: body.error?.code }).toEqual({ status: 200, code: -32602 });
    },
  );

  it("MCP-051 gives the message of the specification, for writing and for listing", async () => {
    const request = await connect("read:/notes/");
    const write = await request("tools/call", { name: "file.create", arguments: { path: "notes/a.md", content: "" } });
    expect(write.body.error?.message).toBe(
      "This token may not write /notes/a.md. Ask for the scope write:/notes/a.md (or write:/notes/ for the whole directory) and authorize again.",
    );
    const list = await request("tools/call", { name: "file.list", arguments: { path: "/work/sub" } });
    expect(list.body.error?.message).toBe(
      "This token may not list /work/sub. Ask for the scope read:/work/sub/ and authorize again.",
    );
  });

  it("AUTH-030 completes no path that the token may not list, and refuses nobody for asking", async () => {
    const owner = await connect("read:/ write:/");
    for (const directory of ["/secret/inner", "/elsewhere/open"]) {
      await owner("tools/call", { name: "file.create", arguments: { path: `${directory}/a`, content: "" } });
    }
    const complete = async (request: Request, value: string) => {
      const { status, body } = await request("completion/complete", {
        ref: { type: "ref/resource", uri: "list://{+path}" },
        argument: { name: "path", value },
      });
      expect(status).toBe(200);
      return body.result.completion.values;
    };
    const request = await connect(elsewhere);
    expect(await complete(owner, "secret/")).toEqual(["secret/inner/"]);
    expect(await complete(request, "")).toEqual([]);
    expect(await complete(request, "secret/")).toEqual([]);
    expect(await complete(request, "elsewhere/../secret/")).toEqual([]);
    expect(await complete(request, "elsewhere/")).toEqual(["elsewhere/open/"]);
  });
});

describe("watching", () => {
  it.each(uris)("MCP-051 AUTH-032 resources/subscribe to %s needs %s (2025)", async (uri, needs) => {
    const [narrow, enough] = await Promise.all(
      [elsewhere, needs].map(async (scope) => openSession(server.url, await server.token(scope))),
    );
    const refused = await narrow?.request("resources/subscribe", { uri });
    expectRefusal(refused as Answer, needs);
    expect((await enough?.request("resources/subscribe", { uri }))?.body.result).toEqual({});
  });

  it.each(uris)("MCP-051 AUTH-032 subscriptions/listen to %s needs %s (2026)", async (uri, needs) => {
    const narrow = await server.token(elsewhere);
    for (const resourceSubscriptions of [[uri], ["list://elsewhere", uri], [uri, "list://elsewhere"]]) {
      const { message, headers } = modernMessage(narrow, "subscriptions/listen", {
        notifications: { resourceSubscriptions },
      });
      const response = await fetch(`${server.url}/mcp`, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json", accept: "application/json, text/event-stream" },
        body: JSON.stringify(message),
      });
      expectRefusal(await answerOf(response), needs);
    }
    const stream = await EventStream.listen(server.url, await server.token(needs), { resourceSubscriptions: [uri] });
    expect(stream.response.status).toBe(200);
    expect(stream.response.headers.get("content-type")).toContain("text/event-stream");
    stream.close();
  });

  it("is free where nothing is named", async () => {
    const stream = await EventStream.listen(server.url, await server.token(elsewhere), { resourcesListChanged: true });
    expect(stream.response.status).toBe(200);
    stream.close();
  });
});

describe("the order of checks", () => {
  it.each([
    ["an unknown tool", { name: "file.destroy", arguments: { path } }, undefined],
    ["an unknown argument", { name: "text.read", arguments: { path, more: 1 } }, "INVALID_ARGUMENT"],
    ["a path that leaves the root", { name: "text.read", arguments: { path: "/../x" } }, "INVALID_ARGUMENT"],
    ["a hash that is none", { name: "file.remove", arguments: { path, hash: "x" } }, "INVALID_ARGUMENT"],
  ])("finds %s before the scope", async (_, params, code) => {
    const { status, body } = await modernRequest(server.url, await server.token(elsewhere), "tools/call", params);
    expect(status).toBe(200);
    expect(body.result?.structuredContent.error.code).toBe(code);
  });

  it("MCP-051 AUTH-030 finds the scope before anything is looked up: what is there and what is not are refused alike", async () => {
    const owner = await server.token("write:/");
    await modernRequest(server.url, owner, "tools/call", {
      name: "file.create",
      arguments: { path: "/work/there.md", content: "x" },
    });
    const narrow = await server.token(elsewhere);
    for (const [name, args] of tools.filter(([, withPath]) => "path" in withPath)) {
      const told = new Set<string>();
      for (const target of ["/work/there.md", "/work/other.md"]) {
        // The snapshot family names paths without the leading slash.
        const given = /^(snapshot|workspace)\./.test(name) ? target.slice(1) : target;
        const answer = await modernRequest(server.url, narrow, "tools/call", {
          name,
          arguments: { ...args, path: given },
        });
        expect(answer.status, name).toBe(403);
        told.add(answer.text.replace(/"id":\d+/, "").replaceAll(target, "PATH"));
      }
      expect(told.size, name).toBe(1);
    }
  });
});

it("every tool of the server stands in the table", async () => {
  const { body } = await modernRequest(server.url, await server.token("read:/"), "tools/list");
  const listed = body.result.tools.map((tool: { name: string }) => tool.name);
  expect([...new Set(tools.map(([name]) => name))]).toEqual(listed);
});
