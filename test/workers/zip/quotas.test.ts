// A sync against the quotas of the root. The counters are set near the limits by SQL, so `check` is not asked here.
import { beforeEach, describe, expect, it } from "vitest";
import { directoriesMax, filesMax, rootBytesMax } from "../../../src/domain/limits";
import { freshRoot, okValue } from "../root";
import { codeOf, good, source, ZipObject } from "./zip-object";

let zip: ZipObject;
beforeEach(async () => {
  zip = new ZipObject(freshRoot());
  await zip.put([{ name: "a", data: "one" }]);
  good(await zip.open());
  good(await zip.write("a", "two"));
});

async function setUsage(column: "files" | "directories" | "bytes", value: number): Promise<void> {
  await zip.root.sql(`UPDATE usage SET ${column} = ?`, value);
}

describe("contract, Quotas: a sync whose backup does not fit into the root", () => {
  it.each([
    ["files", filesMax],
    ["bytes", rootBytesMax],
  ] as const)("of %s is LIMIT_EXCEEDED, says what is used and allowed, and changes nothing", async (column, max) => {
    await setUsage(column, max);
    const before = await zip.sourceHash();
    const refused = await zip.sync();
    expect(codeOf(refused)).toBe("LIMIT_EXCEEDED");
    expect(refused).toMatchObject({
      error: { message: expect.stringContaining(`${column} of your root`), details: { limit: max } },
    });
    expect(await zip.sourceHash()).toBe(before);
    expect(await zip.sessions()).toMatchObject([{ state: "open", syncedAtMs: null }]);
    expect(good(await zip.status()).unsynced.modified).toEqual(["a"]);
  });

  it("of directories, which it would make, is LIMIT_EXCEEDED too; one that makes none goes through", async () => {
    okValue(await zip.root.create("/z.bak.zip", "somebody's own, so that the backup goes to a new folder"));
    await setUsage("directories", directoriesMax);
    expect(codeOf(await zip.sync())).toBe("LIMIT_EXCEEDED");
    const taken = await zip.root.sql<{ blob: string }>("SELECT blob FROM nodes WHERE path = '/z.bak.zip'");
    okValue(await zip.root.remove("/z.bak.zip", taken[0]?.blob ?? ""));
    expect(good(await zip.sync())).toMatchObject({ backupPath: "/z.bak.zip" });
    expect(await zip.root.sql("SELECT path FROM nodes WHERE path = ?", source)).toHaveLength(1);
  });
});
