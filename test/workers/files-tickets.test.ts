/** Tickets of single-use links in the user's object: once, for ten minutes, for what they were made for, as long as their maker's token holds. */
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type Caller, callerOf } from "../../src/domain/caller";
import { type Sha256, sha256Hex } from "../../src/domain/hash";
import { historyVersionsMax, linkTtlMs, ticketsMax } from "../../src/domain/limits";
import type { RootPath } from "../../src/domain/path";
import type { UserId } from "../../src/domain/principal";
import { onlyCreate, onlyReplace } from "../../src/domain/put-guard";
import type { UploadWish } from "../../src/root/operations/files/issue-link";
import { clock, hourMs } from "./clock";
import { caller, freshRoot, okValue, type TestRoot } from "./root";

beforeEach(() => {
  clock.reset();
});
afterAll(() => {
  vi.useRealTimers();
});

const path = "/a" as RootPath;
const maker = callerOf({ clientId: "client", grantId: "grant", tokenId: "token" });
const anything = { replaces: null, sha256: null, size: null };

async function upload(root: TestRoot, wish: Partial<UploadWish> = {}, by: Caller = maker): Promise<string> {
  const reply = await root.stub.issueUpload(by, { path, ...anything, ...wish });
  if (!reply.admitted) throw new Error(reply.refusal);
  return okValue(reply.value).ticket;
}

async function download(root: TestRoot, by: Caller = maker): Promise<string> {
  const reply = await root.stub.issueDownload(by, path);
  if (!reply.admitted) throw new Error(reply.refusal);
  return okValue(reply.value).ticket;
}

describe("a ticket", () => {
  it("works once: of many simultaneous uses one", async () => {
    const root = freshRoot();
    const first = await upload(root);
    const uses = await Promise.all(Array.from({ length: 20 }, () => root.stub.redeemUpload(first)));
    expect(uses.filter((use) => use !== null)).toHaveLength(1);
    okValue(await root.create("/a", "one\n"));
    const second = await download(root);
    const reads = await Promise.all(Array.from({ length: 20 }, () => root.stub.redeemDownload(second)));
    expect(reads.filter((use) => use !== null)).toHaveLength(1);
  });

  it("says what it is for: where to, what it replaces, what must come, in whose name", async () => {
    const root = freshRoot();
    const created = await root.stub.redeemUpload(await upload(root));
    expect(created).toEqual({ maker, target: { path, guard: onlyCreate }, sha256: null, size: null });
    const hash = okValue(await root.create("/a", "one\n"));
    const wish = { replaces: hash, sha256: sha256Hex("x"), size: 1 };
    expect(await root.stub.redeemUpload(await upload(root, wish, caller))).toEqual({
      maker: caller,
      target: { path, guard: onlyReplace(hash) },
      sha256: sha256Hex("x"),
      size: 1,
    });
  });

  it("is for one method: tried for the other it is unknown, and stays what it is", async () => {
    const root = freshRoot();
    const first = await upload(root);
    okValue(await root.create("/a", "one\n"));
    const second = await download(root);
    expect([await root.stub.redeemDownload(first), await root.stub.redeemUpload(second)]).toEqual([null, null]);
    expect(await root.stub.redeemUpload(first)).not.toBeNull();
    expect(await root.stub.redeemDownload(second)).not.toBeNull();
  });

  it("lives ten minutes, to the second, also through an eviction", async () => {
    const root = freshRoot();
    okValue(await root.create("/a", "one\n"));
    const tickets = [await download(root), await download(root)];
    await root.evict();
    clock.advance(linkTtlMs - 1);
    expect(await root.stub.redeemDownload(tickets[0] ?? "")).not.toBeNull();
    clock.advance(1);
    expect(await root.stub.redeemDownload(tickets[1] ?? "")).toBeNull();
  });

  it("that nobody uses is swept by the alarm", async () => {
    const root = freshRoot();
    await upload(root);
    expect(await root.alarmAt()).toBe(Date.now() + linkTtlMs);
    clock.advance(linkTtlMs);
    await root.ring();
    expect(await root.sql("SELECT * FROM tickets")).toEqual([]);
  });

  it("is not stored: the rows alone open nothing", async () => {
    const root = freshRoot();
    const ticket = await upload(root);
    const rows = await root.sql("SELECT * FROM tickets");
    expect(rows).toMatchObject([{ id: sha256Hex(ticket) }]);
    expect(JSON.stringify(rows)).not.toContain(ticket);
    expect(await root.stub.redeemUpload(String(rows[0]?.id))).toBeNull();
  });

  it("of another user's object is unknown, as is one that never was", async () => {
    const [root, other] = [freshRoot(), freshRoot()];
    const ticket = await upload(root);
    expect(await other.stub.redeemUpload(ticket)).toBeNull();
    expect(await root.stub.redeemUpload("A".repeat(24))).toBeNull();
    expect(await root.stub.redeemUpload(ticket)).not.toBeNull();
  });

  it("makes room for newer ones where there are too many", async () => {
    const root = freshRoot();
    const oldest = await upload(root);
    clock.advance(1000);
    await root.sql(
      `INSERT INTO tickets (id, kind, path, client_id, expires_at_ms)
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
         SELECT 'filler' || i, 'upload', '/x', 'c', ? FROM n`,
      ticketsMax - 1,
      Date.now() + linkTtlMs,
    );
    const newest = await upload(root);
    expect(await root.sql("SELECT count(*) AS n FROM tickets")).toEqual([{ n: ticketsMax }]);
    expect(await root.stub.redeemUpload(oldest)).toBeNull();
    expect(await root.stub.redeemUpload(newest)).not.toBeNull();
  });
});

