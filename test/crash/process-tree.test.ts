// What ends a server together with everything that it started. Not here: that nothing listens afterwards (test/commands.test.ts).
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import { descendants, isAlive, stopTree } from "../../scripts/process-tree.mjs";

let parent: ChildProcess;
const pidOf = ({ pid }: ChildProcess) => pid ?? 0;
afterEach(() => stopTree(parent));

describe("the processes of a server", () => {
  it("all end with it", async () => {
    parent = spawn("sh", ["-c", "sleep 60 & wait"]);
    await expect.poll(() => descendants(pidOf(parent)).length).toBe(1);
    const family = [pidOf(parent), ...descendants(pidOf(parent))];
    expect(family.map(isAlive)).toEqual([true, true]);
    await stopTree(parent);
    await expect.poll(() => family.map(isAlive)).toEqual([false, false]);
  });

  it("are not waited for once they have ended, though their parent has not looked yet", async () => {
    // What takes the shell's place knows nothing of the child that the shell left to it.
    parent = spawn("sh", ["-c", "read line <&3 & echo started; exec sleep 60"], {
      stdio: ["ignore", "pipe", 2, "pipe"],
    });
    await once(parent.stdout as NonNullable<typeof parent.stdout>, "data");
    const [child = 0] = descendants(pidOf(parent));
    expect(isAlive(child)).toBe(true);
    parent.stdio[3]?.destroy();
    await expect.poll(() => isAlive(child)).toBe(false);
    expect(isAlive(pidOf(parent))).toBe(true);
  });
});
