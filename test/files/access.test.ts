// Who may use /files: the bearer tokens and scopes of /mcp, revocation at once, users apart from each other, pages of other origins.
import { beforeAll, describe, expect, it } from "vitest";
import { freshUser, login, revoke } from "../harness/login";
import { sendRaw } from "../harness/raw-http";
import { bearer } from "../harness/raw-mcp";
import { binary, FilesRoot, got, mib, sha256 } from "./files-root";

let owner: FilesRoot;
let metadata: string;
beforeAll(async () => {
  owner = await FilesRoot.signIn();
  metadata = `resource_metadata="${owner.url}/.well-known/oauth-protected-resource/mcp"`;
  for (const path of ["/work/a.md", "/work/sub/b.md", "/workfiles/a.md", "/notes/a.md"]) await owner.store(path, path);
});

const methods = ["GET", "HEAD", "PUT"] as const;

/** One request of each method, with a body where it may have one; large ones must not be read in vain. */
async function outcomes(token: string | null, path: string): Promise<string[]> {
  const found: string[] = [];
  for (const method of methods) {
    for (const body of method === "PUT" ? ["x", binary(2 * mib)] : [undefined]) {
      const headers = token === null ? {} : { authorization: `Bearer ${token}` };
      const init = { method, headers, ...(body !== undefined && { body }) };
      const answer = await got(fetch(`${owner.url}/files${path}`, init as RequestInit));
      if (method !== "HEAD" && answer.error !== undefined) {
        expect(Object.keys(answer.error).sort()).toEqual(["code", "message"]);
      }
      found.push(`${answer.status} ${answer.headers.get("www-authenticate") ?? ""}`.trim());
    }
  }
  return found;
}

const fourTimes = (text: string) => Array(4).fill(text);

describe("a request without a good token", () => {
  const description = "The access token is unknown, expired, revoked or meant for another server";
  const invalid = (why: string) =>
    `401 Bearer error="invalid_token", error_description="${why}", scope="read:/ write:/", ${metadata}`;

  it("AUTH-001 gets 401 and where to sign in, whatever it asks for", async () => {
    for (const path of ["/notes/a.md", "/nothing", "/", "/%00"]) {
      expect(await outcomes(null, path)).toEqual(fourTimes(`401 Bearer scope="read:/ write:/", ${metadata}`));
      expect(await outcomes("garbage", path)).toEqual(fourTimes(invalid(description)));
    }
    const answer = await got(fetch(`${owner.url}/files/notes/a.md`));
    expect(answer.error).toEqual({
      code: "UNAUTHORIZED",
      message: "Authorization is required: send a bearer token",
    });
  });

  it("AUTH-001 a revoked token is dead at once, also where its facts are remembered, and stores nothing", async () => {
    const user = freshUser("revoked");
    const { accessToken, clientId } = await login(owner.url, { user });
    const root = await FilesRoot.withToken(owner.url, user, accessToken);
    await root.store("/a", "mine");
    await revoke(owner.url, { token: accessToken, clientId });
    for (const path of ["/a", "/nothing", "/", "/%00", "/.git/x"]) {
      expect(await outcomes(accessToken, path)).toEqual(fourTimes(invalid("The access token was revoked")));
    }
    expect((await root.send("DELETE", "/a")).status).toBe(401);
    const again = await FilesRoot.signIn({ user });
    expect(await again.names()).toEqual(["a"]);
    expect((await again.get("/a")).bytes.toString()).toBe("mine");
  });

  it("AUTH-001 a token of another audience gets 401", async () => {
    const localhost = owner.url.replace("127.0.0.1", "localhost");
    const { accessToken } = await login(localhost, { user: freshUser("audience") });
    expect((await got(fetch(`${localhost}/files/x`, { headers: bearer(accessToken) }))).status).toBe(404);
    expect(await outcomes(accessToken, "/x")).toEqual(fourTimes(invalid(description)));
  });
});

