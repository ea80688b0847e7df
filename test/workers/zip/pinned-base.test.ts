// The archive that a session stands on stays readable as long as the session lives, whatever becomes of the source, and no longer.
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { clock, dayMs } from "../clock";
import { freshRoot, okValue } from "../root";
import { codeOf, good, noise, source, ZipObject } from "./zip-object";

beforeEach(() => clock.reset());
afterAll(() => vi.useRealTimers());

/** Longer than former versions are kept, with all that the collector does. */
async function twoMonths(zip: ZipObject): Promise<void> {
  for (let round = 0; round < 8; round++) {
    clock.advance(8 * dayMs);
    await zip.root.ring();
  }
}

describe.each([
  ["small", 1000],
  ["large", 1_500_000],
])("zipfs.md §6.3, §6.6: a %s archive whose source was removed two months ago", (_, size) => {
  it("is what a forced sync is built from; once the session is closed it is collected", async () => {
    const zip = new ZipObject(freshRoot());
    const filler = noise(size);
    const first = await zip.put([
      { name: "filler", data: filler, method: 0 },
      { name: "a", data: "one" },
    ]);
    good(await zip.open());
    okValue(await zip.root.remove(source, first));
    await twoMonths(zip);
    good(await zip.write("a", "two"));
    expect(codeOf(await zip.sync())).toBe("ZIP_NOT_FOUND");
    expect(good(await zip.sync(true))).toMatchObject({ backupPath: "", modified: 1 });
    good(await zip.close());
    good(await zip.open());
    expect(good(await zip.read("a")).content).toBe("two");
    expect(good(await zip.read("filler")).totalSize).toBe(size);
    good(await zip.close());
    await twoMonths(zip);
    const hashes = (await zip.root.sql<{ hash: string }>("SELECT hash FROM blobs")).map(({ hash }) => hash);
    expect(hashes).toEqual([await zip.sourceHash()]);
    expect(hashes).not.toContain(first);
    await zip.root.expectSound();
  });
});
