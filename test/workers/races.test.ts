/**
 * What other calls do while one waits for R2: each race is brought about by holding up that one call. Nothing that was looked at before the
 * wait is relied on after it. Many calls at once, by chance: test/contention.
 */
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { blobSettleMs } from "../../src/domain/limits";
import { clock, dayMs, hourMs } from "./clock";
import { interfering, type StorageCall } from "./interference";
import { freshFaultyRoot, okValue, type TestRoot } from "./root";

const path = "/file";
const small = "small\n";
const large = "a line of a large file\n".repeat(46_000);

beforeEach(() => {
  clock.reset();
});
afterAll(() => {
  vi.useRealTimers();
});

describe("while a large content is on its way to R2", () => {
  it("another file takes the path: ALREADY_EXISTS, and the object goes after the grace period", async () => {
    const root = freshFaultyRoot();
    const created = await during(
      root,
      "R2 put",
      (inside) => inside.create(path, large),
      async (inside) => {
        okValue(await inside.create(path, small));
      },
    );
    expect(created).toMatchObject({ ok: false, error: { code: "ALREADY_EXISTS" } });
    expect(okValue(await root.read(path)).content).toBe(small);
    await root.expectSound();
    clock.advance(blobSettleMs);
    await root.ring();
    expect(await root.sql("SELECT * FROM stray_objects")).toEqual([]);
    // What is left is the copy of the small file.
    expect(await root.objectKeys()).toHaveLength(1);
  });

  it("a file takes the place of a directory above it", async () => {
    const root = freshFaultyRoot();
    const created = await during(
      root,
      "R2 put",
      (inside) => inside.create("/a/b/c", large),
      async (inside) => {
        okValue(await inside.create("/a", small));
      },
    );
    expect(created).toMatchObject({ ok: false, error: { code: "ALREADY_EXISTS", details: { blocker: "/a" } } });
    await root.expectSound();
  });

  it("the same content arrives in another file: one blob, and one object after the grace period", async () => {
    const root = freshFaultyRoot();
    const created = await during(
      root,
      "R2 put",
      (inside) => inside.create("/a", large),
      async (inside) => {
        okValue(await inside.create("/b", large));
      },
    );
    expect(created.ok).toBe(true);
    await root.expectSound();
    clock.advance(2 * hourMs);
    await root.ring();
    expect(await root.objectKeys()).toHaveLength(1);
    await root.expectSound();
  });

  it("MCP-034: another edit comes first: HASH_MISMATCH, with the way to it if it is short", async () => {
    const root = freshFaultyRoot();
    const hash = okValue(await root.create(path, small));
    const edited = await during(
      root,
      "R2 put",
      (inside) => inside.append(path, hash, large),
      async (inside) => {
        okValue(await inside.append(path, hash, "first\n"));
      },
    );
    expect(edited).toMatchObject({ ok: false, error: { code: "HASH_MISMATCH" } });
    expect(edited.ok || edited.error.details?.diff).toContain("+first\n");
    await root.expectSound();
  });

  it("the same edit comes first: it counts as applied, once", async () => {
    const root = freshFaultyRoot();
    const hash = okValue(await root.create(path, small));
    const edited = await during(
      root,
      "R2 put",
      (inside) => inside.append(path, hash, large),
      async (inside) => {
        okValue(await inside.append(path, hash, large));
      },
    );
    expect(edited).toMatchObject({ ok: true, value: { alreadyApplied: true } });
    expect(await root.usage()).toMatchObject({ bytes: small.length + large.length });
    await root.expectSound();
  });

  it("the file is removed: NOT_FOUND, and it does not come back", async () => {
    const root = freshFaultyRoot();
    const hash = okValue(await root.create(path, small));
    const edited = await during(
      root,
      "R2 put",
      (inside) => inside.append(path, hash, large),
      async (inside) => {
        okValue(await inside.remove(path, hash));
      },
    );
    expect(edited).toMatchObject({ ok: false, error: { code: "NOT_FOUND" } });
    expect(await root.list("/")).toMatchObject({ total: 0 });
    await root.expectSound();
  });

  it("the file goes and comes back with the same content: the edit holds", async () => {
    const root = freshFaultyRoot();
    const hash = okValue(await root.create(path, small));
    const edited = await during(
      root,
      "R2 put",
      (inside) => inside.append(path, hash, large),
      async (inside) => {
        okValue(await inside.remove(path, hash));
        okValue(await inside.create(path, small));
      },
    );
    expect(edited).toMatchObject({ ok: true, value: { alreadyApplied: false } });
    await root.expectSound();
  });
});

describe("while cold bytes are on their way from R2", () => {
  it("the file is changed: a read gives the content of the hash that it names", async () => {
    const root = freshFaultyRoot();
    const hash = okValue(await root.create(path, small));
    await coolDown(root);
    const read = await during(
      root,
      "R2 get",
      (inside) => inside.read(path),
      async (inside) => {
        await inside.sql(
          "UPDATE contents SET bytes = ? WHERE id = (SELECT id FROM blobs WHERE hash = ?)",
          new TextEncoder().encode(small).buffer as ArrayBuffer,
          hash,
        );
        okValue(await inside.append(path, hash, "more\n"));
      },
    );
    expect(read).toMatchObject({ ok: true, value: { hash, totalLines: 1 } });
    await root.expectSound();
  });
});

describe("while the alarm copies a content to R2", () => {
  it("the file is removed and forgotten: the copy goes with the content", async () => {
    const root = freshFaultyRoot();
    const hash = okValue(await root.create(path, small));
    clock.advance(blobSettleMs);
    await during(
      root,
      "R2 put",
      (inside) => inside.doChores(),
      async (inside) => {
        okValue(await inside.remove(path, hash));
        await inside.sql("DELETE FROM versions");
        await inside.sql("UPDATE blobs SET condemned_at_ms = ?", Date.now());
      },
    );
    await root.expectSound();
    clock.advance(2 * hourMs);
    await root.ring();
    expect(await root.sql("SELECT hash FROM blobs")).toEqual([]);
    expect(await root.objectKeys()).toEqual([]);
  });

  it("the content itself goes: the copy is a stray and goes too", async () => {
    const root = freshFaultyRoot();
    const hash = okValue(await root.create(path, small));
    clock.advance(blobSettleMs);
    await during(
      root,
      "R2 put",
      (inside) => inside.doChores(),
      async (inside) => {
        okValue(await inside.remove(path, hash));
        await inside.sql("DELETE FROM versions");
        await inside.sql("DELETE FROM blobs");
      },
    );
    await root.expectSound();
    expect(await root.objectKeys()).toHaveLength(1);
    clock.advance(2 * hourMs);
    await root.ring();
    expect(await root.objectKeys()).toEqual([]);
  });
});

/** Does `meanwhile` once the first such call has taken effect and before its caller hears so. */
async function during<T>(
  root: TestRoot,
  name: "R2 put" | "R2 get",
  work: (inside: TestRoot) => Promise<T>,
  meanwhile: (inside: TestRoot) => Promise<void>,
): Promise<T> {
  let held = false;
  const outcome = await root.attempt((inside) => {
    const hold = async (call: StorageCall) => {
      if (held || call.name !== name || call.moment !== "after") return;
      held = true;
      await meanwhile(inside);
    };
    return interfering(root.id, hold, () => work(inside));
  });
  if (outcome instanceof Error) throw outcome;
  expect(held).toBe(true);
  return outcome;
}

async function coolDown(root: TestRoot): Promise<void> {
  clock.advance(blobSettleMs);
  await root.ring();
  clock.advance(8 * dayMs);
  await root.ring();
}
