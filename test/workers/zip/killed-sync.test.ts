// A sync whose object dies at its last step: the old archive and the open session stay, and after the sweeps nothing of the new archive
// does. Every other step: faults.test.ts. Opens: deposits.test.ts.
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { clock, hourMs } from "../clock";
import { interfering } from "../interference";
import { freshFaultyRoot } from "../root";
import { good, noise, ZipObject } from "./zip-object";

beforeEach(() => {
  clock.reset();
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterAll(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** What the object keeps of contents: those that something names, and all keys in object storage. */
async function kept(zip: ZipObject): Promise<{ hashes: string[]; keys: string[] }> {
  const rows = await zip.root.sql<{ hash: string }>("SELECT hash FROM blobs ORDER BY hash");
  return { hashes: rows.map(({ hash }) => hash), keys: (await zip.root.objectKeys()).sort() };
}

async function sweep(zip: ZipObject): Promise<void> {
  for (let round = 0; round < 6; round++) {
    clock.advance(hourMs);
    await zip.root.ring();
  }
}

describe.each([
  ["small archive", 1000],
  ["large archive", 1_500_000],
])("zipfs.md §6.1: a sync of a %s that dies before its transaction ends", (_, size) => {
  it("leaves the old archive, the session open, and no garbage after the sweeps; the next sync succeeds", async () => {
    const zip = new ZipObject(freshFaultyRoot());
    await zip.put([
      { name: "filler", data: noise(size), method: 0 },
      { name: "a", data: "one" },
    ]);
    good(await zip.open());
    good(await zip.write("a", "two"));
    await sweep(zip);
    const [before, source] = [await kept(zip), await zip.sourceHash()];
    await interfering(
      zip.root.id,
      ({ name, moment }) => {
        if (name === "exec INSERT INTO zip_indexes" && moment === "before") throw new Error("injected");
      },
      () => zip.root.attempt((inside) => new ZipObject(inside).sync()),
    );
    await zip.root.evict();
    expect(await zip.sourceHash()).toBe(source);
    expect(await zip.sessions()).toMatchObject([{ state: "open", syncedAtMs: null }]);
    expect((await kept(zip)).hashes.length).toBeGreaterThan(before.hashes.length);
    await sweep(zip);
    expect(await kept(zip)).toEqual(before);
    await zip.root.expectSound();
    expect(good(await zip.sync())).toMatchObject({ unchanged: false, modified: 1 });
  });
});
