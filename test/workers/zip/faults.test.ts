// Every storage call of open, sync and close fails once (in short runs some of them), before and after it takes effect: the source is the old or the new one and never less,
// a session is there whole or not at all, and a second try succeeds.
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { counts, seed } from "../../counts";
import { clock } from "../clock";
import { callsOf, everyFault, withFault } from "../faults/failing";
import { freshFaultyRoot, type TestRoot } from "../root";
import { codeOf, good, noise, ZipObject } from "./zip-object";

beforeAll(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterAll(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Without `HOLDFAST_DEEP` one call of so many fails, each time others. */
const faultStep = counts.deep ? 1 : 8;

type Operation = (zip: ZipObject) => Promise<{ ok: boolean; error?: { code: string } }>;

async function closed(large: boolean): Promise<ZipObject> {
  clock.reset();
  const zip = new ZipObject(freshFaultyRoot());
  await zip.put([
    { name: "a", data: "one" },
    { name: "d/b", data: "two" },
    ...(large ? [{ name: "big", data: noise(1_200_000), method: 0 }] : []),
  ]);
  return zip;
}

async function edited(large: boolean): Promise<ZipObject> {
  const zip = await closed(large);
  good(await zip.open());
  good(await zip.write("a", "changed"));
  good(await zip.write("n/new", "new"));
  good(await zip.delete("d"));
  return zip;
}

async function eachFault(
  prepare: () => Promise<ZipObject>,
  operation: Operation,
  judge: (zip: ZipObject, before: string | null) => Promise<void>,
): Promise<number> {
  const whole = await prepare();
  const on = (root: TestRoot) => operation(new ZipObject(root));
  const faults = [...everyFault(await callsOf(whole.root, on))].filter(({ name }) => !name.includes("Alarm"));
  for (const fault of faults.filter((_, index) => index % faultStep === seed % faultStep)) {
    const zip = await prepare();
    const before = await zip.sourceHash();
    await withFault(zip.root, fault, on);
    await zip.root.evict();
    await zip.root.expectSound();
    await judge(zip, before);
  }
  return faults.length;
}

describe.each([
  ["small", false],
  ["large", true],
])("a storage call that fails during work on a %s archive", (_, large) => {
  it("leaves no part of a workspace when it is an open", { timeout: 600_000 }, async () => {
    const faults = await eachFault(
      () => closed(large),
      (zip) => zip.open(),
      async (zip, before) => {
        const sessions = await zip.sessions();
        if (sessions.length === 0) {
          expect(await zip.root.sql("SELECT path FROM nodes WHERE path LIKE '/.zipfs%'")).toEqual([]);
          good(await zip.open());
        }
        expect(good(await zip.status())).toMatchObject({
          modified: [],
          added: [],
          deleted: [],
          unchangedCount: large ? 3 : 2,
        });
        expect(await zip.sourceHash()).toBe(before);
      },
    );
    expect(faults).toBeGreaterThan(20);
  });

  it("leaves the old archive or the new one when it is a sync, and the session open", {
    timeout: 600_000,
  }, async () => {
    const faults = await eachFault(
      () => edited(large),
      (zip) => zip.sync(),
      async (zip, before) => {
        expect(await zip.sessions()).toMatchObject([{ state: "open" }]);
        const isNew = (await zip.sourceHash()) !== before;
        const { unsynced } = good(await zip.status());
        expect(unsynced.modified).toEqual(isNew ? [] : ["a"]);
        expect(good(await zip.sync())).toMatchObject({ unchanged: isNew });
        good(await zip.close());
        good(await zip.open());
        expect(good(await zip.read("a")).content).toBe("changed");
      },
    );
    expect(faults).toBeGreaterThan(40);
  });

  it("leaves the session whole or gone when it is a close", { timeout: 600_000 }, async () => {
    await eachFault(
      () => edited(large),
      (zip) => zip.close(),
      async (zip, before) => {
        expect(await zip.sourceHash()).toBe(before);
        if ((await zip.sessions()).length === 0) {
          expect(await zip.root.sql("SELECT path FROM nodes WHERE path LIKE '/.zipfs/workspaces/%'")).toEqual([]);
          expect(codeOf(await zip.close())).toBe("NO_SESSIONS");
        } else {
          expect(good(await zip.status()).unsynced.modified).toEqual(["a"]);
          good(await zip.close());
        }
      },
    );
  });
});
