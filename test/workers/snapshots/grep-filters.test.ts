/**
 * Filters of texts: a grep gives the same answer with them, without them and after any loss of them, and what they rule out is not read.
 * Also what a grep keeps beside them: lists of files, and sets of touched paths. Not here: what a filter is, see gram-filter.test.ts.
 */
import { env } from "cloudflare:workers";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { sha256Hex } from "../../../src/domain/hash";
import type { LeaseId } from "../../../src/domain/lease";
import { blobSettleMs, grepFiltersMaxBytes } from "../../../src/domain/limits";
import type { SnapshotId } from "../../../src/domain/manifest";
import type { RootPath } from "../../../src/domain/path";
import type { GrepFound, Viewed } from "../../../src/root/contract";
import { clock, dayMs } from "../clock";
import { interfering } from "../interference";
import { caller, freshFaultyRoot, okValue } from "../root";
import { SnapshotTestRoot, value } from "./snapshot-root";

beforeEach(() => {
  clock.reset();
});
afterAll(() => {
  vi.useRealTimers();
});

interface Options {
  readonly regex?: boolean;
  readonly caseSensitive?: boolean;
  readonly maxMatches?: number;
  readonly maxFiles?: number;
}

async function grep(
  root: SnapshotTestRoot,
  query: string,
  { regex = false, caseSensitive = true, maxMatches = 100, maxFiles = 100 }: Options = {},
  view = root.view(),
): Promise<Viewed<GrepFound>> {
  const request = { query, regex, caseSensitive, maxMatches, maxFiles, honoursGitignore: true };
  const reply = await root.root.stub.grepFiles(caller, view, { ...request, paths: ["/" as RootPath] });
  if (!reply.admitted) throw new Error(reply.refusal);
  return value(reply.value) as Viewed<GrepFound>;
}

function shown({ found, filesSearched, truncated }: GrepFound): string {
  const places = found.map(
    ({ path, lineNumbers, columns }) => `${path}@${lineNumbers.map((line, index) => `${line}:${columns[index]}`)}`,
  );
  return `${places.join(" ")} of ${filesSearched}${truncated ? " …" : ""}`;
}

function leaseOf({ receipt }: Viewed<GrepFound>): LeaseId {
  if (receipt.mode !== "worktree") throw new Error("no lease");
  return receipt.leaseId;
}

async function planted(files: Readonly<Record<string, string>>): Promise<SnapshotTestRoot> {
  const root = new SnapshotTestRoot();
  for (const [path, content] of Object.entries(files)) okValue(await root.root.create(path, content));
  return root;
}

/** Twice, so that each text has its filter also where few texts lack one. */
async function makeFilters(root: SnapshotTestRoot): Promise<void> {
  for (let time = 1; time <= 2; time++) await grep(root, "nowhere-at-all");
}

async function filterCount({ root }: SnapshotTestRoot): Promise<number> {
  const [row] = await root.sql<{ n: number }>("SELECT count(*) AS n FROM text_filters");
  return row?.n ?? -1;
}

const prose = "some prose that every file has, line after line\n".repeat(30);
const files = {
  "/.gitignore": "*.log\n",
  "/a.log": "lantern\n",
  "/a.txt": `${prose}a lantern and a Lantern\n`,
  "/b.txt": prose,
  "/c/d.txt": `${prose}LIGHTHOU\u017fE, Lightho\u212a, İstanbul\n`,
  "/c/e.txt": "kiosk\n",
  "/empty": "",
  "/f.txt": `\ufeff${prose}größe 😀 quicksilver\n`,
  // Only the beginning is searched for a NUL, so this is text.
  "/g.txt": `${prose.repeat(10)}\0 lantern \ufffd😀 lantern\n`,
};
const queries: readonly (readonly [string, Options])[] = [
  ["lantern", {}],
  ["LANTERN", { caseSensitive: false }],
  ["lighthouse", { caseSensitive: false }],
  ["lighthok", { caseSensitive: false }],
  ["istanbul", { caseSensitive: false }],
  ["nowhere-at-all", {}],
  ["ab", {}],
  ["quicksilver|kiosk|nowhere", { regex: true }],
  ["(quicksilver|KIOSK)$", { regex: true, caseSensitive: false }],
  ["lan[a-z]ern|^$", { regex: true }],
  ["größe 😀", {}],
  ["lantern", { maxMatches: 1 }],
  ["lantern", { maxMatches: 2, maxFiles: 5 }],
  ["quicksilver", { maxFiles: 4 }],
];

