// The resource list:// (text.md §5): how it is listed, every form of its URI, what it answers and its errors, in both eras. Its events are in test/subscriptions.
import { beforeAll, describe, expect, it } from "vitest";
import { eras, TextRoot } from "./text-root";

describe.each(eras)("list:// in %s", (era) => {
  let root: TextRoot;
  const read = (uri: string) => root.request("resources/read", { uri });
  const textOf = async (uri: string): Promise<string> => {
    const { status, body, text } = await read(uri);
    expect(status, text).toBe(200);
    expect(body.result.contents).toEqual([{ uri, mimeType: "application/json", text: expect.any(String) }]);
    return body.result.contents[0].text;
  };

  beforeAll(async () => {
    root = await TextRoot.signIn({ era });
    for (const path of ["notes/sub/x", "notes/a.md", "notes/.env", "work/w", "my notes/x", "Notes/n", "é/x", "a@b/c/x"])
      await root.create(path, path);
    for (const path of ["q?x/y#z/f", "%41/f", "100%/f", "a/b/c/d/f", "～/f", "e\u0301/f", "😀/f"]) {
      await root.create(path, path);
    }
  });

  it("MCP-001 MCP-020 stands in resources/list as the root and in resources/templates/list with its path", async () => {
    const { resources } = (await root.request("resources/list", {})).body.result;
    expect(resources).toHaveLength(1);
    expect(resources[0]).toMatchObject({ uri: "list://", mimeType: "application/json" });
    const { resourceTemplates } = (await root.request("resources/templates/list", {})).body.result;
    expect(resourceTemplates).toHaveLength(1);
    expect(resourceTemplates[0]).toMatchObject({ uriTemplate: "list://{+path}", mimeType: "application/json" });
  });

  it("MCP-020 MCP-021 gives the immediate children as compact JSON, dotfiles too", async () => {
    expect(await textOf("list://notes")).toBe(
      '{"path":"/notes","entries":[{"name":"sub","type":"directory"},{"name":".env","type":"file"},{"name":"a.md","type":"file"}],"total":3,"truncated":false}',
    );
  });

  it.each([
    ["list://", "/"],
    ["list:///", "/"],
    ["list:////", "/"],
    ["list://.", "/"],
    ["list://notes/..", "/"],
    ["list://notes", "/notes"],
    ["list://notes/", "/notes"],
    ["list:///notes", "/notes"],
    ["list:///notes/", "/notes"],
    ["list://notes//sub/.", "/notes/sub"],
    ["list://notes/../work/", "/work"],
    ["list://notes/%2e%2e/work", "/work"],
    ["list://%6eotes", "/notes"],
    ["list://notes%2Fsub", "/notes/sub"],
    ["list://my%20notes", "/my notes"],
    ["list://my notes", "/my notes"],
    ["list://Notes", "/Notes"],
    ["list://é", "/é"],
    ["list://%C3%A9", "/é"],
    ["list://e%CC%81", "/e\u0301"],
    ["list://a@b/c", "/a@b/c"],
    ["list://q?x/y#z", "/q?x/y#z"],
    ["list://%2541", "/%41"],
    ["list://100%25", "/100%"],
    ["list://a/b/c/d", "/a/b/c/d"],
    ["list://～", "/～"],
    ["list://%F0%9F%98%80", "/😀"],
    ["list://😀", "/😀"],
  ])("MCP-020 MCP-025 MCP-026 reads %j as %s and gives the URI back as it was sent", async (uri, path) => {
    const text = await textOf(uri);
    expect(JSON.parse(text).path).toBe(path);
    expect(text).toBe(JSON.stringify(await root.ok("file.list", { path, limit: 10_000 })));
  });

  it.each([
    "list://absent",
    "list:///notes/absent/",
    "list://A",
    "list://notes/A.md/x",
    "file:///notes",
    "LIST://notes",
    "list:/notes",
    "list:notes",
    "notes",
    "",
    "https://example.test/",
  ])("MCP-050 says of %j that there is no such resource, with the URI alone as data", async (uri) => {
    const { body } = await read(uri);
    expect(body.error).toEqual({ code: -32602, message: `Resource not found: ${uri}`, data: { uri } });
  });

  it.each([
    ["list://../", 'path: "../" leaves the root through "..".'],
    ["list://notes/../../x", 'path: "notes/../../x" leaves the root through "..".'],
    ["list://%2e%2e/x", 'path: "../x" leaves the root through "..".'],
    ["list://100%", 'uri: "list://100%" has a malformed percent escape.'],
    ["list://%ff", 'uri: "list://%ff" has a malformed percent escape.'],
    ["list://%ED%A0%80", 'uri: "list://%ED%A0%80" has a malformed percent escape.'],
    ["list://C:/x", /^path: .* begins with a drive letter; /],
    ["list://a\\b", /^path: .* contains a backslash; /],
    ["list://a%00b", /^path: .* contains the control character U\+0000; /],
    ["list://.git", /^path: .* which git keeps for itself; /],
    ["list://notes/a.md", "/notes/a.md is a file; read it with text.read."],
  ])("MCP-027 MCP-028 MCP-052 refuses %j and says why", async (uri, message) => {
    const { body } = await read(uri);
    expect(body.error).toMatchObject({ code: -32602, data: { uri, code: "INVALID_ARGUMENT" } });
    expect(Object.keys(body.error?.data as object)).toEqual(["uri", "code"]);
    if (typeof message === "string") expect(body.error?.message).toBe(message);
    else expect(body.error?.message).toMatch(message);
  });

  it("completes the path of the template with directories", async () => {
    const complete = async (value: string) =>
      (
        await root.request("completion/complete", {
          ref: { type: "ref/resource", uri: "list://{+path}" },
          argument: { name: "path", value },
        })
      ).body.result.completion.values;
    expect(await complete("not")).toEqual(["notes/"]);
    expect(await complete("notes/")).toEqual(["notes/sub/"]);
    expect(await complete("notes/a")).toEqual([]);
    expect(await complete("../")).toEqual([]);
  });
});
