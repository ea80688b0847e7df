/** What the alarm does with contents: copies to R2, bytes out of SQLite and back, the end of what nothing names. Its failures: faults/upkeep.test.ts. */
import { env } from "cloudflare:workers";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { blobSettleMs } from "../../src/domain/limits";
import { clock, dayMs, hourMs, minuteMs } from "./clock";
import { interfering, type StorageCall } from "./interference";
import { freshFaultyRoot, freshRoot, okValue, type TestRoot } from "./root";

interface BlobRow extends Record<string, SqlStorageValue> {
  readonly r2_key: string | null;
  readonly warm: number;
  readonly condemned: number;
}

beforeEach(() => {
  clock.reset();
});
afterAll(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe("the copy in R2", () => {
  it("is made after the settle time and not before, with a checksum that R2 verified", async () => {
    const root = freshRoot();
    const hash = okValue(await root.create("/a", "content\n"));
    clock.advance(blobSettleMs - 1000);
    await root.ring();
    expect(await blob(root, hash)).toMatchObject({ r2_key: null, warm: 1 });

    expect(await root.alarmAt()).toBe(Date.now() + 1000);
    clock.advance(1000);
    await root.ring();
    const { r2_key: key } = await blob(root, hash);
    const object = await env.BLOBS.head(key ?? "");
    expect(object?.checksums.toJSON().sha256).toBe(hash);
    expect(object?.size).toBe(8);
    expect(await root.sql("SELECT * FROM stray_objects")).toEqual([]);
    await root.expectSound();
  });

  it("is made once of a content that several files have", async () => {
    const root = freshRoot();
    for (const path of ["/a", "/b", "/c/d"]) okValue(await root.create(path, "the same\n"));
    clock.advance(blobSettleMs);
    await root.ring();
    expect(await root.objectKeys()).toHaveLength(1);
  });

  it("is not made of a content that is condemned", async () => {
    const root = freshRoot();
    const hash = okValue(await root.create("/a", "short-lived\n"));
    clock.advance(blobSettleMs);
    await dropFromTree(root, "/a", hash);
    await root.ring();
    expect(await blob(root, hash)).toMatchObject({ condemned: 1 });
    expect(await root.objectKeys()).toEqual([]);
  });

  it("of other contents is made although one cannot be copied", async () => {
    const errors = vi.spyOn(console, "error").mockImplementation(() => {});
    const root = freshRoot();
    const damaged = okValue(await root.create("/damaged", "damaged\n"));
    await root.sql(
      "UPDATE contents SET bytes = ? WHERE id = (SELECT id FROM blobs WHERE hash = ?)",
      new Uint8Array([1]).buffer,
      damaged,
    );
    clock.advance(1000);
    const sound = okValue(await root.create("/sound", "sound\n"));
    const gone = okValue(await root.create("/gone", "gone\n"));
    await dropFromTree(root, "/gone", gone);
    for (let round = 0; round < 3; round++) {
      clock.advance(blobSettleMs);
      await root.ring();
    }
    expect((await blob(root, sound)).r2_key).not.toBeNull();
    expect(await blobs(root, gone)).toEqual([]);
    // Each vain try announced an object; those of an hour ago are given up.
    expect((await root.sql("SELECT * FROM stray_objects")).length).toBeLessThanOrEqual(1);
    expect(errors).toHaveBeenCalled();
  });

  it("of a large file is the only one of its bytes from the start", async () => {
    const root = freshRoot();
    const hash = okValue(await root.create("/large", "x".repeat(1024 * 1024 + 1)));
    expect(await blob(root, hash)).toMatchObject({ warm: 0, r2_key: expect.stringContaining(`u/${root.id}/`) });
    expect(await root.sql("SELECT * FROM stray_objects")).toEqual([]);
    await root.expectSound();
  });
});

describe("bytes in SQLite", () => {
  it("leave after 7 days without use, come back with the next read, and leave again", async () => {
    const root = freshRoot();
    const hash = okValue(await root.create("/a", "content\n"));
    await copyAndCool(root, hash);

    expect(okValue(await root.read("/a")).content).toBe("content\n");
    expect(await blob(root, hash)).toMatchObject({ warm: 1 });
    expect(await root.alarmAt()).toBeLessThanOrEqual(Date.now() + 7 * dayMs);
    clock.advance(7 * dayMs);
    await root.ring();
    expect(await blob(root, hash)).toMatchObject({ warm: 0 });
    await root.expectSound();
  });

  it("stay while they are used", async () => {
    const root = freshRoot();
    const hash = okValue(await root.create("/a", "content\n"));
    for (let day = 0; day < 10; day++) {
      clock.advance(dayMs);
      okValue(await root.read("/a"));
      await root.ring();
    }
    expect(await blob(root, hash)).toMatchObject({ warm: 1, r2_key: expect.any(String) });
  });

  it("come back when the same content is created again", async () => {
    const root = freshRoot();
    const hash = okValue(await root.create("/a", "content\n"));
    await copyAndCool(root, hash);
    okValue(await root.create("/b", "content\n"));
    expect(await blob(root, hash)).toMatchObject({ warm: 1 });
    expect(await root.objectKeys()).toHaveLength(1);
  });

  it("that cannot be read back from R2 are a fault and never an empty file", async () => {
    const root = freshRoot();
    const hash = okValue(await root.create("/a", "content\n"));
    await copyAndCool(root, hash);
    const { r2_key: key } = await blob(root, hash);
    await env.BLOBS.put(key ?? "", "other bytes");
    expect(await root.attempt((inside) => inside.read("/a"))).toBeInstanceOf(Error);
    await env.BLOBS.delete(key ?? "");
    expect(await root.attempt((inside) => inside.read("/a"))).toBeInstanceOf(Error);
    expect(await root.attempt((inside) => inside.append("/a", hash, "more\n"))).toBeInstanceOf(Error);
  });
});

describe("a content that nothing names", () => {
  it("is collected after the grace period and not before, and its object with it", async () => {
    const root = freshRoot();
    const hash = okValue(await root.create("/a", "content\n"));
    clock.advance(blobSettleMs);
    await root.ring();
    await dropFromTree(root, "/a", hash);
    clock.advance(hourMs - 1);
    await root.ring();
    expect(await blob(root, hash)).toMatchObject({ condemned: 1 });
    expect(await root.objectKeys()).toHaveLength(1);

    clock.advance(1);
    await root.ring();
    expect(await blobs(root, hash)).toEqual([]);
    expect(await root.objectKeys()).toEqual([]);
    expect(await root.sql("SELECT * FROM stray_objects")).toEqual([]);
    await root.expectSound();
  });

  it("asks for the collector itself: what falls out of a history goes an hour later, though nothing else happens", async () => {
    const root = freshRoot();
    const first = okValue(await root.create("/a", "0\n"));
    let hash: string = first;
    for (let number = 1; number <= 20; number++) hash = okValue(await root.rewrite("/a", hash, `${number}\n`)).hash;
    await root.usage();
    expect(await blob(root, first)).toMatchObject({ condemned: 1 });
    expect(await root.alarmAt()).toBe(Date.now() + hourMs);
    clock.advance(hourMs);
    await root.ring();
    expect(await blobs(root, first)).toEqual([]);
    await root.expectSound();
  });

  it("lives when it is named again within the grace period", async () => {
    const root = freshRoot();
    const content = "content\n";
    const hash = okValue(await root.create("/a", content));
    await dropFromTree(root, "/a", hash);
    clock.advance(30 * minuteMs);
    okValue(await root.create("/b", content));
    expect(await blob(root, hash)).toMatchObject({ condemned: 0 });
    clock.advance(2 * hourMs);
    await root.ring();
    expect(okValue(await root.read("/b")).content).toBe(content);
    await root.expectSound();
  });

  it("lives when the second check finds it named although it is condemned", async () => {
    const root = freshRoot();
    const hash = okValue(await root.create("/a", "content\n"));
    await root.sql("UPDATE blobs SET condemned_at_ms = ? WHERE hash = ?", Date.now(), hash);
    clock.advance(2 * hourMs);
    await root.ring();
    expect(await blob(root, hash)).toMatchObject({ condemned: 0 });
    await root.expectSound();
  });

  it("of more than 1 MiB lives when a file is about to have it while it is condemned", async () => {
    const root = freshRoot();
    const large = "x".repeat(1024 * 1024 + 1);
    const hash = okValue(await root.create("/a", large));
    await dropFromTree(root, "/a", hash);
    clock.advance(30 * minuteMs);
    okValue(await root.create("/b", large));
    clock.advance(2 * hourMs);
    await root.ring();
    expect(await root.objectKeys()).toHaveLength(1);
    expect(okValue(await root.read("/b")).hash).toBe(hash);
    await root.expectSound();
  });
});

describe("an object that no content took", () => {
  it("is deleted after the grace period, also when nothing else ever happens", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const root = freshFaultyRoot();
    const failed = await interfering(root.id, failAfterPut, () =>
      root.attempt((inside) => inside.create("/large", "x".repeat(1024 * 1024 + 1))),
    );
    expect(failed).toBeInstanceOf(Error);
    clock.advance(hourMs - 1);
    expect(await root.ring()).toBe(true);
    expect(await root.objectKeys()).toHaveLength(1);
    clock.advance(1000);
    expect(await root.ring()).toBe(true);
    expect(await root.objectKeys()).toEqual([]);
    expect(await root.sql("SELECT * FROM stray_objects")).toEqual([]);
  });

  it("is never named by a file that comes too late for it", async () => {
    const root = freshFaultyRoot();
    const late = async ({ name, moment }: StorageCall) => {
      if (name !== "R2 put" || moment !== "after") return;
      clock.advance(2 * hourMs);
    };
    const outcome = await interfering(root.id, late, () =>
      root.attempt((inside) => inside.create("/large", "x".repeat(1024 * 1024 + 1))),
    );
    expect(outcome).toBeInstanceOf(Error);
    await root.ring();
    expect(await root.objectKeys()).toEqual([]);
    expect(await root.list("/")).toMatchObject({ total: 0 });
    await root.expectSound();
  });
});