describe("a narrow token", () => {
  const withScope = (scope: string) => FilesRoot.signIn({ user: owner.user, scope });

  it("MCP-051 AUTH-030 AUTH-031 AUTH-032 gets 403 and the scope to ask for, the same for what is there and what is not", async () => {
    const root = await withScope("read:/notes/");
    const refused = (scope: string) => `403 Bearer error="insufficient_scope", scope="${scope}", ${metadata}`;
    for (const path of ["/work/a.md", "/work/nothing", "/work", "/notesfiles/x"]) {
      expect(await outcomes(root.token, path)).toEqual([
        refused(`read:${path}`),
        refused(`read:${path}`),
        refused(`write:${path}`),
        refused(`write:${path}`),
      ]);
    }
    expect((await root.put("/notes/a.md", "x")).error).toEqual({
      code: "FORBIDDEN",
      message:
        "This token may not write /notes/a.md. Ask for the scope write:/notes/a.md (or write:/notes/ for the whole directory) and authorize again.",
    });
    expect((await root.get("/notes/a.md")).bytes.toString()).toBe("/notes/a.md");
  });

  it.each<[scope: string, reads: string[], not: string[]]>([
    ["read:/work/", ["/work/a.md", "/work/sub/b.md"], ["/workfiles/a.md", "/notes/a.md"]],
    ["read:/work/*", ["/work/a.md"], ["/work/sub/b.md", "/workfiles/a.md"]],
    ["write:/work/sub", ["/work/sub/b.md"], ["/work/a.md"]],
    ["read:/work/a.md", ["/work/a.md"], ["/work/sub/b.md"]],
  ])("AUTH-034 AUTH-035 AUTH-036 AUTH-039 with %s reads what it covers and nothing else", async (scope, reads, not) => {
    const root = await withScope(scope);
    for (const path of reads) expect([path, (await root.get(path)).status]).toEqual([path, 200]);
    for (const path of not) expect([path, (await root.get(path)).status]).toEqual([path, 403]);
  });

  it("AUTH-040 is judged by the normalized path", async () => {
    const root = await withScope("write:/notes/");
    for (const path of ["/notes%2F..%2Fwork/a.md", "/notes/%2E%2E%2Fwork/a.md", "//work/a.md", "/%77ork/a.md"]) {
      const answer = await sendRaw(root.url, { path: `/files${path}`, headers: bearer(root.token) });
      expect([path, answer.status]).toEqual([path, 403]);
    }
    expect((await root.put("/work%2F..%2Fnotes/new", "x")).status).toBe(201);
  });

  it("AUTH-030 one without any scope gets 403 everywhere", async () => {
    const root = await withScope("read:/elsewhere/");
    expect((await outcomes(root.token, "/work/a.md")).map((line) => line.slice(0, 3))).toEqual(fourTimes("403"));
  });
});

describe("two users", () => {
  it("AUTH-002 have the same paths apart: reads, ETags and conditions of one say nothing of the other", async () => {
    const [first, second, nobody] = await Promise.all([FilesRoot.signIn(), FilesRoot.signIn(), FilesRoot.signIn()]);
    const secret = binary(2 * mib);
    for (const path of ["/secret", "/d/small"]) await first.store(path, path === "/secret" ? secret : "s");
    const tries: [string, string, Record<string, string>][] = [
      ["GET", "/secret", {}],
      ["HEAD", "/secret", {}],
      ["GET", "/d", {}],
      ["GET", "/d/small", { "if-none-match": `"${sha256("s")}"` }],
      ["GET", "/secret", { range: "bytes=0-1" }],
      ["PUT", "/secret", { "if-match": `"${sha256(secret)}"` }],
    ];
    for (const [method, path, headers] of tries) {
      const body = method === "PUT" ? ["x"] : [];
      const theirs = await second.send(method, path, headers, ...body);
      const none = await nobody.send(method, path, headers, ...body);
      expect([theirs.status, theirs.bytes.toString()]).toEqual([none.status, none.bytes.toString()]);
      expect([400, 404, 412]).toContain(theirs.status);
    }
    // The same content and the same path are the second user's own.
    expect(await second.store("/secret", secret)).toBe(sha256(secret));
    expect((await second.put("/secret", "changed", { "if-match": `"${sha256(secret)}"` })).status).toBe(200);
    expect((await first.get("/secret")).bytes.equals(secret)).toBe(true);
  });
});

describe("methods and pages", () => {
  it("takes GET, HEAD and PUT only", async () => {
    for (const method of ["POST", "DELETE", "PATCH", "OPTIONS", "MOVE", "PROPFIND"]) {
      const answer = await sendRaw(owner.url, { method, path: "/files/notes/a.md", headers: bearer(owner.token) });
      expect([method, answer.status, answer.headers.allow]).toEqual([method, 405, "GET, HEAD, PUT"]);
      expect(JSON.parse(answer.text)).toEqual({
        error: { code: "METHOD_NOT_ALLOWED", message: `${method} is not allowed here.` },
      });
    }
    expect((await owner.get("/notes/a.md")).bytes.toString()).toBe("/notes/a.md");
  });

  it("refuses a page of another origin with 403, also with a good token, and serves its own", async () => {
    const evil = await owner.get("/notes/a.md", { origin: "https://evil.example" });
    expect([evil.status, evil.error?.code]).toEqual([403, "FORBIDDEN"]);
    expect(evil.headers.get("access-control-allow-origin")).toBeNull();
    const preflight = await sendRaw(owner.url, {
      method: "OPTIONS",
      path: "/files/notes/a.md",
      headers: { origin: owner.url, "access-control-request-method": "PUT" },
    });
    expect([preflight.status, preflight.headers["access-control-allow-methods"]]).toEqual([
      204,
      "GET, HEAD, PUT, OPTIONS",
    ]);
    const own = await owner.get("/notes/a.md", { origin: owner.url });
    expect([own.status, own.headers.get("access-control-allow-origin")]).toEqual([200, owner.url]);
    expect(own.headers.get("access-control-expose-headers")).toContain("etag");
  });
});
