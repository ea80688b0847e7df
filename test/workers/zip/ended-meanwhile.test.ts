// A session that ends while a call waits for its lock, and prunes that meet locked or failing sessions.
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { clock, hourMs } from "../clock";
import { interfering } from "../interference";
import { freshFaultyRoot } from "../root";
import { codeOf, good, ZipObject } from "./zip-object";

let zip: ZipObject;
beforeEach(async () => {
  clock.reset();
  zip = new ZipObject(freshFaultyRoot());
  await zip.put([{ name: "a", data: "one" }]);
});
afterAll(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe("a sync that waits while the session is closed", () => {
  it("zipfs.md §2.5: is SESSION_NOT_FOUND in the words of every other call", async () => {
    good(await zip.open());
    good(await zip.write("a", "two"));
    const [session] = await zip.sessions();
    const id = session?.id ?? "";
    const insert =
      "INSERT INTO zip_locks (session_id, owner, kind, since_ms, expires_at_ms) VALUES (?, 'x', 'close', ?, ?)";
    await zip.root.sql(insert, id, Date.now(), Date.now() + hourMs);
    const waiting = zip.sync();
    // What a close does at its end.
    await zip.root.sql("DELETE FROM zip_sessions");
    await zip.root.sql("DELETE FROM zip_locks");
    const refused = await waiting;
    expect(codeOf(refused)).toBe("SESSION_NOT_FOUND");
    expect(refused).toMatchObject({
      error: { message: `Session "${id}" not found. Open sessions: none. Use zipfs_sessions to see them.` },
    });
    expect(await zip.root.sql("SELECT * FROM zip_locks")).toEqual([]);
  });
});

describe("zipfs.md §7: a prune of several sessions, one transaction each", () => {
  it("leaves one that cannot be removed whole and unlisted, and takes the others", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    for (const name of ["one", "two", "three"]) {
      good(await zip.open(name));
      clock.advance(1000);
    }
    let removals = 0;
    const pruned = await interfering(
      zip.root.id,
      ({ name, moment }) => {
        if (name === "exec DELETE FROM zip_sessions" && moment === "before" && ++removals === 2)
          throw new Error("injected");
      },
      () => zip.prune(null, true),
    );
    expect(pruned.map(({ name }) => name)).toEqual(["one", "three"]);
    expect(await zip.sessions()).toMatchObject([{ name: "two", state: "open" }]);
    expect(good(await zip.read("a")).content).toBe("one");
    expect(good(await zip.status())).toMatchObject({ unchangedCount: 1 });
    await zip.root.expectSound();
  });
});