function failAfterPut({ name, moment }: StorageCall): void {
  if (name === "R2 put" && moment === "after") throw new Error("injected after R2 put");
}

async function blobs(root: TestRoot, hash: string): Promise<BlobRow[]> {
  return root.sql<BlobRow>(
    "SELECT r2_key, is_inline AS warm, condemned_at_ms IS NOT NULL AS condemned FROM blobs WHERE hash = ?",
    hash,
  );
}

async function blob(root: TestRoot, hash: string): Promise<BlobRow> {
  const [row] = await blobs(root, hash);
  if (row === undefined) throw new Error(`there is no blob ${hash}`);
  return row;
}

/** The file goes and its history forgets it, as after 20 further versions. */
async function dropFromTree(root: TestRoot, path: string, hash: string): Promise<void> {
  okValue(await root.remove(path, hash));
  await root.sql("DELETE FROM versions WHERE path = ?", path);
  await root.sql("UPDATE blobs SET condemned_at_ms = ? WHERE hash = ?", Date.now(), hash);
}

async function copyAndCool(root: TestRoot, hash: string): Promise<void> {
  clock.advance(blobSettleMs);
  await root.ring();
  clock.advance(7 * dayMs - blobSettleMs - 1);
  await root.ring();
  expect(await blob(root, hash)).toMatchObject({ warm: 1 });
  clock.advance(1);
  await root.ring();
  expect(await blob(root, hash)).toMatchObject({ warm: 0, r2_key: expect.any(String) });
}
