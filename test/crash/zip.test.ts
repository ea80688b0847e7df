// kill -9 of the server in the middle of opens and syncs of zip archives, again and again on one state: the archive is the old or the new one,
// a session is there whole or not at all, nothing stays locked, and the check finds the root sound.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { counts } from "../counts";
import { freshUser, login } from "../harness/login";
import { runScript } from "../harness/run-script";
import { type Server, startServer } from "../harness/server";
import { connect } from "../harness/tool-root";
import { zipOf } from "../harness/zip-builder";
import { opened } from "../harness/zip-core";
import { ZipRoot } from "../zip/zip-root";

const roundMs = 120_000;
const filler = Uint8Array.from({ length: 3_000_000 }, (_, at) => (at * 2654435761) >>> 13);
const archive = zipOf([
  ...Array.from({ length: 1500 }, (_, index) => ({ name: `d${index % 20}/f${index}`, data: wordsOf(index) })),
  { name: "filler", data: filler, method: 0 },
]);

function wordsOf(index: number): string {
  return Array.from({ length: 200 }, (_, at) => `word${(index * 7919 + at * 104729) % 1000}`).join(" ");
}

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

describe("kill -9", () => {
  it(
    `during ${counts.zipCrashRounds / 2} opens and ${counts.zipCrashRounds / 2} syncs leaves the old archive or the new one, sessions whole or absent, and a sound root`,
    async () => {
      const user = freshUser("zip-crash");
      const { accessToken } = await login(server.url, { user });
      const root = ZipRoot.of(await connect(server.url, user, accessToken, "2026-07-28"));
      await root.put("/z.zip", archive);
      const wholeMs = await timesOf(root);
      let cutOff = 0;
      for (let round = 0; round < counts.zipCrashRounds; round++) {
        const isOpen = round % 2 === 0;
        if (!isOpen && (await root.ok("zipfs_sessions", {})).sessions.length === 0) {
          await root.ok("zipfs_open", { path: "/z.zip", name: "z" });
        }
        const before = await root.bytes("/z.zip");
        if (!isOpen) await root.ok("zipfs_write", { path: "round", content: `${round}`.repeat(1000) });
        const call = root
          .call(isOpen ? "zipfs_open" : "zipfs_sync", isOpen ? { path: "/z.zip", name: "z" } : {})
          .then(({ status }) => status === 200)
          .catch(() => false);
        await new Promise((done) => setTimeout(done, Math.random() * (isOpen ? wholeMs.open : wholeMs.sync)));
        await server.kill();
        if (!(await call)) cutOff++;

        const checked = await runScript("check.mjs", ["--user", user], { HOLDFAST_STATE: server.state });
        expect(checked.stdout + checked.stderr).toContain(`The root of ${user} is sound`);
        await server.restart();
        const { sessions } = await root.ok("zipfs_sessions", {});
        if (isOpen) {
          if (sessions.length === 0) await root.ok("zipfs_open", { path: "/z.zip", name: "z" });
          const files = (await opened(before)).files.size;
          expect(await root.ok("zipfs_status", {})).toMatchObject({
            modified: [],
            added: [],
            deleted: [],
            unchanged_count: files,
          });
          await root.ok("zipfs_close", {});
        } else {
          expect(sessions).toMatchObject([{ state: "open" }]);
          const now = await root.bytes("/z.zip");
          const { files } = await opened(now);
          const isNew = Buffer.compare(now, before) !== 0;
          const written = new TextDecoder().decode(files.get("round"));
          expect(written === `${round}`.repeat(1000)).toBe(isNew);
          expect((await root.ok("zipfs_sync", {})).unchanged).toBe(isNew);
          await root.ok("zipfs_close", {});
        }
      }
      console.info(`${cutOff} of ${counts.zipCrashRounds} calls were cut off`);
    },
    counts.zipCrashRounds * roundMs,
  );
});

/** How long an open and a sync take when nobody kills them: the kill is to fall into that time. */
async function timesOf(root: ZipRoot): Promise<{ open: number; sync: number }> {
  const started = performance.now();
  await root.ok("zipfs_open", { path: "/z.zip", name: "z" });
  const opened = performance.now();
  await root.ok("zipfs_write", { path: "round", content: "none yet" });
  const written = performance.now();
  await root.ok("zipfs_sync", {});
  const synced = performance.now();
  await root.ok("zipfs_close", {});
  return { open: opened - started, sync: synced - written };
}
