// Which tools a client sees and under which names: ?names=, ?tools=, and what its own name decides (contract, "Tools").
import { beforeAll, describe, expect, inject, it } from "vitest";
import { freshUser, login } from "../harness/login";
import { type Answer, modernRequest, openSession } from "../harness/raw-mcp";

const url = inject("url");
let token: string;

beforeAll(async () => {
  token = (await login(url, { user: freshUser("names") })).accessToken;
});

interface ClientOptions {
  readonly clientName?: string;
  readonly query?: string;
}

type Request = (method: string, params?: object) => Promise<Answer>;

const eras: [string, (options: ClientOptions) => Promise<Request>][] = [
  ["2025-11-25", async (options) => (await openSession(url, token, options)).request],
  ["2026-07-28", async (options) => (method, params) => modernRequest(url, token, method, params, options)],
];

async function listed(request: Request): Promise<string[]> {
  const { body } = await request("tools/list", {});
  return body.result.tools.map((tool: { name: string }) => tool.name);
}

/** How the names of a family begin, in either form. */
const prefixes: Record<string, RegExp> = {
  text: /^(file|text)[._]/,
  snapshot: /^(snapshot|workspace)[._]/,
  zip: /^zipfs_/,
  context: /^context[._]/,
};
const isOfFamily = (name: string, family: string) => prefixes[family]?.test(name) ?? false;

describe.each(eras)("in %s", (_, connect) => {
  it("?names= decides the form of the list; both forms can be called", async () => {
    const dotted = await connect({ query: "?names=dotted", clientName: "cursor-vscode" });
    const underscored = await connect({ query: "?names=underscore" });
    const names = await listed(dotted);
    expect(names).toContain("root.info");
    expect(names).toContain("file.create");
    expect(await listed(underscored)).toEqual(names.map((name) => name.replaceAll(".", "_")));
    for (const request of [dotted, underscored]) {
      for (const name of ["root.info", "root_info"]) {
        const { body } = await request("tools/call", { name, arguments: {} });
        expect(body.result.structuredContent.scopes).toEqual(["read:/", "write:/"]);
      }
    }
  });

  it.each([
    ["Anthropic/ClaudeAI", "_"],
    ["claude-ai", "_"],
    ["Claude", "_"],
    ["Cursor", "_"],
    ["cursor-vscode", "_"],
    ["codex-mcp-client", "_"],
    ["windsurf-client", "_"],
    ["openai-mcp", "_"],
    ["ChatGPT", "_"],
    ["github-copilot-developer", "_"],
    ["claude-code", "."],
    ["Visual Studio Code", "."],
    ["mcp-inspector", "."],
    ["cursorless", "."],
    ["", "."],
  ])("shows %s the names with %s", async (clientName, separator) => {
    const names = await listed(await connect({ clientName }));
    expect(names).toContain(`root${separator}info`);
    expect(names).toContain(`text${separator}read`);
    expect(names.some((name) => name.includes("."))).toBe(separator === ".");
  });

  it("lists each tool once, in the same order to every client", async () => {
    const names = await listed(await connect({}));
    expect(new Set(names).size).toBe(names.length);
    expect(await listed(await connect({ clientName: "another" }))).toEqual(names);
    expect(names[0]).toBe("root.info");
  });

  it.each([["text"], ["snapshot"], ["zip"], ["context"], ["text,snapshot"], ["context,text"], ["snapshot, zip"]])(
    "?tools=%s lists root.info and these families alone, and calls no other",
    async (query) => {
      const wanted = query.split(",").map((word) => word.trim());
      const all = await listed(await connect({}));
      const request = await connect({ query: `?tools=${encodeURIComponent(query)}` });
      const names = await listed(request);
      expect(names).toEqual(
        all.filter((name) => name === "root.info" || wanted.some((family) => isOfFamily(name, family))),
      );
      const info = await request("tools/call", { name: "root.info", arguments: {} });
      const present = Object.keys(prefixes).filter((family) => all.some((name) => isOfFamily(name, family)));
      expect(info.body.result.structuredContent.families).toEqual(present.filter((family) => wanted.includes(family)));
      for (const name of all.filter((one) => !names.includes(one))) {
        const { body } = await request("tools/call", { name, arguments: {} });
        expect(body.error, name).toMatchObject({ code: -32602, message: expect.stringContaining("Unknown tool") });
      }
    },
  );

  it("takes ?names= and ?tools= together", async () => {
    const names = await listed(await connect({ query: "?tools=text&names=underscore" }));
    expect(names.slice(0, 2)).toEqual(["root_info", "file_create"]);
    expect(names.every((name) => name === "root_info" || isOfFamily(name, "text"))).toBe(true);
  });
});
