// What a scope claim grants (text.md §3.2), seen at the HTTP status: 403 or not. Nothing is stored, so that nothing but the scope decides.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { modernRequest } from "../harness/raw-mcp";
import { type ScopedServer, startScopedServer } from "./scoped-server";

let server: ScopedServer;
beforeAll(async () => {
  server = await startScopedServer();
});
afterAll(() => server?.stop());

const hash = "0".repeat(64);
const calls: Record<string, (path: string) => [method: string, params: object]> = {
  read: (path) => ["tools/call", { name: "text.read", arguments: { path } }],
  write: (path) => ["tools/call", { name: "file.remove", arguments: { path, hash } }],
  list: (path) => ["resources/read", { uri: `list://${encodeURI(path).replaceAll("#", "%23")}` }],
};

/** `read /work/a.md`: whether a token with these scopes may. */
async function may(token: string, wish: string): Promise<boolean> {
  const [verb = "", path = ""] = wish.split(/ (.*)/s);
  const [method, params] = calls[verb]?.(path) ?? [];
  const { status, text } = await modernRequest(server.url, token, method ?? "", params);
  expect([200, 403], `${wish}: ${text}`).toContain(status);
  return status === 200;
}

interface Row {
  readonly rules: string;
  readonly scope: string;
  readonly allowed: readonly string[];
  readonly refused: readonly string[];
}

const work = {
  allowed: ["read /work/a.md", "read /work/sub/deep/b.md", "list /work", "list /work/sub", "read /work"],
  refused: [
    "read /workfiles/a.md",
    "read /wor",
    "read /other/work/a.md",
    "read /Work/a.md",
    "read /WORK/a.md",
    "list /",
    "write /work/a.md",
  ],
};

const rows: Row[] = [
  {
    rules: "AUTH-020 AUTH-023",
    scope: "read:/",
    allowed: ["read /a.md", "read /a/b/c.md", "list /", "list /a/b"],
    refused: ["write /a.md", "write /a/b/c.md"],
  },
  {
    rules: "AUTH-020 AUTH-023 AUTH-039",
    scope: "write:/",
    allowed: ["write /a.md", "write /a/b/c.md", "read /a.md", "list /", "list /a"],
    refused: [],
  },
  { rules: "AUTH-021 AUTH-034 AUTH-036 AUTH-037 AUTH-038", scope: "read:/work/", ...work },
  { rules: "AUTH-022 AUTH-034 AUTH-036 AUTH-037 AUTH-038", scope: "read:/work", ...work },
  {
    rules: "AUTH-035",
    scope: "read:/work/*",
    allowed: ["read /work/a.md", "read /work/sub", "list /work"],
    refused: ["read /work/sub/b.md", "list /work/sub", "list /", "read /workfiles", "write /work/a.md"],
  },
  {
    rules: "AUTH-035",
    scope: "read:/*",
    allowed: ["list /", "read /a.md", "read /work"],
    refused: ["read /work/a.md", "list /work"],
  },
  {
    rules: "AUTH-035",
    scope: "read:/work/%2A",
    allowed: ["read /work/*", "read /work/*/below"],
    refused: ["read /work/a.md", "list /work"],
  },
  {
    rules: "AUTH-035",
    scope: "read:/work/** read:/w* read:/*/a.md",
    allowed: ["read /work/**", "read /w*", "read /*/a.md"],
    refused: ["read /work/a.md", "read /work", "list /work", "read /x/a.md"],
  },
  {
    rules: "AUTH-031 AUTH-039",
    scope: "write:/work/",
    allowed: ["write /work/a.md", "write /work/not/yet/there.md", "read /work/a.md", "list /work/sub"],
    refused: ["write /a.md", "read /a.md", "write /workfiles/a.md", "list /"],
  },
  {
    rules: "AUTH-031 AUTH-032",
    scope: "write:/work/a.md",
    allowed: ["write /work/a.md", "read /work/a.md"],
    refused: ["write /work/b.md", "read /work/b.md", "list /work"],
  },
  {
    rules: "AUTH-015",
    scope: "read:/a/ write:/b/ read:/c/*",
    allowed: ["read /a/x", "write /b/x", "read /b/x", "read /c/x"],
    refused: ["write /a/x", "read /c/x/y", "write /c/x", "read /d"],
  },
  {
    rules: "AUTH-015",
    scope: "  openid   read:/a/  email ",
    allowed: ["read /a/x"],
    refused: ["read /b/x", "write /a/x"],
  },
  {
    rules: "AUTH-040",
    scope: "read:/my%20notes/ read:/caf%C3%A9/ read:/a%2Fb/ read:/%2541/",
    allowed: ["read /my notes/x", "read /café/x", "read /a/b/x", "read /%41/x"],
    refused: ["read /my%20notes/x", "read /a/x", "read /A/x", "read /cafe\u0301/x"],
  },
  {
    rules: "AUTH-040",
    scope: "read:/notes/../work/ read://x//y/./",
    allowed: ["read /work/a.md", "read /notes/../work/a.md", "read /x/y/z"],
    refused: ["read /notes/a.md", "read /x/z", "read /work/../notes/a.md"],
  },
  {
    rules: "AUTH-040 AUTH-041",
    scope: "read:/notes/",
    allowed: ["read /work/../notes//./a.md", "read notes/a.md", "list /work/../notes"],
    refused: ["read /notes/../work/a.md", "read notes/./../notes2/a.md", "list /notes/.."],
  },
];

describe("a scope", () => {
  it.each(rows)("$rules $scope grants exactly what it says", async ({ scope, allowed, refused }) => {
    const token = await server.token(scope);
    const granted: string[] = [];
    for (const wish of [...allowed, ...refused]) if (await may(token, wish)) granted.push(wish);
    expect(granted).toEqual(allowed);
  });

  it.each([
    "read",
    "read:",
    "read:work",
    "read:%2Fwork",
    "READ:/",
    "Read:/",
    "readwrite:/",
    "admin:/",
    "*",
    "*:/",
    "read:/%zz",
    "read:/%",
    "read:/%ff",
    "read:/../",
    "read:/a/../../",
    "read:/C:/",
    "read:/a\\b",
    "read:/a%00b/../",
    "read:/.git/",
    "read,write:/",
    "openid profile",
  ])("AUTH-030 that cannot be understood grants nothing: %s", async (scope) => {
    const token = await server.token(scope);
    const granted: string[] = [];
    for (const wish of ["read /a", "read /work/a", "write /a", "list /", "list /work"]) {
      if (await may(token, wish)) granted.push(wish);
    }
    expect(granted).toEqual([]);
  });

  it("AUTH-030 root.info works with any valid token, and shows the claim as it is", async () => {
    const answer = await modernRequest(server.url, await server.token("openid read:/%zz"), "tools/call", {
      name: "root.info",
      arguments: {},
    });
    expect(answer.status).toBe(200);
    expect(answer.body.result.structuredContent.scopes).toEqual(["openid", "read:/%zz"]);
  });

  it("AUTH-030 an empty claim is no token at all", async () => {
    for (const scope of ["", " "]) {
      expect((await modernRequest(server.url, await server.token(scope), "tools/list")).status).toBe(401);
    }
  });
});
