// Two users: with another's paths, hashes and session ids a caller gets what it would get if they did not exist, to the byte.
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { type Answer, modernRequest, openSession, postMcp, rpc } from "../harness/raw-mcp";
import { eras, TextRoot } from "./text-root";

const secret = "a secret of the first user";
const path = "/private/notes/diary.md";

/** What a caller can tell answers apart by. */
function seen({ status, headers, body }: Answer): object {
  const { id: _, ...rest } = body;
  return { status, type: headers.get("content-type"), challenge: headers.get("www-authenticate"), rest };
}

/** Every tool with the paths and hashes given. */
function calls(hashes: readonly string[]): [tool: string, args: object][] {
  const edits = hashes.flatMap((hash): [string, object][] => [
    ["file.remove", { path, hash }],
    ["text.append", { path, hash, content: "x" }],
    ["text.insert", { path, hash, line: 1, anchor: secret, content: "x" }],
    ["text.replace", { path, hash, lines: [1, 0], old: secret, new: "x" }],
  ]);
  return [
    ...edits,
    ["text.read", { path }],
    ["text.read", { path, lines: [1, 2] }],
    ["text.read", { path: `${path}/below` }],
    ["file.list", { path: "/private" }],
    ["file.list", { path: "/private/notes" }],
    ["file.list", { path }],
    ["file.list", {}],
  ];
}

describe.each(eras)("isolation in %s", (era) => {
  let first: TextRoot;
  let hashes: string[];
  beforeAll(async () => {
    first = await TextRoot.signIn({ era });
    const former = await first.create(path, `${secret}\n`);
    const { hash } = await first.ok("text.append", { path, hash: former, content: "and more\n" });
    hashes = [former, hash];
  });

  it("AUTH-002 MCP-050 every tool answers a user about another's files as if they did not exist", async () => {
    const second = await TextRoot.signIn({ era });
    const nobody = await TextRoot.signIn({ era });
    for (const [tool, args] of calls(hashes)) {
      const answer = await second.call(tool, args);
      expect(answer.text).not.toContain(secret);
      expect(seen(answer), tool).toEqual(seen(await nobody.call(tool, args)));
    }
    for (const uri of ["list://", "list://private", "list://private/notes", `list:/${path}`]) {
      const answer = await second.request("resources/read", { uri });
      expect(seen(answer)).toEqual(seen(await nobody.request("resources/read", { uri })));
    }
    // The path is free for the second user, and stays the first one's own.
    const own = await second.create(path, "mine\n");
    expect(await second.read(path)).toEqual({ content: "mine\n", hash: own, total_lines: 1 });
    expect((await first.read(path)).content).toBe(`${secret}\nand more\n`);
  });

  it("AUTH-002 MCP-034 another user's hash is a version that this path never had, although it had it there", async () => {
    const second = await TextRoot.signIn({ era });
    await second.create(path, "mine\n");
    const unknown = "0".repeat(64);
    for (const hash of hashes) {
      for (const [tool, args] of calls([hash]).slice(0, 4)) {
        const answer = await second.call(tool, args);
        const compared = await second.call(tool, { ...args, hash: unknown });
        expect(answer.text).not.toContain(secret);
        expect(answer.text.replaceAll(hash, unknown).replaceAll(hash.slice(0, 12), unknown.slice(0, 12))).toBe(
          compared.text.replace(/"id":\d+/, `"id":${answer.body.id}`),
        );
      }
    }
    expect((await second.read(path)).content).toBe("mine\n");
  });

  it("AUTH-002 storing the same content does not show that another has it", async () => {
    const second = await TextRoot.signIn({ era });
    const [former = ""] = hashes;
    expect(await second.create("/same.md", `${secret}\n`)).toBe(former);
    const { details } = await second.refused("text.append", { path: "/same.md", hash: hashes[1], content: "x" });
    expect(details).toEqual({ path: "/same.md", hash: hashes[1] });
  });
});

describe("sessions of another", () => {
  it("MCP-005 AUTH-002 another user's session id, an ended and an unknown one are answered alike, with 404", async () => {
    const first = await TextRoot.signIn();
    const second = await TextRoot.signIn();
    const theirs = await openSession(first.url, first.token);
    const ended = await openSession(second.url, second.token);
    await fetch(`${second.url}/mcp`, { method: "DELETE", headers: ended.headers });
    const message = rpc("tools/call", { name: "text.read", arguments: { path } });
    const answers = await Promise.all(
      [theirs.id, ended.id, randomUUID()].map((id) =>
        postMcp(`${second.url}/mcp`, message, { ...ended.headers, "mcp-session-id": id }),
      ),
    );
    for (const answer of answers) {
      expect(answer.status).toBe(404);
      expect(seen(answer)).toEqual(seen(answers[2] as Answer));
    }
    // The first user's session goes on.
    expect((await theirs.request("ping")).status).toBe(200);
  });

  it("AUTH-002 users that call in turn never see a byte of each other", async () => {
    const users = await Promise.all(
      Array.from({ length: 4 }, (_, n) => TextRoot.signIn({ era: eras[n % 2] ?? eras[0] })),
    );
    const hashes = await Promise.all(users.map((root) => root.create("/same-name.md", `${root.user}\n`)));
    const rounds = Array.from({ length: 100 }, (_, round) => round);
    await Promise.all(
      rounds.map(async (round) => {
        const n = round % users.length;
        const root = users[n] as TextRoot;
        const { content, hash } = await root.read("/same-name.md");
        expect([content, hash]).toEqual([`${root.user}\n`, hashes[n]]);
        const info = await modernRequest(root.url, root.token, "tools/call", { name: "root.info", arguments: {} });
        expect(info.body.result.structuredContent.used).toEqual({ files: 1, bytes: root.user.length + 1 });
      }),
    );
  });
});
