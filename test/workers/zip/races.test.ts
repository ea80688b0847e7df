// Sync against write, sync and overwriting; open against overwriting; close against read and write; open against open. Object storage is held up where it matters.
import { beforeEach, describe, expect, it } from "vitest";
import { interfering } from "../interference";
import { freshFaultyRoot, okValue } from "../root";
import { codeOf, good, noise, source, ZipObject } from "./zip-object";

let zip: ZipObject;
beforeEach(async () => {
  zip = new ZipObject(freshFaultyRoot());
  await zip.put([
    { name: "big", data: noise(1_500_000), method: 0 },
    { name: "a", data: "one" },
  ]);
  good(await zip.open());
});

/** Does `meanwhile` while the archive of a sync is on its way to object storage. Both sides look at flags: promises do not cross objects. */
async function duringSync<T>(meanwhile: () => Promise<T>, call: () => Promise<unknown> = () => zip.sync()) {
  const seen = { atPut: false, done: false };
  return interfering(
    zip.root.id,
    async ({ name, moment }) => {
      if (name !== "R2 put" || moment !== "before" || seen.atPut) return;
      seen.atPut = true;
      await until(() => seen.done);
    },
    async () => {
      const syncing = call();
      await until(() => seen.atPut);
      const between = await meanwhile();
      seen.done = true;
      return { between, synced: await syncing };
    },
  );
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2));
}

describe("during a sync", () => {
  it("a write goes through at once and is left for the next sync; nothing is lost", async () => {
    good(await zip.write("a", "two"));
    const { between, synced } = await duringSync(async () => [
      await zip.write("a", "three"),
      await zip.write("n", "new"),
    ]);
    expect(between.map(codeOf)).toEqual(["ok", "ok"]);
    expect(synced).toMatchObject({ ok: true, value: { modified: 1, added: 0 } });
    expect(good(await zip.status()).unsynced).toMatchObject({ modified: ["a"], added: ["n"], deleted: [] });
    expect(good(await zip.sync())).toMatchObject({ modified: 1, added: 1 });
    expect(good(await zip.read("a")).content).toBe("three");
    await zip.root.expectSound();
  });

  it("another sync waits and then has nothing to do", async () => {
    good(await zip.write("a", "two"));
    let second: Promise<unknown> = Promise.resolve();
    const { synced } = await duringSync(async () => {
      second = zip.sync();
    });
    expect(synced).toMatchObject({ ok: true, value: { unchanged: false } });
    expect(await second).toMatchObject({ ok: true, value: { unchanged: true } });
  });

  it("a source that is overwritten makes it a conflict; what stands there stays, and force keeps it as a backup", async () => {
    good(await zip.write("a", "two"));
    const former = (await zip.sourceHash()) ?? "";
    const { synced } = await duringSync(async () => {
      okValue(await zip.root.remove(source, former));
      okValue(await zip.root.create(source, "foreign"));
    });
    expect(synced).toMatchObject({ ok: false, error: { code: "CONFLICT_DETECTED" } });
    const foreign = await zip.sourceHash();
    expect((await zip.sessions())[0]?.state).toBe("open");
    expect(good(await zip.sync(true))).toMatchObject({ backupPath: "/z.bak.zip" });
    const [backup] = await zip.root.sql<{ blob: string }>("SELECT blob FROM nodes WHERE path = '/z.bak.zip'");
    expect(backup?.blob).toBe(foreign);
    await zip.root.expectSound();
  });

  it("zipfs.md §6.3: a source that is overwritten while a forced sync runs becomes the backup", async () => {
    good(await zip.write("a", "two"));
    const former = (await zip.sourceHash()) ?? "";
    const { between: foreign, synced } = await duringSync(
      async () => {
        okValue(await zip.root.remove(source, former));
        return okValue(await zip.root.create(source, "foreign"));
      },
      () => zip.sync(true),
    );
    expect(synced).toMatchObject({ ok: true, value: { backupPath: "/z.bak.zip" } });
    const backups = await zip.root.sql("SELECT path, blob FROM nodes WHERE path LIKE '/z.bak%'");
    expect(backups).toEqual([{ path: "/z.bak.zip", blob: foreign }]);
    await zip.root.expectSound();
  });

  it("zipfs.md §6.6: a source that is removed makes it ZIP_NOT_FOUND; one in whose place a directory came, SYNC_FAILED", async () => {
    good(await zip.write("a", "two"));
    const former = (await zip.sourceHash()) ?? "";
    const removed = await duringSync(async () => okValue(await zip.root.remove(source, former)));
    expect(removed.synced).toMatchObject({ ok: false, error: { code: "ZIP_NOT_FOUND" } });
    const replaced = await duringSync(
      async () => okValue(await zip.root.create(`${source}/file`, "x")),
      () => zip.sync(true),
    );
    expect(replaced.synced).toMatchObject({ ok: false, error: { code: "SYNC_FAILED" } });
    expect(await zip.root.sql("SELECT path FROM nodes WHERE path LIKE '/z.bak%'")).toEqual([]);
    expect(await zip.sessions()).toMatchObject([{ state: "open", syncedAtMs: null }]);
    await zip.root.expectSound();
  });

  it("a lock that was lost means that nothing is written", async () => {
    good(await zip.write("a", "two"));
    const before = await zip.sourceHash();
    const { synced } = await duringSync(() => zip.root.sql("DELETE FROM zip_locks"));
    expect(synced).toMatchObject({ ok: false, error: { code: "SYNC_FAILED" } });
    expect(await zip.sourceHash()).toBe(before);
    await zip.root.expectSound();
  });
});

