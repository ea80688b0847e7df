// kill -9 while snapshots are made, patched and restored: what was acknowledged is there, byte for byte, nothing dangles, the check finds nothing.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { counts } from "../counts";
import { freshUser, login } from "../harness/login";
import { runScript } from "../harness/run-script";
import { type Server, startServer } from "../harness/server";
import { connect } from "../harness/tool-root";
import { SnapshotRoot } from "../snapshot/snapshot-root";

const roundMs = 120_000;
const callsBeforeKill = 25;

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

/** Every snapshot that was acknowledged, and its bundle's hash if that was told. */
type Acknowledged = Map<string, string | null>;

/** Patches a counter in the live tree, captures it, patches the capture and restores it, until the server is gone. */
class Recorder {
  calls = 0;
  /** The counter as last acknowledged. */
  count = 0;

  constructor(
    private readonly root: SnapshotRoot,
    private readonly name: string,
    private readonly acknowledged: Acknowledged,
  ) {}

  async workUntilGone(): Promise<void> {
    while (await this.round().catch(() => false)) this.calls++;
  }

  private async round(): Promise<boolean> {
    const next = this.count + 1;
    const patch = `--- a/${this.name}\n+++ b/${this.name}\n@@ -1 +1 @@\n-${this.count}\n+${next}\n`;
    const answer = await this.root.call("workspace.apply_patch", { patch });
    if (answer.status !== 200) return false;
    const { rejects, error } = answer.body.result.structuredContent;
    // Another recorder's write came in between, three times in a row.
    if (error?.code === "REPO_CHANGED") return true;
    expect({ rejects, error }).toEqual({ rejects: [], error: undefined });
    this.count = next;

    const snapshot_id = await this.root.snapshot([this.name]);
    this.acknowledged.set(snapshot_id, null);
    const { summary } = await this.root.ok("snapshot.export", { snapshot_id });
    this.acknowledged.set(snapshot_id, summary.bundle_sha256);
    const forked = await this.root.ok("workspace.apply_patch", {
      snapshot_id,
      patch: `--- a/${this.name}\n+++ b/${this.name}\n@@ -1 +1 @@\n-${next}\n+fork\n`,
    });
    this.acknowledged.set(forked.snapshot_id, null);
    // Restores under a lease that may be stale by now; either way nothing is lost.
    await this.root.result("workspace.restore", { snapshot_id, lease_id: await this.root.lease(), paths: [this.name] });
    return true;
  }

  /** After a crash the patch without an answer may have arrived. */
  async settle(): Promise<void> {
    const { content } = await this.root.ok("text.read", { path: this.name });
    const found = Number(content);
    expect([this.count, this.count + 1]).toContain(found);
    this.count = found;
  }
}

describe("kill -9 during create, patch and restore", () => {
  it(
    "seed 002 §2.4: leaves every acknowledged snapshot readable with the same bytes, and a sound root",
    async () => {
      const user = freshUser("snapshots");
      const { accessToken } = await login(server.url, { user });
      const root = new SnapshotRoot(await connect(server.url, user, accessToken, "2026-07-28"));
      const acknowledged: Acknowledged = new Map();
      const recorders = ["one", "two", "three"].map((name) => new Recorder(root, name, acknowledged));
      await root.create({ one: "0\n", two: "0\n", three: "0\n" });
      for (let round = 0; round < counts.crashRounds; round++) {
        const total = () => recorders.reduce((sum, recorder) => sum + recorder.calls, 0);
        const enough = total() + callsBeforeKill;
        const load = Promise.all(recorders.map((recorder) => recorder.workUntilGone()));
        await Promise.race([load, reached(() => total() >= enough)]);
        await pause(Math.random() * 200);
        await server.kill();
        await load;
        expect(total()).toBeGreaterThanOrEqual(enough);

        const checked = await runScript("check.mjs", ["--user", user], { HOLDFAST_STATE: server.state });
        expect(checked.stdout + checked.stderr).toContain(`The root of ${user} is sound`);
        await server.restart();
        for (const recorder of recorders) await recorder.settle();
        for (const [snapshot_id, bundle] of acknowledged) {
          const { summary } = await root.ok("snapshot.export", { snapshot_id });
          if (bundle !== null) expect(summary.bundle_sha256).toBe(bundle);
          else acknowledged.set(snapshot_id, summary.bundle_sha256);
        }
      }
    },
    counts.crashRounds * roundMs,
  );
});

async function reached(condition: () => boolean): Promise<void> {
  while (!condition()) await pause(5);
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
