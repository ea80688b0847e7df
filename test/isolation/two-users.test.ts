// Two users in both eras, 500 calls all mixed up: every answer is the caller's own, and holds no byte of the other.
// What single tools say about another's paths and hashes is tested with their families.
import { beforeAll, expect, inject, it } from "vitest";
import { freshUser, login } from "../harness/login";
import { type Answer, modernRequest, openSession, type Session } from "../harness/raw-mcp";
import { zipOf } from "../harness/zip-builder";

const url = inject("url");
const callCount = 500;
const inFlight = 16;

interface Person {
  readonly userId: string;
  /** Stands in the names and in the contents of the person's files. */
  readonly mark: string;
  readonly token: string;
  readonly sessions: readonly Session[];
  /** Whatever no other may ever see. */
  readonly secrets: readonly string[];
}

let people: [Person, Person];

beforeAll(async () => {
  people = [await settle("anna"), await settle("berta")];
});

async function settle(name: string): Promise<Person> {
  const user = freshUser(name);
  const { accessToken: token, clientId } = await login(url, { user });
  const sessions = [await openSession(url, token), await openSession(url, token)];
  const mark = `${user}-private`;
  const create = { name: "file.create", arguments: { path: `/${mark}/${mark}.md`, content: `${mark}\n` } };
  const created = await modernRequest(url, token, "tools/call", create);
  const { hash } = created.body.result.structuredContent;
  const zip = Buffer.from(zipOf([{ name: `${mark}.txt`, data: mark }])).toString("base64");
  const upload = { path: `/${mark}.zip`, content: zip, encoding: "base64" };
  await modernRequest(url, token, "tools/call", { name: "file.create", arguments: upload });
  const open = { name: "zipfs_open", arguments: { path: `/${mark}.zip`, name: mark } };
  const opened = await modernRequest(url, token, "tools/call", open);
  const { session_id: zipSession, zip_hash: zipHash } = opened.body.result.structuredContent;
  const info = await modernRequest(url, token, "tools/call", { name: "root.info", arguments: {} });
  const { user_id: userId } = info.body.result.structuredContent;
  const [, grantId = ""] = token.split(":");
  const secrets = [userId, mark, token, clientId, grantId, hash, zipSession, zipHash, ...sessions.map(({ id }) => id)];
  return { userId, mark, token, sessions, secrets };
}

/** A call, and what its answer has to contain. */
function callOf({ userId, mark }: Person, kind: number): { method: string; params: object; own: string } {
  const calls = [
    { method: "tools/call", params: { name: "root.info", arguments: {} }, own: userId },
    { method: "resources/read", params: { uri: "list://" }, own: mark },
    { method: "resources/read", params: { uri: `list://${mark}` }, own: `${mark}.md` },
    { method: "tools/call", params: { name: "text.read", arguments: { path: `/${mark}/${mark}.md` } }, own: mark },
    {
      method: "completion/complete",
      params: { ref: { type: "ref/resource", uri: "list://{+path}" }, argument: { name: "path", value: "" } },
      own: `${mark}/`,
    },
    { method: "tools/call", params: { name: "text.read", arguments: { path: "/absent.md" } }, own: "NOT_FOUND" },
    { method: "tools/call", params: { name: "zipfs_sessions", arguments: {} }, own: mark },
    { method: "tools/call", params: { name: "zipfs_read", arguments: { path: `${mark}.txt` } }, own: mark },
    { method: "tools/call", params: { name: "zipfs_grep", arguments: { pattern: "private" } }, own: mark },
    { method: "tools/call", params: { name: "zipfs_tree", arguments: { session: "anna" } }, own: "SESSION_NOT_FOUND" },
    { method: "tools/call", params: { name: "zipfs_sync", arguments: { session: mark } }, own: "unchanged" },
    { method: "tools/list", params: {}, own: "root.info" },
  ];
  return calls[kind % calls.length] as (typeof calls)[number];
}

async function callOnce(index: number): Promise<void> {
  const [me, other] = index % 2 === 0 ? people : [people[1], people[0]];
  const { method, params, own } = callOf(me, Math.floor(index / 2));
  // Both sessions and the era without any, in turn.
  const session = me.sessions[index % 3];
  const answer: Answer = await (session === undefined
    ? modernRequest(url, me.token, method, params)
    : session.request(method, params));
  expect(answer.status, answer.text).toBe(200);
  const seen = `${JSON.stringify([...answer.headers])}\n${answer.text}`;
  expect(seen).toContain(own);
  for (const secret of other.secrets) expect(seen.includes(secret), `${method} shows ${secret}`).toBe(false);
}

it(`AUTH-002 ${callCount} interleaved calls of two users show neither a byte of the other`, async () => {
  let next = 0;
  let done = 0;
  const work = async () => {
    while (next < callCount) {
      const index = next;
      next += 1;
      await callOnce(index);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, work));
  expect(done).toBe(callCount);
});

it("AUTH-002 MCP-005 a user with the other's session id gets what an unknown one gets, and the session goes on", async () => {
  const [me, other] = people;
  const [mine] = me.sessions;
  const [theirs] = other.sessions;
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "root.info", arguments: {} } };
  const tries = [theirs?.id ?? "", crypto.randomUUID()];
  const answers = await Promise.all(tries.map((id) => mine?.send(message, { "mcp-session-id": id })));
  expect(answers.map((answer) => answer?.status)).toEqual([404, 404]);
  expect(answers[0]?.text).toBe(answers[1]?.text);
  expect((await theirs?.send(message))?.text).toContain(other.userId);
});
