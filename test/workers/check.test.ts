/** What `check` says of each kind of damage, made by SQL and in R2. Leases and snapshots have their own. */
import { env } from "cloudflare:workers";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { blobSettleMs } from "../../src/domain/limits";
import { clock, dayMs, hourMs } from "./clock";
import { freshRoot, okValue, type TestRoot } from "./root";

const large = "a line of a large file\n".repeat(46_000);
const other = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

beforeEach(() => {
  clock.reset();
});
afterAll(() => {
  vi.useRealTimers();
});

describe("check of a sound root", () => {
  it("finds nothing in files of every kind, and counts what it has seen", async () => {
    const root = await furnished();
    await root.expectSound();
    expect(await root.check()).toMatchObject({ files: 4, directories: 3, blobs: 5, problemCount: 0, problems: [] });
  });

  it("finds nothing wrong with bytes that have left SQLite, a condemned content and an object that nobody took", async () => {
    const root = await furnished();
    clock.advance(blobSettleMs);
    await root.ring();
    clock.advance(8 * dayMs);
    await root.ring();
    await root.sql("DELETE FROM versions");
    await root.sql(
      "UPDATE blobs SET condemned_at_ms = 0 WHERE hash NOT IN (SELECT blob FROM nodes WHERE blob IS NOT NULL)",
    );
    await root.sql("INSERT INTO stray_objects VALUES ('u/x/y', ?)", Date.now());
    await root.expectSound();
  });

  it("finds nothing wrong with a content that is condemned although it is named: the collector looks again", async () => {
    const root = await furnished();
    await root.sql("UPDATE blobs SET condemned_at_ms = ?", Date.now() - hourMs);
    await root.expectSound();
  });
});

describe("check of a damaged tree", () => {
  const damages = [
    {
      what: "a file in a directory that is not there",
      damage: "UPDATE nodes SET path = '/no/a.txt', parent = '/no' WHERE path = '/a.txt'",
      problem: "/no/a.txt lies in /no, which is no directory",
    },
    {
      what: "a file below a file",
      damage: "UPDATE nodes SET path = '/a.txt/b', parent = '/a.txt', name = 'b' WHERE path = '/dir/b.txt'",
      problem: "/a.txt/b lies in /a.txt, which is no directory",
    },
    {
      what: "a wrong parent",
      damage: "UPDATE nodes SET parent = '/dir' WHERE path = '/a.txt'",
      problem: "/a.txt has the parent /dir and the name a.txt",
    },
    {
      what: "a wrong name",
      damage: "UPDATE nodes SET name = 'b.txt' WHERE path = '/a.txt'",
      problem: "/a.txt has the parent / and the name b.txt",
    },
    {
      what: "a path that is not normalized",
      damage: "UPDATE nodes SET path = '/x/../a.txt' WHERE path = '/a.txt'",
      problem: "/x/../a.txt is not a normalized path",
    },
    { what: "no root", damage: "DELETE FROM nodes WHERE path = '/'", problem: "there is no root directory" },
  ];

  for (const { what, damage, problem } of damages) {
    it(`names ${what}`, async () => {
      const root = await furnished();
      await root.sql(damage);
      expect(await problemsOf(root)).toContainEqual({ rule: "tree", what: problem });
    });
  }

  it("names wrong counters, each of them", async () => {
    for (const column of ["files", "directories", "bytes"]) {
      const root = await furnished();
      await root.sql(`UPDATE usage SET ${column} = ${column} + 1`);
      expect(await problemsOf(root)).toEqual([{ rule: "usage", what: expect.stringContaining("the counters say") }]);
    }
  });

  it("names a wrong tree id that is kept, of the root and of a directory, and a wrong status hash", async () => {
    for (const path of ["/", "/dir"]) {
      const root = await furnished();
      await root.fingerprint();
      await root.sql("UPDATE nodes SET git_oid = ? WHERE path = ?", other.slice(0, 40), path);
      const what = expect.stringContaining(`${path} has the tree id ${other.slice(0, 40)}`);
      expect(await problemsOf(root)).toEqual([{ rule: "fingerprint", what }]);
    }
    const root = await furnished();
    await root.fingerprint();
    await root.sql("UPDATE meta SET value = ? WHERE key = 'status_hash'", other);
    const what = expect.stringContaining("the status hash");
    expect(await problemsOf(root)).toEqual([{ rule: "fingerprint", what }]);
  });
});

