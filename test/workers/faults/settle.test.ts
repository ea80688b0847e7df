/**
 * Every storage call fails once while edits that wait come into the tables, and while an edit comes into the journal: what was acknowledged
 * is there, what was refused never is. The same for other operations: mutations.test.ts.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { clock } from "../clock";
import type { StorageCall } from "../interference";
import { freshFaultyRoot, okValue, type TestRoot } from "../root";
import { stateOf } from "../state";
import { waitingIn } from "../waiting";
import { callsOf, chosenFaults, everyFault, withFault } from "./failing";

const paths = ["/a", "/b/c"];

beforeAll(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterAll(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Two files, whose edits wait: one with a history that is full, one that went there and back. */
async function prepared(editCount: number): Promise<TestRoot> {
  clock.reset();
  const root = freshFaultyRoot();
  const work = await root.attempt(async (inside) => {
    let hash: string = okValue(await inside.create("/a", "0\n"));
    for (let number = 1; number < 20; number++) hash = okValue(await inside.append("/a", hash, `${number}\n`)).hash;
    let other: string = okValue(await inside.create("/b/c", "A\n"));
    // Texts that are remembered: to read one settles.
    await contents(inside);
    await inside.usage();
    for (let number = 0; number < editCount; number++) {
      hash = okValue(await inside.append("/a", hash, `more ${number}\n`)).hash;
      other = okValue(await inside.rewrite("/b/c", other, number % 2 === 0 ? "B\n" : "A\n")).hash;
    }
  });
  if (work instanceof Error) throw work;
  return root;
}

/** All of them where few edits wait, but for those of the alarm, which keep nothing from being done (alarm-clock.test.ts). */
function faultsFor(editCount: number, names: readonly string[]): StorageCall[] {
  const faults = editCount <= 4 ? [...everyFault(names)] : chosenFaults(names);
  return faults.filter(({ name }) => name !== "getAlarm" && name !== "setAlarm");
}

/** Settles what waits. */
async function look(root: TestRoot): Promise<void> {
  await root.usage();
}

async function contents(root: TestRoot): Promise<string[]> {
  return Promise.all(paths.map(async (path) => okValue(await root.read(path)).content));
}

describe.each([1, 4, 30])("a storage call that fails while %i edits of each file come into the tables", (editCount) => {
  it.each([
    ["and the object lives on", false],
    ["and the object goes", true],
  ])("loses none of them, and the next look succeeds, %s", { timeout: 300_000 }, async (_, evicts) => {
    const whole = await prepared(editCount);
    expect(await waitingIn(whole)).toBe(2 * editCount);
    const expected = await contents(await prepared(editCount));
    const names = await callsOf(whole, look);
    const after = await stateOf(whole);
    expect(names).toContain("transaction");
    for (const fault of faultsFor(editCount, names)) {
      const told = `${fault.moment} call ${fault.index}, ${fault.name}`;
      const root = await prepared(editCount);
      expect(await withFault(root, fault, look), told).toBeInstanceOf(Error);
      if (evicts) await root.evict();
      expect(await contents(root), told).toEqual(expected);
      expect(await stateOf(root), told).toEqual(after);
      await root.expectSound();
    }
  });

  it("loses none of those that follow", { timeout: 300_000 }, async () => {
    const names = await callsOf(await prepared(editCount), look);
    for (const fault of faultsFor(editCount, names)) {
      const told = `${fault.moment} call ${fault.index}, ${fault.name}`;
      const root = await prepared(editCount);
      await withFault(root, fault, look);
      const { content, hash } = okValue(await root.read("/a"));
      const next = okValue(await root.append("/a", hash, "next\n")).hash;
      okValue(await root.append("/a", next, "last\n"));
      await root.evict();
      expect(okValue(await root.read("/a")).content, told).toBe(`${content}next\nlast\n`);
      await root.expectSound();
    }
  });
});

describe("an edit whose row fails", () => {
  it.each(["the object lives on", "the object goes"])("never appears, and can be made again: %s", async (end) => {
    const edit = (root: TestRoot, hash: string) => root.append("/a", hash, "wanted\n");
    const whole = await prepared(2);
    const hash = okValue(await whole.read("/a")).hash;
    const names = await callsOf(whole, (inside) => edit(inside, hash));
    const faults = [...everyFault(names)].filter(({ name }) => name === "exec INSERT INTO edit_journal");
    expect(faults).toHaveLength(2);
    for (const fault of faults) {
      const root = await prepared(2);
      const before = await contents(root);
      expect(await withFault(root, fault, (inside) => edit(inside, hash))).toBeInstanceOf(Error);
      expect(await waitingIn(root)).toBe(4);
      if (end === "the object goes") await root.evict();
      expect(await contents(root)).toEqual(before);
      expect(okValue(await edit(root, hash))).toMatchObject({ alreadyApplied: false });
      if (end === "the object goes") await root.evict();
      expect(await contents(root)).toEqual([`${before[0]}wanted\n`, before[1]]);
      await root.expectSound();
    }
  });
});

describe("edits that could not come into the tables", () => {
  it("are read from their rows again, also where that fails at first", async () => {
    for (const moment of ["before", "after"] as const) {
      const settle = await callsOf(await prepared(4), look);
      const fault = { index: settle.indexOf("transaction"), name: "transaction", moment };
      const whole = await prepared(4);
      const expected = await contents(whole);
      await withFault(whole, fault, look);
      const again = await callsOf(whole, look);
      expect(again[0]).toBe("exec SELECT seq, path,");
      for (const second of faultsFor(4, again)) {
        const root = await prepared(4);
        await withFault(root, fault, look);
        expect(await withFault(root, second, look)).toBeInstanceOf(Error);
        expect(await contents(root), `${second.moment} call ${second.index}, ${second.name}`).toEqual(expected);
        await root.expectSound();
      }
    }
  });
});
