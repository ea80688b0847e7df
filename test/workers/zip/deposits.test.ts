// Contents that an open stores before the transaction that names them: what becomes of them when it names them, when the
// archive is refused, and when the object dies in between. Faults in every single call: faults.test.ts.
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { clock, hourMs } from "../clock";
import { interfering, type StorageCall } from "../interference";
import { freshFaultyRoot } from "../root";
import { codeOf, good, ZipObject } from "./zip-object";

/** More than are stored at a time. */
const many = Array.from({ length: 1001 }, (_, index) => ({ name: `f${index}`, data: `content ${index}` }));

beforeEach(() => clock.reset());
afterAll(() => vi.useRealTimers());

const lists = (zip: ZipObject) => zip.root.sql("SELECT id FROM deposits");

async function contents(zip: ZipObject): Promise<{ free: number; condemned: number }> {
  const [row] = await zip.root.sql<{ free: number; condemned: number }>(
    `SELECT count(*) FILTER (WHERE condemned_at_ms IS NULL) AS free,
            count(*) FILTER (WHERE condemned_at_ms IS NOT NULL) AS condemned FROM blobs WHERE size < 100`,
  );
  return row ?? { free: -1, condemned: -1 };
}

describe("Contents that are stored before they are named", () => {
  it("are on no list and not condemned once the archive is open", async () => {
    const zip = new ZipObject(freshFaultyRoot());
    await zip.put(many);
    good(await zip.open());
    expect(await lists(zip)).toEqual([]);
    expect(await contents(zip)).toEqual({ free: 1001, condemned: 0 });
    clock.advance(3 * hourMs);
    await zip.root.ring();
    expect(await contents(zip)).toEqual({ free: 1001, condemned: 0 });
    await zip.root.expectSound();
  });

  it("zipfs.md §3.7: cost no object each, up to 64 KiB", async () => {
    const zip = new ZipObject(freshFaultyRoot());
    const data = new Uint8Array(64 * 1024).map((_, at) => (at * 2654435761) >>> 13);
    await zip.put(Array.from({ length: 40 }, (_, index) => ({ name: `${index}`, data: data.with(0, index) })));
    const calls: string[] = [];
    const watch = ({ name, moment }: StorageCall) => void (moment === "before" && calls.push(name));
    good(await interfering(zip.root.id, watch, () => zip.open()));
    expect(calls.filter((name) => name === "R2 put")).toEqual([]);
    expect(calls.filter((name) => name === "transaction").length).toBeLessThan(10);
  });

  it("are condemned at once when a later entry is not what it says, and are gone after the grace period", async () => {
    const zip = new ZipObject(freshFaultyRoot());
    await zip.put([...many, { name: "wrong", data: "x", central: { crc: 1 }, local: { crc: 1 } }]);
    expect(codeOf(await zip.open())).toBe("ZIP_INVALID");
    expect(await lists(zip)).toEqual([]);
    expect(await contents(zip)).toEqual({ free: 0, condemned: 1000 });
    await zip.root.expectSound();
    clock.advance(hourMs);
    for (let round = 0; round < 6; round++) await zip.root.ring();
    expect(await contents(zip)).toEqual({ free: 0, condemned: 0 });
  });

  it("are found again when the object dies before they are named", async () => {
    const zip = new ZipObject(freshFaultyRoot());
    await zip.put(many);
    await interfering(zip.root.id, failFirst("INSERT INTO zip_sessions"), () =>
      zip.root.attempt((inside) => new ZipObject(inside).open()),
    );
    await zip.root.evict();
    expect(await zip.sessions()).toEqual([]);
    expect(await contents(zip)).toEqual({ free: 1001, condemned: 0 });
    expect(await lists(zip)).not.toEqual([]);
    await zip.root.expectSound();
    clock.advance(hourMs);
    await zip.root.ring();
    expect(await lists(zip)).toEqual([]);
    expect(await contents(zip)).toEqual({ free: 0, condemned: 1001 });
    clock.advance(hourMs);
    for (let round = 0; round < 7; round++) await zip.root.ring();
    expect(await contents(zip)).toEqual({ free: 0, condemned: 0 });
  });

  it("outlive the list of a dead object when another open names them", async () => {
    const zip = new ZipObject(freshFaultyRoot());
    await zip.put(many.slice(0, 3));
    await interfering(zip.root.id, failFirst("INSERT INTO zip_sessions"), () =>
      zip.root.attempt((inside) => new ZipObject(inside).open()),
    );
    await zip.root.evict();
    clock.advance(hourMs - 1);
    good(await zip.open());
    clock.advance(3 * hourMs);
    await zip.root.ring();
    clock.advance(2 * hourMs);
    await zip.root.ring();
    expect(await lists(zip)).toEqual([]);
    expect(await contents(zip)).toEqual({ free: 3, condemned: 0 });
    expect(good(await zip.read("f2")).content).toBe("content 2");
    await zip.root.expectSound();
  });
});

function failFirst(statement: string): (call: StorageCall) => void {
  return ({ name, moment }) => {
    if (moment === "before" && name.startsWith(`exec ${statement}`)) throw new Error(`injected before ${name}`);
  };
}