describe("check of damaged contents", () => {
  it("names a file and a history whose content has no row", async () => {
    const root = await furnished();
    await root.sql("DELETE FROM blobs WHERE hash = (SELECT blob FROM nodes WHERE path = '/a.txt')");
    await root.sql("DELETE FROM blobs WHERE hash = (SELECT blob FROM versions WHERE path = '/dir/b.txt')");
    expect(await problemsOf(root)).toEqual([
      { rule: "blobs can be read", what: expect.stringContaining("/a.txt names") },
      { rule: "blobs can be read", what: expect.stringContaining("the history of /dir/b.txt names") },
    ]);
  });

  it("names wrong bytes in SQLite, also of the right length, and the files that have them", async () => {
    for (const bytes of ["other\n", "of another length\n"]) {
      const root = await furnished();
      await root.sql(
        "UPDATE contents SET bytes = ? WHERE id = (SELECT id FROM blobs WHERE hash = ?)",
        encoded(bytes),
        await blobOf(root, "/a.txt"),
      );
      expect(await problemsOf(root)).toEqual([
        { rule: "blobs can be read", what: expect.stringMatching(/^blob .* has other bytes$/) },
        { rule: "blobs can be read", what: expect.stringContaining("/a.txt names") },
      ]);
    }
  });

  it("names a missing and a wrong object in R2, also where SQLite has the bytes", async () => {
    const root = await furnished();
    clock.advance(blobSettleMs);
    await root.ring();
    await root.expectSound();
    await env.BLOBS.delete(await keyOf(root, "/a.txt"));
    await env.BLOBS.put(await keyOf(root, "/large.txt"), "something else");
    const problems = await problemsOf(root);
    const [small, big] = [await blobOf(root, "/a.txt"), await blobOf(root, "/large.txt")];
    expect(problems).toHaveLength(3);
    expect(problems).toContainEqual({ rule: "blobs can be read", what: `blob ${small} is not in R2` });
    expect(problems).toContainEqual({ rule: "blobs can be read", what: `blob ${big} has other bytes` });
    expect(problems).toContainEqual({
      rule: "blobs can be read",
      what: `/large.txt names ${big}, which cannot be read`,
    });
  });

  it("names wrong facts of a file and of a content: size, git id, lines, text or not", async () => {
    const wrongs = ["size = 7", "lines = 7", "lines = NULL", `git_oid = '${other.slice(0, 40)}'`];
    for (const table of ["nodes WHERE path = '/a.txt'", "blobs WHERE lines = 2"]) {
      for (const wrong of wrongs) {
        const root = await furnished();
        const [name = "", where = ""] = table.split(" WHERE ");
        await root.sql(`UPDATE ${name} SET ${wrong} WHERE ${where}`);
        const rules = (await problemsOf(root)).map((problem) => problem.rule);
        const expected = name === "blobs" && wrong === "size = 7" ? "blobs can be read" : "facts of files";
        expect(rules, `${table}: ${wrong}`).toContain(expected);
      }
    }
  });

  it("names a file without a git id and goes on", async () => {
    const root = await furnished();
    await root.sql("UPDATE nodes SET git_oid = NULL WHERE path = '/a.txt'");
    await root.sql("UPDATE usage SET files = 0");
    const rules = (await problemsOf(root)).map((problem) => problem.rule);
    expect(rules).toEqual(expect.arrayContaining(["facts of files", "usage"]));
  });
});

describe("check of the order of deleting", () => {
  it("names a content that nothing names and that is not condemned: it would never be collected", async () => {
    const root = await furnished();
    await root.sql("DELETE FROM versions");
    expect(await problemsOf(root)).toEqual([
      { rule: "delete order", what: expect.stringContaining("is named by nothing and not condemned") },
    ]);
  });

  it("names a content whose object is about to be deleted as stray", async () => {
    const root = await furnished();
    await root.sql("INSERT INTO stray_objects VALUES (?, ?)", await keyOf(root, "/large.txt"), Date.now());
    expect(await problemsOf(root)).toEqual([
      { rule: "delete order", what: `blob ${await blobOf(root, "/large.txt")} has an object that counts as stray` },
    ]);
  });
});

describe("the report of check", () => {
  it("is cut at 100 problems, their count is not", async () => {
    const root = await furnished();
    await root.sql(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 150)
       INSERT INTO versions (path, blob, seq, replaced_at_ms) SELECT '/gone' || i, ?, 1, 0 FROM n`,
      other,
    );
    const { problems, problemCount } = await root.check();
    expect([problems.length, problemCount]).toEqual([100, 150]);
  });
});

/** Text, a former version of one, binary, a large file. */
async function furnished(): Promise<TestRoot> {
  const root = freshRoot();
  okValue(await root.create("/a.txt", "one\ntwo\n"));
  okValue(await root.append("/dir/b.txt", okValue(await root.create("/dir/b.txt", "b\n")), "more of b\n"));
  okValue(await root.create("/dir/sub/binary", new Uint8Array([0, 1, 2, 255])));
  okValue(await root.create("/large.txt", large));
  return root;
}

async function problemsOf(root: TestRoot) {
  const { problems, problemCount } = await root.check();
  expect(problems).toHaveLength(problemCount);
  return problems;
}

async function blobOf(root: TestRoot, path: string): Promise<string> {
  const [row] = await root.sql<{ blob: string }>("SELECT blob FROM nodes WHERE path = ?", path);
  return row?.blob ?? "";
}

async function keyOf(root: TestRoot, path: string): Promise<string> {
  const [row] = await root.sql<{ r2_key: string }>("SELECT r2_key FROM blobs WHERE hash = ?", await blobOf(root, path));
  return row?.r2_key ?? "";
}

function encoded(text: string): ArrayBuffer {
  return new TextEncoder().encode(text).buffer as ArrayBuffer;
}
