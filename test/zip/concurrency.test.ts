// Many clients on one zip session: edits while others sync, syncs at once, a close among reads. What was acknowledged is in the archive.
import { describe, expect, it } from "vitest";
import { counts } from "../counts";
import { noise } from "../harness/noise";
import { opened } from "../harness/zip-core";
import { ZipRoot } from "./zip-root";

const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

describe("one session", () => {
  it(`loses no edit of 4 writers, ${counts.zipConcurrentWrites} each, while two others sync all the time`, async () => {
    const root = await ZipRoot.signIn({ era: "2026-07-28" });
    await root.opened("c", [{ name: "large", data: noise(1_300_000, 7), method: 0 }]);
    const last = new Map<string, string>();
    let isWriting = true;
    const write = async (writer: number) => {
      for (let count = 0; count < counts.zipConcurrentWrites; count++) {
        const [path, content] = [`w${writer}/${count % 3}`, `${writer} ${count}`];
        await root.ok("zipfs_write", { path, content });
        last.set(path, content);
      }
    };
    const sync = async () => {
      while (isWriting) {
        const answer = await root.result("zipfs_sync", {});
        if (answer.isError) expect(answer.text).toContain('"LOCKED"');
      }
    };
    const syncing = [sync(), sync()];
    await Promise.all([0, 1, 2, 3].map(write));
    isWriting = false;
    await Promise.all(syncing);
    expect(await root.ok("zipfs_close", { sync: true })).toMatchObject({
      discarded: { modified: 0, added: 0, deleted: 0 },
    });
    const { files } = await opened(await root.bytes("/in/c.zip"));
    expect(files.size).toBe(1 + last.size);
    for (const [path, content] of last) expect(text(files.get(path)), path).toBe(content);
  });

  it("syncs once where five ask at the same time, and keeps one backup", async () => {
    const root = await ZipRoot.signIn({ era: "2026-07-28" });
    await root.opened("s", [{ name: "a", data: "one" }]);
    const before = await root.bytes("/in/s.zip");
    await root.ok("zipfs_write", { path: "a", content: "two" });
    const answers = await Promise.all([0, 1, 2, 3, 4].map(() => root.ok("zipfs_sync", {})));
    expect(answers.map(({ unchanged }) => unchanged).sort()).toEqual([false, true, true, true, true]);
    expect(await root.bytes("/in/s.bak.zip")).toEqual(before);
    expect(await root.get("/in/s.bak.2.zip")).toBeNull();
  });

  it("gives reads the whole content or none while it is closed", async () => {
    const root = await ZipRoot.signIn({ era: "2026-07-28" });
    const content = "line\n".repeat(10_000);
    await root.opened("r", [{ name: "a", data: content, method: 0 }]);
    const read = async () => {
      const { isError, value } = await root.result("zipfs_read", { session: "r", path: "a" });
      if (!isError) expect(value.content).toBe(content);
      return isError ? (value.error as { code: string }).code : "ok";
    };
    const reads = Array.from({ length: 12 }, read);
    const closed = root.ok("zipfs_close", { session: "r" });
    const later = Array.from({ length: 6 }, read);
    for (const code of await Promise.all([...reads, ...later])) expect(["ok", "SESSION_NOT_FOUND"]).toContain(code);
    expect(await closed).toMatchObject({ closed: true });
    expect(await read()).toBe("SESSION_NOT_FOUND");
  });
});
