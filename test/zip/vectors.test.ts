// The vectors of zipfs_tree and zipfs_ls, and every name of zip-names.json, through the tools of a running server.
import { beforeAll, describe, expect, it } from "vitest";
import { unicodePathExtra, zipOf } from "../harness/zip-builder";
import treeVectors from "../vectors/tree.json";
import nameVectors from "../vectors/zip-names.json";
import { ZipRoot } from "./zip-root";

interface TreeCase {
  set: string;
  tool: "zipfs_tree" | "zipfs_ls";
  args: object;
  expect?: { entries?: { modified_at: string | null }[] };
  code?: string;
  same_as?: object;
}

const utcTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
let root: ZipRoot;

beforeAll(async () => {
  root = await ZipRoot.signIn();
  for (const [set, entries] of Object.entries(treeVectors.trees)) {
    await root.opened(
      set,
      entries.map(({ name, content, mtime }) => ({ name, data: content, time: new Date(mtime) })),
    );
  }
});

describe("tree.json", () => {
  it.each(
    (treeVectors.cases as TreeCase[]).map(
      (one) => [`${one.tool} ${JSON.stringify(one.args)} of ${one.set}`, one] as const,
    ),
  )("%s", async (_, { set, tool, args, expect: expected }) => {
    const answer = await root.ok(tool, { session: set, ...args });
    const entries = "entries" in answer ? answer.entries : [];
    for (const [index, entry] of (expected?.entries ?? []).entries()) {
      const actual = entries[index];
      if (entry.modified_at !== null || actual === undefined) continue;
      expect(actual.modified_at).toMatch(utcTime);
      (actual as { modified_at: string | null }).modified_at = null;
    }
    expect(answer).toEqual(expected);
  });

  it.each(
    (treeVectors.errors as TreeCase[]).map(
      (one) => [`${one.tool} ${JSON.stringify(one.args)} of ${one.set}`, one] as const,
    ),
  )("%s", async (_, { set, tool, args, code, same_as: same }) => {
    if (same !== undefined) {
      expect(await root.ok(tool, { session: set, ...args })).toEqual(await root.ok(tool, { session: set, ...same }));
    } else expect((await root.refused(tool, { session: set, ...args })).code).toBe(code);
  });
});

interface NameVector {
  name_hex: string;
  utf8_flag: boolean;
  outcome: string;
  path?: string;
  reason?: string;
  code?: string;
  unicode_path_extra?: { name_crc32: string; name: string };
}

describe("zip-names.json", () => {
  it("has the outcome of every name", async () => {
    const other = await ZipRoot.signIn();
    const vectors = nameVectors.entries as NameVector[];
    // A few at a time: most of the time is waiting.
    await Promise.all(
      [0, 1, 2, 3].map(async (lane) => {
        for (const vector of vectors.filter((_, index) => index % 4 === lane)) await judge(other, vector, `n${lane}`);
      }),
    );
  }, 180_000);
});

async function judge(root: ZipRoot, vector: NameVector, session: string): Promise<void> {
  const name = Uint8Array.from(Buffer.from(vector.name_hex, "hex"));
  const field = vector.unicode_path_extra;
  const extra = field ? unicodePathExtra(field.name, Number.parseInt(field.name_crc32, 16)) : new Uint8Array(0);
  const path = `/${session}.zip`;
  await root.put(path, zipOf([{ name, flags: vector.utf8_flag ? 0x800 : 0, extra }]));
  if (vector.outcome === "refused") {
    expect((await root.refused("zipfs_open", { path })).code, vector.name_hex).toBe(vector.code);
    return;
  }
  const { file_count: files, warnings } = await root.ok("zipfs_open", { path, name: session });
  expect(files, vector.name_hex).toBe(vector.outcome === "file" ? 1 : 0);
  const expected = vector.outcome === "skipped" && vector.reason !== "names_root" ? [vector.reason] : [];
  expect(
    warnings.map(({ reason }) => reason),
    vector.name_hex,
  ).toEqual(expected);
  if (vector.path !== undefined) {
    const { entries } = await root.ok("zipfs_ls", { session, path: vector.path });
    if (vector.outcome === "file") expect(entries).toHaveLength(1);
  }
  await root.ok("zipfs_close", { session });
}