describe("a grep answers the same", () => {
  it("with filters, without them, after eviction, and when some of them are gone", { timeout: 120_000 }, async () => {
    const root = await planted(files);
    const { snapshotId: id } = value(await root.capture(["/"]));
    const answers = async (view: SnapshotId | null) => {
      const all: string[] = [];
      for (const [query, options] of queries) {
        all.push(shown((await grep(root, query, options, root.view(null, view))).value));
      }
      return all;
    };
    const forget = async () => {
      await root.root.sql("DELETE FROM text_filters");
      await root.root.evict();
    };
    // Each without anything to go by.
    const expected: string[] = [];
    for (const [query, options] of queries) {
      await forget();
      expected.push(shown((await grep(root, query, options)).value));
    }
    expect(expected.slice(0, 7)).toEqual([
      "/a.txt@31:3 /g.txt@301:3,301:14 of 8",
      "/a.txt@31:3,31:17 /g.txt@301:3,301:14 of 8",
      "/c/d.txt@31:1 of 8",
      "/c/d.txt@31:13 of 8",
      " of 8",
      " of 8",
      " of 8",
    ]);
    for (const view of [null, id]) {
      await forget();
      expect(await answers(view)).toEqual(expected);
      expect(await answers(view)).toEqual(expected);
      await root.root.evict();
      expect(await answers(view)).toEqual(expected);
      await root.root.sql("DELETE FROM text_filters WHERE id % 2 = 0");
      await root.root.evict();
      expect(await answers(view)).toEqual(expected);
    }
    expect(await filterCount(root)).toBe(8);
    await root.root.expectSound();
  });

  it("after every change of the tree, made or undone", async () => {
    const root = new SnapshotTestRoot(freshFaultyRoot());
    const seen = async () => shown((await grep(root, "lantern")).value);
    okValue(await root.root.create("/a", "lantern\n"));
    expect(await seen()).toBe("/a@1:1 of 1");
    const hash = okValue(await root.root.create("/b", "a lantern\n"));
    expect(await seen()).toBe("/a@1:1 /b@1:3 of 2");
    okValue(await root.root.append("/b", hash, "lantern"));
    expect(await seen()).toBe("/a@1:1 /b@1:3,2:1 of 2");
    // The file is in the tree when the statement after it fails.
    const failure = await root.root.attempt((inside) =>
      interfering(
        inside.id,
        ({ name, moment }) => {
          if (name.startsWith("exec UPDATE usage") && moment === "after") throw new Error("injected");
        },
        () => inside.create("/c", "lantern\n"),
      ),
    );
    expect(failure).toBeInstanceOf(Error);
    expect(await seen()).toBe("/a@1:1 /b@1:3,2:1 of 2");
    okValue(await root.root.remove("/a", sha256Hex("lantern\n")));
    expect(await seen()).toBe("/b@1:3,2:1 of 1");
  });
});

describe("a text that its filter rules out", () => {
  it("is not read, and counts as searched and touched (seed 002 §2.3)", async () => {
    const root = await planted(files);
    await makeFilters(root);
    // Away from SQLite, and then from R2 too: whoever reads it is told.
    clock.advance(blobSettleMs);
    await root.root.ring();
    clock.advance(8 * dayMs);
    await root.root.ring();
    const [row] = await root.root.sql<{ r2_key: string }>(
      "SELECT r2_key FROM blobs WHERE hash = ? AND is_inline = 0",
      sha256Hex(files["/b.txt"]),
    );
    await env.BLOBS.delete(row?.r2_key ?? "");
    const answer = await grep(root, "quicksilver");
    expect(shown(answer.value)).toBe("/f.txt@31:9 of 8");
    const { files: captured } = value(await root.capture(null, leaseOf(answer)));
    expect(captured).toBe(8);
    const failure = await root.root.attempt(() => grep(root, "some prose"));
    expect(failure).toBeInstanceOf(Error);
  });
});