describe("the token that made a ticket", () => {
  const revocations: [what: string, tokenId: string | undefined, dies: boolean][] = [
    ["its grant is revoked", undefined, true],
    ["it is revoked", "token", true],
    ["another token of the grant is revoked", "other", false],
  ];
  it.each(revocations)("AUTH-001 when %s", async (_, tokenId, dies) => {
    const root = freshRoot();
    okValue(await root.create("/a", "one\n"));
    const reading = await download(root);
    const writing = await upload(root, { path: "/b" as RootPath });
    const untouched = await download(root, callerOf({ clientId: "client", grantId: "grant2", tokenId: "token2" }));
    await root.stub.revoke({ userId: "u" as UserId, grantId: "grant", ...(tokenId !== undefined && { tokenId }) });
    expect((await root.stub.redeemDownload(reading)) === null).toBe(dies);
    expect((await root.stub.redeemUpload(writing)) === null).toBe(dies);
    expect(await root.stub.redeemDownload(untouched)).not.toBeNull();
  });

  it("AUTH-001 that is revoked makes none", async () => {
    const root = freshRoot();
    await root.stub.revoke({ userId: "u" as UserId, grantId: "grant" });
    const refused = { admitted: false, refusal: "token_revoked" };
    expect(await root.stub.issueUpload(maker, { path, ...anything })).toEqual(refused);
    expect(await root.stub.issueDownload(maker, path)).toEqual(refused);
    expect(await root.sql("SELECT * FROM tickets")).toEqual([]);
  });
});

describe("the version that a download ticket pins", () => {
  it("is given although the file has been replaced more often than the history remembers, and removed", async () => {
    const root = freshRoot();
    const pinned = okValue(await root.create("/a", "0\n"));
    const ticket = await download(root);
    let hash: Sha256 = pinned;
    for (let n = 1; n <= historyVersionsMax + 5; n++) hash = okValue(await root.rewrite("/a", hash, `${n}\n`)).hash;
    okValue(await root.remove("/a", hash));
    clock.advance(linkTtlMs - 1000);
    await root.doChores();
    const content = await root.stub.redeemDownload(ticket);
    expect(content).toMatchObject({ hash: pinned, size: 2, place: { kind: "inline" } });
    if (content?.place?.kind === "inline") expect(sha256Hex(content.place.bytes)).toBe(pinned);
    // And no longer than that.
    clock.advance(hourMs);
    await root.doChores();
    expect(await root.sql("SELECT 1 FROM blobs WHERE hash = ?", pinned)).toEqual([]);
  });
});
