/** Every storage call of an object that wakes with edits that wait fails once: the next call finds all of them. Faults later on: settle.test.ts. */
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { clock } from "../clock";
import { interfering, type StorageCall } from "../interference";
import { freshFaultyRoot, okValue, type TestRoot } from "../root";
import { waitingIn } from "../waiting";
import { everyFault } from "./failing";

beforeAll(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterAll(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Two files with edits that wait, in an object that is gone from memory. */
async function asleep(): Promise<TestRoot> {
  clock.reset();
  const root = freshFaultyRoot();
  const hashes = new Map<string, string>();
  for (const path of ["/a", "/b"]) {
    hashes.set(path, okValue(await root.create(path, "0\n")));
    okValue(await root.read(path));
  }
  for (let number = 1; number <= 3; number++) {
    for (const [path, hash] of hashes) hashes.set(path, okValue(await root.append(path, hash, `${number}\n`)).hash);
  }
  expect(await waitingIn(root)).toBe(6);
  await root.evict();
  return root;
}

/** The calls of an object that comes to be, up to the first work that it is asked for. */
async function wake(root: TestRoot, fault: StorageCall | null): Promise<string[]> {
  const names: string[] = [];
  const interfere = ({ index, name, moment }: StorageCall) => {
    if (moment === "before") names.push(name);
    if (index === fault?.index && moment === fault.moment) throw new Error(`injected ${moment} ${name}`);
  };
  await interfering(root.id, interfere, () => waitingIn(root).catch(() => {}));
  return names;
}

it("loses none of the edits that wait, whatever fails while the object wakes", { timeout: 120_000 }, async () => {
  const names = await wake(await asleep(), null);
  expect(names).toContain("exec SELECT seq, path,");
  for (const fault of everyFault(names)) {
    const told = `${fault.moment} call ${fault.index}, ${fault.name}`;
    const root = await asleep();
    await wake(root, fault);
    for (const path of ["/a", "/b"]) expect(okValue(await root.read(path)).content, told).toBe("0\n1\n2\n3\n");
    await root.expectSound();
  }
});