describe("filters", () => {
  it("are made of few texts when these are searched the second time, of many the first time", async () => {
    const root = await planted({ "/a": "first\n", "/b": "second\n" });
    await grep(root, "nowhere");
    expect(await filterCount(root)).toBe(0);
    const hash = okValue(await root.root.append("/a", sha256Hex("first\n"), "more\n")).hash;
    // What waits in the journal is at hand, and gets none.
    await grep(root, "nowhere");
    await grep(root, "nowhere");
    await root.root.usage();
    await grep(root, "nowhere");
    expect(await root.root.sql("SELECT hash FROM text_filters")).toEqual([{ hash: sha256Hex("second\n") }]);
    await grep(root, "nowhere");
    expect(await root.root.sql("SELECT hash FROM text_filters WHERE hash = ?", hash)).toHaveLength(1);
    for (let number = 0; number < 64; number++) okValue(await root.root.create(`/${number}`, `${number}\n`));
    await grep(root, "nowhere");
    expect(await filterCount(root)).toBe(2);
    const many = await planted(Object.fromEntries(Array.from({ length: 65 }, (_, at) => [`/${at}`, `${at}\n`])));
    await grep(many, "nowhere");
    expect(await filterCount(many)).toBe(65);
  });

  it("go with their contents, and check tells of those that stay or are wrong", async () => {
    const root = await planted({ "/a": "first\n", "/b": "second\n" });
    await makeFilters(root);
    expect(await filterCount(root)).toBe(2);
    okValue(await root.root.remove("/a", sha256Hex("first\n")));
    clock.advance(400 * dayMs);
    await root.root.doChores();
    clock.advance(dayMs);
    await root.root.doChores();
    expect(await filterCount(root)).toBe(1);
    await root.root.expectSound();
    // What is read is in SQLite again.
    okValue(await root.root.read("/b"));
    await root.root.sql("UPDATE text_filters SET bits = zeroblob(8)");
    await root.root.sql("INSERT INTO text_filters (hash, bits) VALUES ('gone', zeroblob(8))");
    const { problems } = await root.root.check();
    expect(problems.map(({ what }) => what)).toEqual([
      `the filter of blob ${sha256Hex("second\n")} is not that of its text`,
      "the filter of blob gone is left over",
    ]);
  });
});

describe("filters beyond their limit", () => {
  it("make room for new ones, those made first before the others", async () => {
    const root = await planted({ "/a": "first\n" });
    const mib = 1024 * 1024;
    for (let number = 0; number < 32; number++) {
      await root.root.sql("INSERT INTO text_filters (hash, bits) VALUES (?, zeroblob(?))", `old-${number}`, mib);
    }
    await makeFilters(root);
    const left = await root.root.sql<{ hash: string }>("SELECT hash FROM text_filters ORDER BY id");
    expect(left.map(({ hash }) => hash)).toEqual([
      ...Array.from({ length: 15 }, (_, index) => `old-${17 + index}`),
      sha256Hex("first\n"),
    ]);
    expect(grepFiltersMaxBytes).toBe(32 * mib);
  });
});

describe("a long list of touched paths", () => {
  const count = 70;

  async function listed(): Promise<SnapshotTestRoot> {
    const root = new SnapshotTestRoot();
    for (let number = 0; number < count; number++) okValue(await root.root.create(`/${number}`, `${number}\n`));
    return root;
  }

  async function rows({ root }: SnapshotTestRoot): Promise<number> {
    const [row] = await root.sql<{ n: number }>("SELECT count(*) AS n FROM touched");
    return row?.n ?? -1;
  }

  it("is stored once, however many leases and greps have seen it, and goes with the last", async () => {
    const root = await listed();
    const first = leaseOf(await grep(root, "nowhere"));
    const second = leaseOf(await grep(root, "nowhere"));
    await grep(root, "nowhere", {}, root.view(second));
    expect(await rows(root)).toBe(count);
    for (const lease of [first, second]) expect(value(await root.capture(null, lease)).files).toBe(count);
    value(await root.write("/0", "changed\n", first));
    await root.root.expectSound();
    clock.advance(30 * dayMs);
    await root.root.doChores();
    expect(await rows(root)).toBe(0);
    await root.root.expectSound();
  });

  it("grows by what a lease has seen beside it, and by that alone", async () => {
    const root = await listed();
    const lease = leaseOf(await grep(root, "nowhere"));
    value(await root.write("/new", "new\n", lease));
    const after = leaseOf(await grep(root, "nowhere"));
    expect(value(await root.capture(null, after)).files).toBe(count + 1);
    const some = leaseOf(await grep(root, "nowhere", { maxFiles: 65 }));
    expect(value(await root.capture(null, some)).files).toBe(65);
    value(await root.read("/9", root.view(some)));
    expect(value(await root.capture(null, some)).files).toBe(66);
    await root.root.expectSound();
  });
});
