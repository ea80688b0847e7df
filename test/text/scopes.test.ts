// Which scope each tool of the family needs (text.md §3.3), and the refusal of one that lacks it (§3.4): HTTP 403, the same whether or not anything is there.
import { beforeAll, describe, expect, it } from "vitest";
import { eras, TextRoot, type TextTool } from "./text-root";

const hash = "0".repeat(64);
const reading: [TextTool, object][] = [
  ["text.read", {}],
  ["text.read", { lines: [1, 2] }],
];
const writing: [TextTool, object][] = [
  ["file.create", { content: "x" }],
  ["file.remove", { hash }],
  ["text.append", { hash, content: "x" }],
  ["text.insert", { hash, line: 1, anchor: "a", content: "x" }],
  ["text.replace", { hash, lines: [1, 0], old: "a", new: "x" }],
];

let owner: TextRoot;
beforeAll(async () => {
  owner = await TextRoot.signIn();
  for (const path of ["/work/a.md", "/work/sub/b.md", "/workfiles/a.md", "/notes/a.md", '/odd/%*" é.md']) {
    await owner.create(path, "a\n");
  }
});

const withScope = (scope: string, era = eras[0] as (typeof eras)[number]) =>
  TextRoot.signIn({ user: owner.user, scope, era });

describe.each(eras)("the refusal in %s", (era) => {
  it("MCP-051 MCP-052 AUTH-030 is a 403 that names what was asked and the scope to ask for", async () => {
    const root = await withScope("read:/notes/", era);
    const { status, headers, body } = await root.call("text.append", { path: "notes/a.md", hash, content: "x" });
    expect(status).toBe(403);
    expect(headers.get("www-authenticate")).toBe(
      `Bearer error="insufficient_scope", scope="write:/notes/a.md", resource_metadata="${root.url}/.well-known/oauth-protected-resource/mcp"`,
    );
    expect(body).toEqual({
      jsonrpc: "2.0",
      id: expect.any(Number),
      error: {
        code: -32000,
        message:
          "This token may not write /notes/a.md. Ask for the scope write:/notes/a.md (or write:/notes/ for the whole directory) and authorize again.",
        data: { error: "insufficient_scope", scope: "write:/notes/a.md" },
      },
    });
  });

  it("MCP-051 names the directory form for a listing, and encodes what a header cannot hold", async () => {
    const root = await withScope("read:/notes/", era);
    const listed = await root.call("file.list", { path: "/work/sub" });
    expect(listed.body.error?.data).toEqual({ error: "insufficient_scope", scope: "read:/work/sub/" });
    const resource = await root.request("resources/read", { uri: "list://work/sub" });
    expect(resource.status).toBe(403);
    expect(resource.body.error?.data).toEqual({ error: "insufficient_scope", scope: "read:/work/sub/" });
    const odd = await root.call("text.read", { path: '/odd/%*" é.md' });
    expect(odd.headers.get("www-authenticate")).toContain('scope="read:/odd/%25%2A%22%20%C3%A9.md"');
  });

  it("MCP-051 AUTH-030 is the same for what is there and what is not", async () => {
    const root = await withScope("read:/notes/", era);
    for (const [tool, args] of [...reading, ...writing]) {
      const [present, absent] = await Promise.all(
        ["/work/a.md", "/work/z.md"].map(async (path) => {
          const { status, headers, body } = await root.call(tool, { path, ...args });
          const { id: _, ...rest } = body;
          const told = JSON.stringify({ status, challenge: headers.get("www-authenticate"), rest });
          return told.replaceAll(path, "PATH");
        }),
      );
      expect(JSON.parse(present ?? "{}").status).toBe(403);
      expect(present).toBe(absent);
    }
  });
});

describe("what each tool needs", () => {
  it.each(writing)("AUTH-031 %s needs write on the path", async (tool, args) => {
    const [reader, writer] = await Promise.all([withScope("read:/"), withScope("write:/work/new.md")]);
    expect((await reader.call(tool, { path: "/work/new.md", ...args })).status).toBe(403);
    expect((await writer.call(tool, { path: "/work/other.md", ...args })).status).toBe(403);
    expect((await writer.call(tool, { path: "/work/new.md", ...args })).status).toBe(200);
  });

  it.each(reading)("AUTH-032 AUTH-039 %s %j needs read on the path, which write includes", async (tool, args) => {
    const [reader, writer, other] = await Promise.all([
      withScope("read:/work/a.md"),
      withScope("write:/work/a.md"),
      withScope("read:/work/b.md write:/notes/"),
    ]);
    const statuses = [];
    for (const root of [reader, writer, other])
      statuses.push((await root.call(tool, { path: "/work/a.md", ...args })).status);
    expect(statuses).toEqual([200, 200, 403]);
  });

  it.each([
    ["read:/", ["/", "/work", "/work/sub", "/workfiles"]],
    ["read:/work/", ["/work", "/work/sub"]],
    ["read:/work", ["/work", "/work/sub"]],
    ["read:/work/*", ["/work"]],
    ["read:/*", ["/"]],
    ["read:/work/a.md", []],
    ["read:/Work/", []],
  ])(
    "AUTH-020 AUTH-021 AUTH-022 AUTH-023 AUTH-034 AUTH-035 AUTH-036 AUTH-038 %s lists %j of /, /work, /work/sub and /workfiles",
    async (scope, allowed) => {
      const root = await withScope(scope);
      const listed: string[] = [];
      for (const path of ["/", "/work", "/work/sub", "/workfiles"]) {
        const tool = (await root.call("file.list", { path })).status;
        const resource = (await root.request("resources/read", { uri: `list:/${path}` })).status;
        expect(resource).toBe(tool);
        if (tool === 200) listed.push(path);
      }
      expect(listed).toEqual(allowed);
    },
  );

  it.each([
    ["read:/work/*", ["/work/a.md"]],
    ["read:/work/", ["/work/a.md", "/work/sub/b.md"]],
    ["read:/work/sub/b.md", ["/work/sub/b.md"]],
    ["write:/work/sub", ["/work/sub/b.md"]],
  ])("AUTH-034 AUTH-035 AUTH-037 %s reads %j", async (scope, allowed) => {
    const root = await withScope(scope);
    const read: string[] = [];
    for (const path of ["/work/a.md", "/work/sub/b.md", "/workfiles/a.md", "/notes/a.md"]) {
      if ((await root.call("text.read", { path })).status === 200) read.push(path);
    }
    expect(read).toEqual(allowed);
  });

  it("AUTH-031 AUTH-037 makes missing parents without a scope of their own", async () => {
    const root = await withScope("write:/fresh/deep/down/file.md");
    await root.create("/fresh/deep/down/file.md", "x\n");
    expect((await root.call("file.list", { path: "/fresh" })).status).toBe(403);
  });

  it("MCP-026 AUTH-040 AUTH-041 decides by the normalized path", async () => {
    const root = await withScope("read:/notes/");
    expect((await root.call("text.read", { path: "/notes/../work/a.md" })).status).toBe(403);
    expect((await root.call("text.read", { path: "/work/../notes//./a.md" })).status).toBe(200);
    expect(
      (await root.call("text.read", { path: "/notes/%2e%2e/work/a.md" })).body.result.structuredContent.error.code,
    ).toBe("NOT_FOUND");
  });
});
