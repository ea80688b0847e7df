// What a sync wrote is opened again and held against the workspace before it becomes the source: damage on the way is found, and the old
// archive stays. An archive that is refused half-way leaves nothing behind once the collector has been there.
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { clock, hourMs } from "../clock";
import { interfering } from "../interference";
import { freshFaultyRoot } from "../root";
import { codeOf, good, noise, ZipObject } from "./zip-object";

const dataAt = 100;

beforeAll(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterAll(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

async function edited(): Promise<ZipObject> {
  clock.reset();
  const zip = new ZipObject(freshFaultyRoot());
  await zip.put([
    { name: "big", data: noise(1_500_000), method: 0 },
    { name: "a", data: "one" },
  ]);
  good(await zip.open());
  good(await zip.write("a", "a longer text than before"));
  return zip;
}

async function keysOf(zip: ZipObject): Promise<string[]> {
  const { objects } = await env.BLOBS.list({ prefix: `u/${zip.root.id}/` });
  return objects.map(({ key }) => key);
}

/** Changes the archive in object storage between its writing and its verification. */
async function damagedSync(zip: ZipObject, damage: (bytes: Uint8Array) => Uint8Array) {
  const known = await keysOf(zip);
  return interfering(
    zip.root.id,
    async ({ name, moment }) => {
      if (name !== "R2 put" || moment !== "after") return;
      for (const key of (await keysOf(zip)).filter((one) => !known.includes(one))) {
        const object = await env.BLOBS.get(key);
        if (object !== null) await env.BLOBS.put(key, damage(await object.bytes()));
      }
    },
    () => zip.sync(),
  );
}

const damages: [string, (bytes: Uint8Array) => Uint8Array][] = [
  ["one byte of unchanged data differs", (bytes) => flipped(bytes, dataAt)],
  ["a local header differs", (bytes) => flipped(bytes, 8)],
  ["the data of the edited file differs", (bytes) => flipped(bytes, lastLocal(bytes) + 33)],
  ["the central directory differs", (bytes) => flipped(bytes, bytes.length - 22 - 50)],
  ["the end is missing", (bytes) => bytes.subarray(0, bytes.length - 1)],
  ["the order of two bytes is another", (bytes) => swapped(bytes, 700_000)],
];

function flipped(bytes: Uint8Array, at: number): Uint8Array {
  return bytes.with(at, (bytes[at] ?? 0) ^ 1);
}

function swapped(bytes: Uint8Array, at: number): Uint8Array {
  const [one = 0, other = 0] = [bytes[at], bytes[at + 1]];
  expect(one).not.toBe(other);
  return bytes.with(at, other).with(at + 1, one);
}

/** Of the entry that was edited: it is the last. */
function lastLocal(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = bytes.length - 22; ; at--) if (view.getUint32(at, true) === 0x04034b50) return at;
}

describe("an archive that is not what was written", () => {
  it.each(damages)("is no new source: %s", async (_, damage) => {
    const zip = await edited();
    const before = await zip.sourceHash();
    expect(codeOf(await damagedSync(zip, damage))).toBe("SYNC_FAILED");
    expect(await zip.sourceHash()).toBe(before);
    expect(await zip.sessions()).toMatchObject([{ state: "open", syncedAtMs: null }]);
    expect(good(await zip.status()).unsynced.modified).toEqual(["a"]);
  });

  it("is made anew by the next sync", async () => {
    const zip = await edited();
    await damagedSync(zip, (bytes) => flipped(bytes, dataAt));
    expect(good(await zip.sync())).toMatchObject({ unchanged: false, modified: 1 });
    good(await zip.close());
    good(await zip.open());
    expect(good(await zip.read("a")).content).toBe("a longer text than before");
    await zip.root.expectSound();
  });
});

describe("an archive that is refused at its last entry", () => {
  it("leaves no node, no session and, after the collector, no content of the entries before", async () => {
    clock.reset();
    const zip = new ZipObject(freshFaultyRoot());
    await zip.put([
      { name: "small", data: "one" },
      { name: "large", data: noise(1_200_000), method: 0 },
      { name: "wrong", data: "three", local: { crc: 1 }, central: { crc: 1 } },
    ]);
    expect(codeOf(await zip.open())).toBe("ZIP_INVALID");
    expect(await zip.sessions()).toEqual([]);
    expect(await zip.root.sql("SELECT path FROM nodes WHERE path LIKE '/.zipfs%'")).toEqual([]);
    for (let round = 0; round < 2; round++) {
      clock.advance(2 * hourMs);
      await zip.root.ring();
    }
    await zip.root.expectSound();
    const blobs = await zip.root.sql<{ hash: string }>("SELECT hash FROM blobs");
    expect(blobs.map(({ hash }) => hash)).toEqual([await zip.sourceHash()]);
    expect(await keysOf(zip)).toHaveLength(1);
  });
});

describe("a bucket that fails while an entry is inflated into it", () => {
  it.each([0, 8])("is no flaw of the archive (method %d)", async (method) => {
    clock.reset();
    const zip = new ZipObject(freshFaultyRoot());
    await zip.put([{ name: "large", data: noise(1_200_000), method }]);
    const outcome = await interfering(
      zip.root.id,
      ({ name, moment }) => {
        if (name === "R2 put" && moment === "before") throw new Error("injected R2 put");
      },
      () => zip.root.attempt((inside) => new ZipObject(inside).open()),
    );
    expect(outcome).toMatchObject({ message: "injected R2 put" });
    good(await zip.open());
  });
});
