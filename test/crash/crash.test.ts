// kill -9 of the server while it writes, again and again on one state: every acknowledged write is there with its hash, sessions go on, and the check finds nothing.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { counts } from "../counts";
import { freshUser, login } from "../harness/login";
import { runScript } from "../harness/run-script";
import { type Server, startServer } from "../harness/server";
import { type Era, eras, TextRoot } from "../text/text-root";
import { Ledger } from "./ledger";
import { Writer } from "./writer";

const writerCount = 6;
/** Writes of a round before the kill; then it comes at any moment. */
const writesBeforeKill = 60;
const roundMs = 120_000;

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

describe("kill -9 under write load", () => {
  it(
    "MCP-031 MCP-033 loses no acknowledged write, and leaves a root that the check finds sound",
    async () => {
      const user = freshUser("crash");
      const { accessToken } = await login(server.url, { user });
      // Signed in once: tokens and sessions outlive every crash.
      const roots = await Promise.all(
        Array.from({ length: writerCount }, (_, n) =>
          TextRoot.withToken(server.url, user, accessToken, eras[n % eras.length] as Era),
        ),
      );
      const ledger = new Ledger();
      for (let round = 0; round < counts.crashRounds; round++) {
        const enough = ledger.acknowledgedCount + writesBeforeKill;
        const writers = roots.map((root, n) =>
          new Writer(root, `/round-${round}/writer-${n}`, ledger).writeUntilGone(),
        );
        const load = Promise.all(writers);
        await Promise.race([load, reached(() => ledger.acknowledgedCount >= enough)]);
        await pause(Math.random() * 300);
        await server.kill();
        await load;
        expect(ledger.acknowledgedCount).toBeGreaterThanOrEqual(enough);

        const checked = await runScript("check.mjs", ["--user", user], { HOLDFAST_STATE: server.state });
        expect(checked.stdout + checked.stderr).toContain(`The root of ${user} is sound`);
        expect(checked.code).toBe(0);

        await server.restart();
        expect(await surprises(roots, ledger)).toEqual([]);
      }
    },
    counts.crashRounds * roundMs,
  );
});

/** Paths that hold what they may not. */
async function surprises(roots: readonly TextRoot[], ledger: Ledger): Promise<string[]> {
  const wrong: string[] = [];
  const paths = ledger.paths();
  await Promise.all(
    roots.map(async (root) => {
      for (let path = paths.pop(); path !== undefined; path = paths.pop()) {
        const { isError, value } = await root.result("text.read", { path, lines: [1, 1] });
        if (isError) expect(value).toMatchObject({ error: { code: "NOT_FOUND" } });
        const found = isError ? null : (value.hash as string);
        if (!ledger.settle(path, found)) wrong.push(`${path} is ${found}`);
      }
    }),
  );
  return wrong;
}

async function reached(condition: () => boolean): Promise<void> {
  while (!condition()) await pause(5);
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
