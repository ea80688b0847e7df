/**
 * Single-use links as the Worker answers them, with a clock that moves and clients that go away: every link that does not work is answered
 * alike, to the byte. Who may make them, and what an address must look like: test/files/links.test.ts.
 */
import { env } from "cloudflare:workers";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { callerOf } from "../../src/domain/caller";
import { sha256Hex } from "../../src/domain/hash";
import { linkTtlMs } from "../../src/domain/limits";
import type { Link } from "../../src/domain/link";
import type { RootPath } from "../../src/domain/path";
import type { UserId } from "../../src/domain/principal";
import type { Env } from "../../src/env";
import { serveLink } from "../../src/files/links";
import { clock } from "./clock";
import { okValue, TestRoot } from "./root";
import { binary, bodyOf, expectNothing, mib } from "./uploads";

beforeEach(() => {
  clock.reset();
});
afterAll(() => {
  vi.useRealTimers();
});

const maker = callerOf({ clientId: "client", grantId: "grant", tokenId: "token" });

/** A user's root and links to it. */
class LinkedRoot extends TestRoot {
  private constructor(readonly userId: UserId) {
    super(env.ROOT.get(env.ROOT.idFromName(userId)));
  }

  static fresh(): LinkedRoot {
    return new LinkedRoot(crypto.randomUUID().replaceAll("-", "") as UserId);
  }

  async upload(path: string): Promise<Link> {
    const wish = { path: path as RootPath, replaces: null, sha256: null, size: null };
    const reply = await this.stub.issueUpload(maker, wish);
    if (!reply.admitted) throw new Error(reply.refusal);
    return { userId: this.userId, ticket: okValue(reply.value).ticket };
  }

  async download(path: string): Promise<Link> {
    const reply = await this.stub.issueDownload(maker, path as RootPath);
    if (!reply.admitted) throw new Error(reply.refusal);
    return { userId: this.userId, ticket: okValue(reply.value).ticket };
  }
}

async function use(link: Link, method: "GET" | "PUT" | "POST" | "HEAD", body?: ReadableStream | string) {
  const work: Promise<unknown>[] = [];
  const context = { env: env as unknown as Env, waitUntil: (done: Promise<unknown>) => void work.push(done) };
  const init = { method, ...(body !== undefined && { body }) };
  const response = await serveLink(new Request("https://holdfast.test/links/x", init), link, context);
  const text = new TextDecoder().decode(await response.arrayBuffer());
  const answer = { status: response.status, headers: [...response.headers], text };
  await Promise.all(work);
  return answer;
}

/** What a link that never was is answered with. */
const unknown = (root: LinkedRoot) => use({ userId: root.userId, ticket: "A".repeat(24) }, "GET");

describe("a link that does not work is answered as one that never was", () => {
  it("when it was used, for an upload and a download", async () => {
    const root = LinkedRoot.fresh();
    const up = await root.upload("/a");
    expect((await use(up, "PUT", "one\n")).status).toBe(201);
    expect(await use(up, "PUT", "two\n")).toEqual(await unknown(root));
    const down = await root.download("/a");
    expect(await use(down, "GET")).toMatchObject({ status: 200, text: "one\n" });
    expect(await use(down, "GET")).toEqual(await unknown(root));
    expect(okValue(await root.read("/a")).hash).toBe(sha256Hex("one\n"));
  });

  it("when it is late, from the first moment, before and after the alarm has swept it", async () => {
    const root = LinkedRoot.fresh();
    okValue(await root.create("/a", "one\n"));
    const [up, down, intime] = [await root.upload("/b"), await root.download("/a"), await root.download("/a")];
    clock.advance(linkTtlMs - 1);
    expect((await use(intime, "GET")).status).toBe(200);
    clock.advance(1);
    for (const sweep of [false, true]) {
      if (sweep) await root.ring();
      expect(await use(up, "PUT", "late\n")).toEqual(await unknown(root));
      expect(await use(down, "GET")).toEqual(await unknown(root));
    }
    expect(await root.list("/")).toMatchObject({ entries: [{ name: "a" }] });
    await root.expectSound();
  });

  it("when it is used for another method, which does not use it up", async () => {
    const root = LinkedRoot.fresh();
    okValue(await root.create("/a", "one\n"));
    const [up, down] = [await root.upload("/b"), await root.download("/a")];
    for (const method of ["GET", "POST", "HEAD"] as const) expect(await use(up, method)).toEqual(await unknown(root));
    for (const method of ["PUT", "POST", "HEAD"] as const) expect(await use(down, method)).toEqual(await unknown(root));
    expect((await use(up, "PUT", "b\n")).status).toBe(201);
    expect((await use(down, "GET")).status).toBe(200);
  });

  it("AUTH-002 when its ticket is shown to another user's root", async () => {
    const [mine, theirs] = [LinkedRoot.fresh(), LinkedRoot.fresh()];
    for (const root of [mine, theirs]) okValue(await root.create("/a", "one\n"));
    const [up, down] = [await mine.upload("/b"), await mine.download("/a")];
    expect(await use({ ...up, userId: theirs.userId }, "PUT", "x")).toEqual(await unknown(theirs));
    expect(await use({ ...down, userId: theirs.userId }, "GET")).toEqual(await unknown(theirs));
    expect((await use(up, "PUT", "x")).status).toBe(201);
  });

  it("AUTH-001 when the token that made it was revoked, also while the bytes were on their way", async () => {
    for (const size of [1000, 2 * mib]) {
      const root = LinkedRoot.fresh();
      const revoke = () => root.stub.revoke({ userId: root.userId, grantId: "grant" });
      const [during, before] = [await root.upload("/a"), await root.upload("/b")];
      const body = bodyOf(binary(size), { afterBytes: size - 900, work: revoke });
      expect(await use(during, "PUT", body)).toEqual(await unknown(root));
      expect(await use(before, "PUT", "x")).toEqual(await unknown(root));
      await expectNothing(root);
    }
  });
});

describe("an upload by link", () => {
  it.each([1000, mib / 2, 3 * mib, 11 * mib])(
    "of %i bytes in chunks that breaks off stores nothing, leaves no object, and has used the link up",
    async (size) => {
      const root = LinkedRoot.fresh();
      const link = await root.upload("/a");
      const gone = { afterBytes: size - 900, work: () => Promise.reject(new Error("the client is gone")) };
      const answer = await use(link, "PUT", bodyOf(binary(size), gone));
      expect([answer.status, JSON.parse(answer.text).error]).toEqual([
        400,
        { code: "INVALID_ARGUMENT", message: "/a was not stored: the body broke off before its end." },
      ]);
      await expectNothing(root);
      expect(await root.objectKeys()).toEqual([]);
      expect(await use(link, "PUT", "again")).toEqual(await unknown(root));
    },
  );

  it("that began in time may end after the ten minutes", async () => {
    const root = LinkedRoot.fresh();
    const link = await root.upload("/a");
    const bytes = binary(3 * mib);
    const meanwhile = { afterBytes: mib, work: async () => clock.advance(linkTtlMs) };
    expect((await use(link, "PUT", bodyOf(bytes, meanwhile))).status).toBe(201);
    await root.expectSound();
  });
});
