/** Which former versions of a path are known (text.md §6.3), and for how long: by the diff that a stale hash is answered with. */
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { clock, dayMs, hourMs } from "./clock";
import { freshRoot, okValue, type TestRoot } from "./root";

const path = "/file";

beforeEach(() => {
  clock.reset();
});
afterAll(() => {
  vi.useRealTimers();
});

describe("the history of a path", () => {
  it("MCP-034: knows the last 20 distinct versions, the current one among them", async () => {
    const root = freshRoot();
    const hashes = await writeVersions(root, 1, 25);
    const known = await Promise.all(hashes.slice(0, -1).map((hash) => knows(root, hash)));
    expect(known).toEqual([...Array(5).fill(false), ...Array(19).fill(true)]);
    await root.expectSound();
  });

  it("MCP-034: counts a version once that comes back, as current while it is and as the latest afterwards", async () => {
    const root = freshRoot();
    const hashes = await writeVersions(root, 1, 20);
    const [first, second] = hashes;
    // A, B, …, T and then A again: still 20 distinct ones.
    const current = okValue(await root.rewrite(path, hashes.at(-1) ?? "", "version 1\n"));
    expect(current.hash).toBe(first);
    expect(await knows(root, second)).toBe(true);
    expect(await root.sql("SELECT 1 FROM versions WHERE blob = ?", current.hash)).toEqual([]);

    const next = okValue(await root.rewrite(path, current.hash, "version 21\n"));
    expect(await knows(root, first)).toBe(true);
    expect(await knows(root, second)).toBe(false);
    expect(next.alreadyApplied).toBe(false);
    await root.expectSound();
  });

  it("MCP-034: forgets a version 30 days after it gave way, and its content an hour later", async () => {
    const root = freshRoot();
    const [first, second] = await writeVersions(root, 1, 2);
    clock.advance(20 * dayMs);
    okValue(await root.rewrite(path, second ?? "", "version 3\n"));
    clock.advance(10 * dayMs - 1);
    expect([await knows(root, first), await knows(root, second)]).toEqual([true, true]);
    clock.advance(1);
    expect([await knows(root, first), await knows(root, second)]).toEqual([false, true]);

    await root.doChores();
    clock.advance(hourMs);
    await root.doChores();
    expect(await root.sql("SELECT 1 FROM blobs WHERE hash = ?", first ?? "")).toEqual([]);
    expect(await knows(root, second)).toBe(true);
    await root.expectSound();
  });

  it("MCP-034: outlives the removal of the file and goes on when it is created again", async () => {
    const root = freshRoot();
    const hashes = await writeVersions(root, 1, 20);
    okValue(await root.remove(path, hashes.at(-1) ?? ""));
    okValue(await root.create(path, "anew\n"));
    const known = await Promise.all(hashes.map((hash) => knows(root, hash)));
    expect(known).toEqual([false, ...Array(19).fill(true)]);

    const again = okValue(await root.rewrite(path, okValue(await root.read(path)).hash, "version 7\n"));
    expect(again.hash).toBe(hashes[6]);
    expect(await knows(root, hashes[1])).toBe(true);
    await root.expectSound();
  });

  it("MCP-034: is that of one path: a content that only another path had is unknown", async () => {
    const root = freshRoot();
    const [first] = await writeVersions(root, 1, 2);
    const elsewhere = okValue(await root.create("/other", "mine\n"));
    okValue(await root.rewrite("/other", elsewhere, "mine, changed\n"));
    const foreign = await root.append("/other", first ?? "", "x");
    expect(foreign).toMatchObject({
      ok: false,
      error: { code: "HASH_MISMATCH", details: { path: "/other", hash: first } },
    });
    expect(JSON.stringify(foreign)).not.toContain("current_hash");
    expect(await knows(root, elsewhere)).toBe(false);
  });

  it("keeps the contents of what is known, however often the alarm rings", async () => {
    const root = freshRoot();
    const hashes = await writeVersions(root, 1, 5);
    for (let day = 1; day < 29; day += 4) {
      clock.advance(4 * dayMs);
      await root.doChores();
    }
    expect(await Promise.all(hashes.slice(0, -1).map((hash) => knows(root, hash)))).toEqual(Array(4).fill(true));
    await root.expectSound();
  });
});

/** Writes contents `version <from>` … `version <to>`; gives their hashes. */
async function writeVersions(root: TestRoot, from: number, to: number): Promise<string[]> {
  const hashes: string[] = [okValue(await root.create(path, `version ${from}\n`))];
  for (let version = from + 1; version <= to; version++) {
    hashes.push(okValue(await root.rewrite(path, hashes.at(-1) ?? "", `version ${version}\n`)).hash);
  }
  return hashes;
}

/** A known version is answered with the way from it to the current one, an unknown one without. */
async function knows(root: TestRoot, hash: string | undefined): Promise<boolean> {
  const answer = await root.append(path, hash ?? "", "never written\n");
  if (answer.ok || answer.error.code !== "HASH_MISMATCH") throw new Error(`unexpected: ${JSON.stringify(answer)}`);
  const { diff, current_hash: currentHash } = answer.error.details ?? {};
  expect(diff === undefined).toBe(currentHash === undefined);
  return diff !== undefined;
}
