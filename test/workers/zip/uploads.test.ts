// Raw bytes into the workspace of a zip session, by PUT, while it lives and when it ends on the way.
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { blobSettleMs } from "../../../src/domain/limits";
import { clock } from "../clock";
import { freshRoot } from "../root";
import { binary, mib, send } from "../uploads";
import { good, ZipObject } from "./zip-object";

const path = "/.zipfs/workspaces/s/contents/in/new";

let zip: ZipObject;
beforeEach(async () => {
  clock.reset();
  zip = new ZipObject(freshRoot());
  await zip.put([{ name: "a", data: "one" }]);
  good(await zip.open());
});
afterAll(() => vi.useRealTimers());

async function expectNoWorkspace(): Promise<void> {
  expect(await zip.root.sql("SELECT path FROM nodes WHERE path LIKE '/.zipfs/workspaces/%'")).toEqual([]);
  for (let round = 0; round < 4; round++) {
    clock.advance(blobSettleMs);
    await zip.root.ring();
  }
  // What is left is the copy of the archive.
  expect(await zip.root.objectKeys()).toHaveLength(1);
  await zip.root.expectSound();
}

describe.each([1000, 2 * mib])("zipfs.md §1.3: an upload of %i bytes into a workspace", (size) => {
  const bytes = binary(size);
  const length = { declared: size };

  it("is an edit like any other: status names it, and a sync packs it", async () => {
    expect(await send(zip.root, path, bytes, length)).toMatchObject({ ok: true, value: { created: true } });
    expect(good(await zip.status()).unsynced.added).toEqual(["in/new"]);
    expect(good(await zip.sync())).toMatchObject({ added: 1 });
  });

  it("is refused when the session is closed while the bytes are on their way, and leaves nothing", async () => {
    const during = { afterBytes: Math.min(size / 2, mib), work: async () => void good(await zip.close()) };
    const answer = await send(zip.root, path, bytes, { ...length, during });
    expect(answer).toMatchObject({
      ok: false,
      error: { reason: "invalid", message: expect.stringContaining("/.zipfs") },
    });
    await expectNoWorkspace();
  });
});
