/** What an upload checks at its beginning, and again at its end: what happened while the bytes were on their way. */

import { env } from "cloudflare:workers";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { callerOf } from "../../src/domain/caller";
import { gitBlobId } from "../../src/domain/git-objects";
import { sha256Hex } from "../../src/domain/hash";
import { blobGraceMs, rootBytesMax } from "../../src/domain/limits";
import type { RootPath } from "../../src/domain/path";
import { onlyCreate, onlyReplace } from "../../src/domain/put-guard";
import { clock } from "./clock";
import { callerFacts, freshRoot, okValue, type TestRoot } from "./root";
import { binary, expectNothing, fileRow, mib, send } from "./uploads";

beforeEach(() => {
  clock.reset();
});
afterAll(() => {
  vi.useRealTimers();
});

describe("what happened while the bytes were on their way", () => {
  const bytes = binary(3 * mib);
  const length = { declared: bytes.length };
  const meanwhile = (work: () => Promise<void>) => ({ ...length, during: { afterBytes: 2 * mib, work } });

  it("MCP-032 a file that came in between is not overwritten", async () => {
    const root = freshRoot();
    const answer = await send(
      root,
      "/a",
      bytes,
      meanwhile(async () => void okValue(await root.create("/a", "mine\n"))),
    );
    expect(answer).toMatchObject({ ok: false, error: { reason: "not_as_seen", code: "ALREADY_EXISTS" } });
    expect(okValue(await root.read("/a")).hash).toBe(sha256Hex("mine\n"));
    await root.expectSound();
  });

  it("MCP-034 an edit in between is not overwritten, nor is a removed file brought back", async () => {
    const root = freshRoot();
    const seen = okValue(await root.create("/a", "one\n"));
    const guard = onlyReplace(seen);
    const edited = await send(root, "/a", bytes, {
      ...meanwhile(async () => void okValue(await root.append("/a", seen, "two\n"))),
      guard,
    });
    expect(edited).toMatchObject({ ok: false, error: { reason: "not_as_seen", code: "HASH_MISMATCH" } });
    const current = okValue(await root.read("/a")).hash;
    const removed = await send(root, "/a", bytes, {
      ...meanwhile(async () => void okValue(await root.remove("/a", current))),
      guard: onlyReplace(current),
    });
    expect(removed).toMatchObject({ ok: false, error: { reason: "not_as_seen", code: "NOT_FOUND" } });
    expect(await root.usage()).toMatchObject({ files: 0, bytes: 0 });
    await root.expectSound();
  });

  it("a directory at the path, or a file in place of its parent, stands against it", async () => {
    const root = freshRoot();
    const directory = await send(
      root,
      "/d/a",
      bytes,
      meanwhile(async () => void okValue(await root.create("/d/a/x", ""))),
    );
    expect(directory).toMatchObject({ ok: false, error: { reason: "not_a_file", code: "ALREADY_EXISTS" } });
    const parent = await send(
      root,
      "/e/a",
      bytes,
      meanwhile(async () => void okValue(await root.create("/e", ""))),
    );
    expect(parent).toMatchObject({ ok: false, error: { reason: "not_a_file", code: "ALREADY_EXISTS" } });
    await root.expectSound();
  });

  it("a quota that was filled in between refuses it", async () => {
    const root = freshRoot();
    const answer = await send(
      root,
      "/a",
      bytes,
      meanwhile(() => setBytes(root, rootBytesMax - bytes.length + 1)),
    );
    expect(answer).toMatchObject({ ok: false, error: { reason: "too_large", code: "TOO_LARGE" } });
    await setBytes(root, rootBytesMax - bytes.length);
    expect((await send(root, "/a", bytes, length)).ok).toBe(true);
  });

  it("a token that was revoked in between stores nothing", async () => {
    const root = freshRoot();
    const revoke = () => root.stub.revoke({ userId: "u" as never, grantId: "grant" });
    const target = { path: "/a" as RootPath, guard: onlyCreate };
    const maker = callerOf({ ...callerFacts, grantId: "grant", tokenId: "token" });
    const begun = await root.stub.beginUpload(maker, target, bytes.length);
    if (!begun.admitted || !begun.value.ok) throw new Error("not begun");
    await env.BLOBS.put(begun.value.value, bytes);
    await revoke();
    const facts = { blob: sha256Hex(bytes), gitOid: gitBlobId(bytes), size: bytes.length, lines: null };
    expect(await root.stub.finishUpload(maker, target, begun.value.value, facts)).toEqual({
      admitted: false,
      refusal: "token_revoked",
    });
    await expectNothing(root);
  });

  it("an upload that takes longer than the collector waits is refused, before and after the collector came", async () => {
    const root = freshRoot();
    const late = await send(
      root,
      "/a",
      bytes,
      meanwhile(async () => clock.advance(blobGraceMs)),
    );
    expect(late).toMatchObject({ ok: false, error: { reason: "too_late" } });
    const later = await send(
      root,
      "/a",
      bytes,
      meanwhile(async () => {
        clock.advance(blobGraceMs);
        await root.ring();
      }),
    );
    expect(later).toMatchObject({ ok: false, error: { reason: "too_late" } });
    await expectNothing(root);
    const inTime = await send(
      root,
      "/a",
      bytes,
      meanwhile(async () => {
        clock.advance(blobGraceMs - 1);
        await root.ring();
      }),
    );
    expect(inTime.ok).toBe(true);
    await root.expectSound();
  });

  it("of many uploads to one version exactly one wins, large and small", async () => {
    const root = freshRoot();
    const seen = okValue(await root.create("/a", "one\n"));
    const contents = Array.from({ length: 6 }, (_, n) => binary(n % 2 === 0 ? mib + 1 + n : 100 + n, n));
    const answers = await Promise.all(
      contents.map((content) => send(root, "/a", content, { declared: content.length, guard: onlyReplace(seen) })),
    );
    const winners = contents.filter((_, n) => answers[n]?.ok);
    expect(winners).toHaveLength(1);
    expect(await fileRow(root, "/a")).toMatchObject([{ blob: sha256Hex(winners[0] ?? "") }]);
    await root.expectSound();
  });
});

describe("early refusals", () => {
  it("come before any byte is stored, so that nobody sends 100 MiB in vain", async () => {
    const root = freshRoot();
    const hash = okValue(await root.create("/a", "one\n"));
    const bytes = binary(2 * mib);
    const length = { declared: bytes.length };
    const refused = [
      await send(root, "/a", bytes, length),
      await send(root, "/a", bytes, { ...length, guard: { ifMatch: null, ifNoneMatch: null } }),
      await send(root, "/a", bytes, { ...length, guard: onlyReplace(sha256Hex("x")) }),
      await send(root, "/a/b", bytes, length),
      await send(root, "/.zipfs/x", bytes, length),
    ];
    expect(refused.map((answer) => (answer.ok ? "stored" : answer.error.reason))).toEqual([
      "not_as_seen",
      "unseen",
      "not_as_seen",
      "not_a_file",
      "invalid",
    ]);
    await setBytes(root, rootBytesMax - bytes.length + 4);
    expect(await send(root, "/b", bytes, length)).toMatchObject({ ok: false, error: { reason: "too_large" } });
    // Of a replaced file its former bytes make room.
    expect((await send(root, "/a", bytes, { ...length, guard: onlyReplace(hash) })).ok).toBe(true);
    expect(await root.objectKeys()).toHaveLength(1);
  });
});

async function setBytes(root: TestRoot, bytes: number): Promise<void> {
  await root.sql("UPDATE usage SET bytes = ?", bytes);
}
