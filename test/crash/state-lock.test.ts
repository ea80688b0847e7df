// The lock on a local state: held by one program, and never in the way of the next one when that is gone.
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { lockState, StateInUse } from "../../scripts/state-lock.mjs";

let state: string;
let file: string;
beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), "holdfast-lock-"));
  file = join(state, "holdfast.lock");
});
afterEach(() => rm(state, { recursive: true, force: true }));

interface LockFile {
  readonly id: string;
  readonly what: string;
  readonly processes: readonly { readonly pid: number; readonly started: string }[];
}
const held = async () => JSON.parse(await readFile(file, "utf8")) as LockFile;
const facts = { what: "npm start", port: 8787 };

describe("the lock on a state", () => {
  it("is held by one program, named in the refusal of the next", async () => {
    await lockState(state, facts);
    const refused = lockState(state, { what: "npm run check" });
    await expect(refused).rejects.toThrow(StateInUse);
    await expect(refused).rejects.toThrow(`"npm start" is using this state (process ${process.pid}, port 8787)`);
    expect((await held()).what).toBe("npm start");
  });

  it("is given to one of many that ask at once", async () => {
    const asked = await Promise.allSettled(Array.from({ length: 8 }, () => lockState(state, facts)));
    expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it.each([
    ["of a process that is gone", '{"id":"x","what":"npm start","processes":[{"pid":999999999,"started":"a 1"}]}'],
    [
      "of a process whose id another has now",
      `{"id":"x","what":"npm start","processes":[{"pid":${process.pid},"started":"a 1"}]}`,
    ],
    ["that a crash cut off", '{"id":"x","what":"npm st'],
    ["that is empty", ""],
  ])("is taken over from a file %s", async (_what, left) => {
    await writeFile(file, left);
    await lockState(state, facts);
    const { id, processes } = await held();
    expect(id).not.toBe("x");
    expect(processes.map(({ pid }) => pid)).toEqual([process.pid]);
  });

  it("waits for what a killed program started to end, as it does a moment after it", async () => {
    const child = spawn("sleep", ["1"]);
    const lock = await lockState(state, facts);
    lock.add([child.pid ?? 0]);
    const { processes, ...rest } = await held();
    await writeFile(
      file,
      JSON.stringify({ ...rest, processes: [{ pid: 999999999, started: "a 1" }, ...processes.slice(1)] }),
    );
    await lockState(state, { what: "npm run check" });
    expect((await held()).what).toBe("npm run check");
    expect(child.exitCode).toBe(0);
  });
});
