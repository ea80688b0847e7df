/** An edit waits only if what it changes is at hand when it comes into the tables, also where another text with the same content is remembered. */
import { afterAll, beforeEach, expect, it, vi } from "vitest";
import { blobSettleMs, rootBytesMax } from "../../src/domain/limits";
import { clock, dayMs } from "./clock";
import { freshRoot, okValue } from "./root";

const shared = "the same\n";

beforeEach(() => {
  clock.reset();
});
afterAll(() => {
  vi.useRealTimers();
});

it("edits of a cold content that another file has had for a moment are there when somebody looks, and after eviction", async () => {
  const root = freshRoot();
  const cold = okValue(await root.create("/cold", shared));
  clock.advance(blobSettleMs);
  await root.ring();
  clock.advance(8 * dayMs);
  await root.ring();
  expect(await root.sql("SELECT 1 FROM blobs WHERE is_inline = 0")).toHaveLength(1);

  let hash: string = okValue(await root.create("/other", ""));
  hash = okValue(await root.append("/other", hash, shared)).hash;
  expect(hash).toBe(cold);
  // So many that the shared content is no former version of the other file when it comes into the tables.
  for (let number = 0; number < 30; number++) hash = okValue(await root.append("/other", hash, `${number}\n`)).hash;
  const first = okValue(await root.append("/cold", cold, "1\n")).hash;
  okValue(await root.append("/cold", first, "2\n"));
  await root.evict();
  expect(await root.usage()).toMatchObject({ files: 2 });
  expect(okValue(await root.read("/cold")).content).toBe(`${shared}1\n2\n`);
  await root.expectSound();
});

it("the same after an edit to that content which the quota refused", async () => {
  const root = freshRoot();
  const cold = okValue(await root.create("/cold", shared));
  const empty = okValue(await root.create("/other", ""));
  clock.advance(blobSettleMs);
  await root.ring();
  clock.advance(8 * dayMs);
  await root.ring();
  const { bytes } = await root.usage();
  await root.sql("UPDATE usage SET bytes = ?", rootBytesMax);
  expect(await root.append("/other", empty, shared)).toMatchObject({ ok: false, error: { code: "TOO_LARGE" } });
  await root.sql("UPDATE usage SET bytes = ?", bytes);
  const first = okValue(await root.append("/cold", cold, "1\n")).hash;
  okValue(await root.append("/cold", first, "2\n"));
  expect(await root.usage()).toMatchObject({ files: 2 });
  await root.expectSound();
});
