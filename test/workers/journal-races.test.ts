/** Edits that wait, at the same time as others and as upkeep. What other calls see of them: journal-seen.test.ts. */
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { clock, dayMs, hourMs } from "./clock";
import { freshRoot, okValue } from "./root";
import { edited, waitingIn } from "./waiting";

beforeEach(() => {
  clock.reset();
});
afterAll(() => {
  vi.useRealTimers();
});

describe("an edit that waits is seen", () => {
  it("by upkeep: a content that was condemned long ago and comes back in an edit that waits is not collected", async () => {
    const root = freshRoot();
    const gone = okValue(await root.create("/b", "wanted\n"));
    okValue(await root.remove("/b", gone));
    await root.sql("DELETE FROM versions");
    await root.sql("UPDATE blobs SET condemned_at_ms = ?", Date.now());
    const hash = okValue(await root.create("/a", ""));
    okValue(await root.read("/a"));
    clock.advance(2 * hourMs);
    expect(okValue(await root.append("/a", hash, "wanted\n")).hash).toBe(gone);
    expect(await waitingIn(root)).toBe(1);
    await root.doChores();
    await root.expectSound();
    await root.evict();
    expect(okValue(await root.read("/a")).content).toBe("wanted\n");
  });

  it("by upkeep: its base leaves SQLite only with the edit in the tables", async () => {
    const root = freshRoot();
    const [, , hash] = await edited(root);
    await root.doChores();
    clock.advance(2 * hourMs);
    await root.doChores();
    clock.advance(30 * dayMs);
    const last = okValue(await root.append("/a", hash, "3\n")).hash;
    okValue(await root.append("/a", last, "4\n"));
    await root.doChores();
    await root.evict();
    expect(okValue(await root.read("/a")).content).toBe("0\n1\n2\n3\n4\n");
    await root.expectSound();
  });
});

describe("of edits of one version that come at once", () => {
  it("exactly one wins, and the others are told of the change", async () => {
    const root = freshRoot();
    const [, , hash] = await edited(root);
    const answers = await Promise.all([..."abcdefgh"].map((letter) => root.append("/a", hash, `${letter}\n`)));
    const won = answers.filter(({ ok }) => ok);
    expect(won).toHaveLength(1);
    for (const answer of answers) {
      if (!answer.ok)
        expect(answer.error).toMatchObject({ code: "HASH_MISMATCH", details: { diff: expect.any(String) } });
    }
    await root.expectSound();
  });

  it("with edits of other files, long ones and looks in between, none is lost", async () => {
    const root = freshRoot();
    const files = await Promise.all([..."abcd"].map((name) => root.create(`/${name}`, "")));
    const write = async (path: string, beginning: string) => {
      let hash = beginning;
      for (let number = 0; number < 40; number++) {
        const line = `${number}${number % 9 === 8 ? "x".repeat(17_000) : ""}\n`;
        hash = okValue(await root.append(path, hash, line)).hash;
        if (number % 7 === 3) await root.list("/");
      }
    };
    await Promise.all(files.map((hash, index) => write(`/${"abcd"[index]}`, okValue(hash))));
    await root.evict();
    for (const name of "abcd") {
      const { content } = okValue(await root.read(`/${name}`));
      expect(content.split("\n").map(Number.parseFloat).slice(0, 40)).toEqual([...Array(40).keys()]);
    }
    await root.expectSound();
  });
});
