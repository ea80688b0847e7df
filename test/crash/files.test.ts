// kill -9 in the middle of large uploads, with a length and in chunks, again and again on one state: the file is the old one or the new one,
// the check finds the root sound, and when its time has come the sweep leaves no object that no content has.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { blobGraceMs } from "../../src/domain/limits";
import { counts } from "../counts";
import { binary, FilesRoot, type Got, ifMatch, mib, sha256 } from "../files/files-root";
import { freshUser, login } from "../harness/login";
import { runScript } from "../harness/run-script";
import { type Server, startServer } from "../harness/server";
import { ageStrays, namedKeys, storedKeys, strayKeys } from "./stored-objects";

const roundMs = 120_000;
const size = 24 * mib;
const pieceBytes = 512 * 1024;

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

/** The bytes in pieces, until the place where it waits. */
async function* pieces(bytes: Buffer, waitsAt: number, wait: () => Promise<unknown>): AsyncGenerator<Uint8Array> {
  let waited = false;
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    if (at >= waitsAt && !waited) {
      await wait();
      waited = true;
    }
    yield bytes.subarray(at, at + pieceBytes);
  }
}

/** Replaces the version and has the server killed at any time, also while what was sent is read back and named. */
async function killDuringUpload(root: FilesRoot, bytes: Buffer, headers: Record<string, string>): Promise<Got | null> {
  const underWay = Promise.withResolvers<void>();
  const body = pieces(bytes, Math.random() * size, async () => underWay.resolve());
  const upload = root.putChunked("/file", body, headers).catch(() => null);
  // It may not even have got there: the client may have tried a connection of the server before.
  await Promise.race([underWay.promise, upload]);
  await new Promise((done) => setTimeout(done, Math.random() * 600));
  await server.kill();
  return upload;
}

/** The same surely in the middle, when there is a key for its bytes. */
async function killInTheMiddle(root: FilesRoot, bytes: Buffer, headers: Record<string, string>): Promise<null> {
  const before = strayKeys(server.state).length;
  let killing: Promise<void> | undefined;
  for (let attempt = 0; attempt < 3 && killing === undefined; attempt++) {
    const body = pieces(bytes, size / 2, async () => {
      await expect.poll(() => strayKeys(server.state).length, { timeout: 30_000 }).toBeGreaterThan(before);
      killing = server.kill();
      await killing;
    });
    expect(await root.putChunked("/file", body, headers).catch(() => null)).toBeNull();
  }
  expect(killing).toBeDefined();
  await killing;
  return null;
}

async function expectSound(user: string): Promise<void> {
  const checked = await runScript("check.mjs", ["--user", user], { HOLDFAST_STATE: server.state });
  expect(checked.stdout + checked.stderr).toContain(`The root of ${user} is sound`);
  const known = [...namedKeys(server.state), ...strayKeys(server.state)];
  expect(storedKeys(server.state).filter((key) => !known.includes(key))).toEqual([]);
}

describe("kill -9 during a large upload", () => {
  it(
    "MCP-031 MCP-032 leaves the old version or the new one, a sound root, and nothing in object storage once it was swept",
    async () => {
      const user = freshUser("upload-crash");
      const { accessToken } = await login(server.url, { user });
      const root = await FilesRoot.withToken(server.url, user, accessToken, "2026-07-28");
      let current = await root.store("/file", binary(size));
      for (let round = 0; round < counts.crashRounds; round++) {
        const bytes = binary(size);
        const isLast = round === counts.crashRounds - 1;
        const length = round % 2 === 1 ? {} : { "content-length": String(bytes.length) };
        const headers = { ...ifMatch(current), ...length };
        const answer = isLast
          ? await killInTheMiddle(root, bytes, headers)
          : await killDuringUpload(root, bytes, headers);
        if (isLast || counts.deep) await expectSound(user);
        if (isLast) ageStrays(server.state, blobGraceMs);
        await server.restart();
        const found = await root.get("/file");
        const hash = sha256(found.bytes);
        expect([found.status, found.headers.get("etag")]).toEqual([200, `"${hash}"`]);
        if (answer !== null) expect([answer.status, hash]).toEqual([200, sha256(bytes)]);
        else expect([current, ...(isLast ? [] : [sha256(bytes)])]).toContain(hash);
        current = hash;
      }
      await expect.poll(() => strayKeys(server.state), { timeout: 60_000, interval: 200 }).toEqual([]);
      expect(storedKeys(server.state)).toEqual(namedKeys(server.state));
      expect((await root.put("/file", "after", ifMatch(current))).status).toBe(200);
    },
    counts.crashRounds * roundMs,
  );
});
