// npm run check: when it may run, what a sound and a damaged root are told, and what a client is told of the damage.
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshUser } from "../harness/login";
import { type Finished, runScript } from "../harness/run-script";
import { freePort, type Server, startServer } from "../harness/server";
import { TextRoot } from "../text/text-root";

const timeoutMs = 120_000;
const large = `${"x".repeat(1023)}\n`.repeat(2048);

let server: Server;
let root: TextRoot;
beforeAll(async () => {
  server = await startServer();
  root = await TextRoot.signIn({ url: server.url, user: freshUser("check") });
  await root.create("/notes/small.md", "small\n");
  await root.create("/large.md", large);
});
afterAll(() => server.stop());

const check = (user: string): Promise<Finished> =>
  runScript("check.mjs", ["--user", user], { HOLDFAST_STATE: server.state });

describe("npm run check", () => {
  it("wants a user", async () => {
    const { code, stderr } = await runScript("check.mjs");
    expect(code).toBe(2);
    expect(stderr).toContain("--user is missing");
    expect(stderr).toContain("usage: npm run check -- --user NAME");
  });

  it("refuses while a server runs on the state, and so does a second server", async () => {
    const refused = await check(root.user);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(`"npm start" is using this state (process ${server.pid}, port ${server.port})`);
    const second = await runScript("start.mjs", [], { PORT: String(await freePort()), HOLDFAST_STATE: server.state });
    expect(second.code).toBe(1);
    expect(second.stderr).toContain(`"npm start" is using this state (process ${server.pid}, port ${server.port})`);
    expect(second.stderr).toContain("HOLDFAST_STATE=");
    expect((await root.read("/notes/small.md")).content).toBe("small\n");
  });

  it(
    "finds a sound root sound once the server is gone, and says of a user without a root that there is none",
    async () => {
      await server.kill();
      expect(await check(root.user)).toMatchObject({
        code: 0,
        stdout: `The root of ${root.user} is sound: 2 files, 2 directories, 2 contents, 0 snapshots, every byte read.\n`,
      });
      const nobody = await check("nobody-at-all");
      expect(nobody).toMatchObject({ code: 2, stdout: "" });
      expect(nobody.stderr).toContain("nobody-at-all has no root in");
    },
    timeoutMs,
  );

  it(
    "names what a damaged root lacks and exits with 1; a client is told of a fault by its id alone, and nothing of the cause",
    async () => {
      const bucket = join(server.state, "v3", "r2", "holdfast-blobs", "blobs");
      const [object = "", ...others] = await readdir(bucket);
      expect(others).toEqual([]);
      const bytes = await readFile(join(bucket, object));
      await writeFile(join(bucket, object), Buffer.from(bytes).fill("y", 100, 101));
      const changed = await check(root.user);
      expect(changed.code).toBe(1);
      expect(changed.stdout).toContain(`The root of ${root.user} has `);
      expect(changed.stdout).toMatch(/blobs can be read: blob [0-9a-f]{64} has other bytes/);
      expect(changed.stdout).toMatch(/blobs can be read: \/large\.md names [0-9a-f]{64}, which cannot be read/);

      await server.restart();
      const refusal = await root.refused("text.read", { path: "/large.md" });
      const id = refusal.details?.id as string;
      expect(refusal).toEqual({
        code: "INTERNAL",
        message: `Internal error ${id}. Nothing was changed. Try again.`,
        details: { id },
      });
      expect(id).toMatch(/^[0-9a-f-]{36}$/);
      await expect.poll(() => server.log(), { timeout: 30_000 }).toContain(id);
      // The rest of the root is as it was.
      expect((await root.read("/notes/small.md")).content).toBe("small\n");

      await server.kill();
      await rm(join(bucket, object));
      expect((await check(root.user)).code).toBe(1);
      await writeFile(join(bucket, object), bytes);
      expect((await check(root.user)).code).toBe(0);
    },
    timeoutMs,
  );
});
