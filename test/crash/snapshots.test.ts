// kill -9 while snapshots are made, patched and restored: what was acknowledged is there, byte for byte, nothing dangles, the check finds nothing.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { counts } from "../counts";
import { freshUser, login } from "../harness/login";
import { runScript } from "../harness/run-script";
import { type Server, startServer } from "../harness/server";
import { connect } from "../harness/tool-root";
import { SnapshotRoot, type SnapshotTool } from "../snapshot/snapshot-root";

const roundMs = 120_000;
const callsBeforeKill = 25;

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

/** Every snapshot that was acknowledged, and its bundle's hash if that was told. */
type Acknowledged = Map<string, string | null>;

/** Patches a file of the live tree, captures it, patches the capture, restores that and then the first, until the server is gone. */
class Recorder {
  calls = 0;
  /** Restores that brought back another content. */
  restores = 0;
  /** Answers that no crash explains. */
  readonly surprises: string[] = [];
  private made = 0;
  /** The content as last acknowledged, and what a call without an answer may have made of it. */
  private live = "0";
  private pending = "0";

  constructor(
    private readonly root: SnapshotRoot,
    private readonly name: string,
    private readonly acknowledged: Acknowledged,
  ) {}

  async workUntilGone(): Promise<void> {
    while (await this.round().catch(() => false)) this.calls++;
  }

  private async round(): Promise<boolean> {
    const next = `${++this.made}`;
    const patch = this.patch(this.live, next);
    // Another recorder's write may come in between, three times in a row.
    if (!(await this.change(next, "workspace.apply_patch", { patch }, "REPO_CHANGED"))) return true;

    const snapshot_id = await this.root.snapshot([this.name]);
    this.acknowledged.set(snapshot_id, null);
    const { summary } = await this.root.ok("snapshot.export", { snapshot_id });
    this.acknowledged.set(snapshot_id, summary.bundle_sha256);
    const fork = await this.root.ok("workspace.apply_patch", { snapshot_id, patch: this.patch(next, "fork") });
    this.acknowledged.set(fork.snapshot_id, null);
    await this.restore(fork.snapshot_id, "fork");
    await this.restore(snapshot_id, next);
    return true;
  }

  /** Under a lease that may be stale by now; then nothing is done. */
  private async restore(snapshot_id: string, content: string): Promise<void> {
    const isOther = this.live !== content;
    const args = { snapshot_id, lease_id: await this.root.lease(), paths: [this.name] };
    if ((await this.change(content, "workspace.restore", args, "STALE_LEASE")) && isOther) this.restores++;
  }

  /** Did the call make this of the file? If not, for that one reason. */
  private async change(content: string, tool: SnapshotTool, args: object, reason: string): Promise<boolean> {
    this.pending = content;
    const { isError, value } = await this.root.result(tool, args);
    const { error, rejects = [] } = value as { error?: { code: string }; rejects?: unknown[] };
    if (isError ? error?.code !== reason : rejects.length > 0) this.surprises.push(JSON.stringify(value));
    if (!isError) this.live = content;
    this.pending = this.live;
    return !isError;
  }

  private patch(from: string, to: string): string {
    return `--- a/${this.name}\n+++ b/${this.name}\n@@ -1 +1 @@\n-${from}\n+${to}\n`;
  }

  /** After a crash the call without an answer may have arrived. */
  async settle(): Promise<void> {
    const { content } = await this.root.ok("text.read", { path: this.name });
    expect([this.live, this.pending]).toContain(content.trim());
    this.live = content.trim();
    this.pending = this.live;
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
        expect(recorders.flatMap((recorder) => recorder.surprises)).toEqual([]);

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
      expect(recorders.reduce((sum, { restores }) => sum + restores, 0)).toBeGreaterThan(0);
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