describe("during an open", () => {
  it("zipfs.md §3.7: the source may be overwritten; what was there at the beginning is extracted to its end", async () => {
    const before = (await zip.sourceHash()) ?? "";
    const { synced: opened } = await duringSync(
      async () => {
        okValue(await zip.root.remove(source, before));
        okValue(await zip.root.create(source, "another file"));
      },
      () => zip.open("second"),
    );
    expect(opened).toMatchObject({ ok: true, value: { session: { zipHash: before, fileCount: 2 } } });
    good(await zip.closeOf("s"));
    expect(good(await zip.read("a")).content).toBe("one");
    // It was overwritten since it was opened.
    expect(codeOf(await zip.sync())).toBe("CONFLICT_DETECTED");
    await zip.root.expectSound();
  });
});

describe("during a close that syncs", () => {
  it("a write is synced too before the session ends", async () => {
    good(await zip.write("a", "two"));
    const { synced } = await duringSync(
      () => zip.write("late", "edit"),
      () => zip.close(true),
    );
    expect(synced).toMatchObject({ ok: true, value: { synced: true, modified: 0, added: 0, deleted: 0 } });
    good(await zip.open());
    expect(good(await zip.read("late")).content).toBe("edit");
  });
});

describe("close against everything", () => {
  it("reads get the content or NO_SESSIONS, writes never bring a closed workspace back", async () => {
    const answers = await Promise.all([
      zip.read("a"),
      zip.write("b", noise(1_200_000, 5)),
      zip.close(),
      zip.read("a"),
      zip.write("c", "late"),
      zip.status(),
    ]);
    for (const answer of answers)
      expect(["ok", "NO_SESSIONS", "SESSION_NOT_FOUND", "PATH_NOT_FOUND"]).toContain(codeOf(answer));
    expect(await zip.root.sql("SELECT path FROM nodes WHERE path LIKE '/.zipfs/workspaces/%'")).toEqual([]);
    expect(codeOf(await zip.close())).toBe("NO_SESSIONS");
    await zip.root.expectSound();
  });

  it("of two opens under one name one wins, the other gets NAME_COLLISION; of two closes one wins", async () => {
    good(await zip.close());
    const opened = await Promise.all([zip.open("n"), zip.open("n")]);
    expect(opened.map(codeOf).sort()).toEqual(["NAME_COLLISION", "ok"]);
    const closed = await Promise.all([zip.close(), zip.close()]);
    // The second found the session still there, or did not.
    expect(closed.map(codeOf).sort()).toEqual([expect.stringMatching(/^(SESSION_NOT_FOUND|NO_SESSIONS)$/), "ok"]);
  });
});
