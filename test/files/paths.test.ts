// Which file a URL below /files names: percent-decoded once, then normalized as everywhere; whatever else is sent, nothing outside the root is reached.
import { beforeAll, describe, expect, it } from "vitest";
import { attacks, shownAttack } from "../harness/path-attacks";
import { sendRaw } from "../harness/raw-http";
import { bearer } from "../harness/raw-mcp";
import { FilesRoot, ifMatch } from "./files-root";

let root: FilesRoot;
beforeAll(async () => {
  root = await FilesRoot.signIn();
  await root.store("/a/b", "ab");
  await root.store("/my%20notes/%C3%A9.txt", "decoded");
});

/** The request target as it goes on the wire. */
const raw = (target: string, method = "GET") =>
  sendRaw(root.url, { method, path: target, headers: bearer(root.token) });

describe("a URL", () => {
  it.each([
    "/files/a/b",
    "/files//a//b",
    "/files/a%2Fb",
    "/files/a%2fb",
    "/files/%61/b",
    "/files/a/b/",
    "/files/a/./b",
    "/files/x/../a/b",
    "/files/x%2F..%2Fa%2Fb",
    "/files/a/b?query=is-not-part-of-it",
    "/files/%2Fa/b",
  ])("AUTH-040 MCP-025 %s names /a/b", async (target) => {
    const answer = await raw(target);
    expect([answer.status, answer.text]).toEqual([200, "ab"]);
  });

  it("MCP-025 is decoded as UTF-8, and once: %2520 is a name with a percent sign", async () => {
    expect((await raw("/files/my%20notes/%c3%a9.txt")).text).toBe("decoded");
    expect((await raw("/files/my%2520notes/%C3%A9.txt")).status).toBe(404);
    const answer = await root.put("/100%25/a+b%3F%23", "signs");
    expect(JSON.parse(answer.bytes.toString()).path).toBe("/100%/a+b?#");
    expect(await root.names("/100%")).toEqual(["a+b?#"]);
  });

  it.each([
    "/files/%00",
    "/files/a%00b",
    "/files/%zz",
    "/files/%",
    "/files/%ff",
    "/files/%c0%ae%c0%ae/x",
    "/files/%ed%a0%80",
    "/files/a%5Cb",
    "/files/..%2Fx",
    "/files/a%2F..%2F..%2Fx",
    "/files/%2F..",
    "/files/C:/x",
    "/files/.git/config",
    "/files/a%0Ab",
    "/files/a%7Fb",
    `/files/${"n".repeat(256)}`,
    `/files/${"d/".repeat(65)}`,
    `/files/${"long/".repeat(250)}`,
  ])("AUTH-041 MCP-027 MCP-028 %s names nothing: 400 for GET, HEAD and PUT", async (target) => {
    for (const method of ["GET", "PUT"]) {
      const answer = await raw(target, method);
      expect([method, answer.status, JSON.parse(answer.text)]).toEqual([
        method,
        400,
        { error: { code: "INVALID_ARGUMENT", message: expect.stringMatching(/^path: .+\.$/) } },
      ]);
    }
    expect(await raw(target, "HEAD")).toMatchObject({ status: 400, text: "" });
  });

  it.each(["/files/%2e%2e/x", "/files/../x", "/files/a/../../../x", "/files/%2E%2E/%2E%2E/health2"])(
    "MCP-027 %s leads out of /files, and to nothing",
    async (target) => {
      for (const method of ["GET", "PUT"]) expect([400, 404]).toContain((await raw(target, method)).status);
    },
  );

  it("/files itself is nothing, /files/ is the root, which is a directory", async () => {
    expect((await raw("/files")).status).toBe(404);
    expect((await raw("/files?x")).status).toBe(404);
    expect((await raw("/filesystem")).status).toBe(404);
    expect((await raw("/FILES/a/b")).status).toBe(404);
    expect((await raw("/files/")).status).toBe(400);
    expect((await raw("/files//")).status).toBe(400);
  });
});

describe("the table of path attacks", () => {
  // A slash keeps the URL parser on the way from taking dots away before we see them.
  const encode = (path: string) => `/${encodeURIComponent(/^\.\.?$/.test(path) ? `/${path}` : path)}`;
  const texts = attacks.flatMap(([path, wanted]) =>
    // No URL is empty or ill-formed, and servers on the way refuse very long ones.
    typeof path === "string" && path !== "" && path.isWellFormed() && path.length < 5000 ? [{ path, wanted }] : [],
  );

  it("MCP-026 MCP-027 MCP-028 AUTH-041 every one that must be refused is, for PUT and for GET", async () => {
    const refused = texts.filter(({ wanted }) => wanted === null);
    expect(refused.length).toBeGreaterThanOrEqual(190);
    const surprises: unknown[] = [];
    const waiting = refused.flatMap(({ path }) => ["PUT", "GET"].map((method) => ({ path, method })));
    const askAll = async () => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        const { path, method } = next;
        const answer = await root.send(method, encode(path), {}, ...(method === "PUT" ? ["x"] : []));
        const clear = answer.status === 400 && answer.error?.code === "INVALID_ARGUMENT";
        if (!clear) surprises.push([shownAttack(path), method, answer.status]);
      }
    };
    await Promise.all(Array.from({ length: 8 }, askAll));
    expect(surprises).toEqual([]);
  });

  it("MCP-025 every harmless one is the file that it spells", async () => {
    const own = await FilesRoot.signIn();
    const depth = (path: string) => path.split("/").length;
    const harmless = texts
      .flatMap(({ path, wanted }) => (wanted === null || wanted === "/" ? [] : [{ path, wanted }]))
      .sort((a, b) => depth(a.wanted) - depth(b.wanted));
    expect(harmless.length).toBeGreaterThanOrEqual(90);
    for (const { path, wanted } of harmless) {
      const stored = await own.put(encode(path), wanted);
      expect([shownAttack(path), stored.status]).toEqual([shownAttack(path), 201]);
      const { path: named, hash } = JSON.parse(stored.bytes.toString());
      expect(named).toBe(wanted);
      expect((await own.get(encode(wanted))).bytes.toString()).toBe(wanted);
      expect((await own.put(encode(path), "", ifMatch(hash))).status).toBe(200);
      const { hash: empty } = await own.ok("text.read", { path: wanted });
      await own.ok("file.remove", { path: wanted, hash: empty });
    }
  });
});
