/**
 * Edits that come into the tables all at once make the same of them as edits that come there one by one: nodes, usage, the histories of
 * paths in their order, and which contents are condemned. Of the versions on the way, those are left out that nobody knows any more.
 * A search, a list and a read among edits that wait find what they find in the tables, and tell the same fingerprint.
 */
import fc from "fast-check";
import { afterAll, expect, it, vi } from "vitest";
import { counts, seed } from "../counts";
import { clock } from "./clock";
import { freshRoot, okValue, type TestRoot } from "./root";
import { SnapshotTestRoot, value } from "./snapshots/snapshot-root";
import { stateOf } from "./state";

afterAll(() => {
  vi.useRealTimers();
});

const paths = ["/a", "/b/c", "/b/d", "/b/e/f"];

type Step =
  | { readonly kind: "append" | "rewrite"; readonly path: string; readonly content: string }
  | { readonly kind: "wait" }
  | { readonly kind: "look" }
  | { readonly kind: "search"; readonly below: string; readonly query: string }
  | { readonly kind: "evict" }
  | { readonly kind: "remove"; readonly path: string };

const path = fc.constantFrom(...paths);
// Few, so that contents come back, also as those of other files; many enough for more than a history holds.
const contents = fc.nat(59).map((number) => `version ${number} 😀\r\n`);
const edit = (kind: "append" | "rewrite") => fc.record({ kind: fc.constant(kind), path, content: contents });
const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 800, arbitrary: edit("rewrite") },
  { weight: 10, arbitrary: edit("append") },
  { weight: 20, arbitrary: fc.constant<Step>({ kind: "wait" }) },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: "look" }) },
  {
    weight: 40,
    arbitrary: fc.record({
      kind: fc.constant("search" as const),
      below: fc.constantFrom("/", "/b", ...paths),
      query: fc.constantFrom("version 1", "version 59", "a", "anew", "😀"),
    }),
  },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: "evict" }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("remove" as const), path }) },
);

/** `settles`: after every step. Gives what the searches found as well. */
async function run(sequence: readonly Step[], settles: boolean): Promise<{ root: TestRoot; found: unknown[] }> {
  clock.reset();
  const found: unknown[] = [];
  const root = freshRoot();
  const hashes = new Map<string, string>();
  for (const at of paths) hashes.set(at, okValue(await root.create(at, `${at}\n`)));
  let left = sequence;
  while (left.length > 0) {
    const length = left.findIndex(({ kind }) => kind === "evict");
    const until = length === -1 ? left.length : length;
    const done = await root.attempt(async (inside) => {
      for (const step of left.slice(0, until)) {
        if (step.kind === "search") found.push(await search(inside, step));
        else await take(inside, step, hashes);
        if (settles) await inside.usage();
      }
    });
    if (done instanceof Error) throw done;
    left = left.slice(until + 1);
    await root.evict();
  }
  return { root, found };
}

async function search(root: TestRoot, { below, query }: Step & { kind: "search" }): Promise<unknown> {
  const subject = new SnapshotTestRoot(root);
  const { receipt, value: found } = value(await subject.grep(query, [below]));
  const { value: listed } = value(await subject.list());
  const reads = await Promise.all(paths.map(async (path) => value(await subject.read(path)).value));
  return { found, listed, reads, fingerprint: receipt.mode === "worktree" ? receipt.fingerprint : null };
}

async function take(
  root: TestRoot,
  step: Exclude<Step, { kind: "search" }>,
  hashes: Map<string, string>,
): Promise<void> {
  if (step.kind === "wait") return clock.advance(1000);
  if (step.kind === "look") return void (await root.usage());
  if (step.kind === "evict") return;
  const hash = hashes.get(step.path) ?? "";
  if (step.kind === "remove") {
    okValue(await root.remove(step.path, hash));
    return void hashes.set(step.path, okValue(await root.create(step.path, "anew\n")));
  }
  const { kind, content } = step;
  const edited =
    kind === "append" ? await root.append(step.path, hash, content) : await root.rewrite(step.path, hash, content);
  hashes.set(step.path, okValue(edited).hash);
}

interface Content {
  readonly hash: string;
  readonly condemned: number;
}

async function tablesOf(root: TestRoot) {
  const { nodes, usage, blobs } = await stateOf(root);
  const versions = await root.sql("SELECT path, blob, replaced_at_ms FROM versions ORDER BY path, seq");
  return { tables: { nodes, usage, versions }, blobs: blobs as Content[] };
}

it(`edits make the same tables one by one and all at once, in ${counts.journalSequences} sequences (HOLDFAST_SEED=${seed})`, {
  timeout: 30 * 60_000,
}, async () => {
  let leftOut = 0;
  const sequences = fc.array(steps, { minLength: 1, maxLength: 300, size: "max" });
  const property = fc.asyncProperty(sequences, async (sequence) => {
    const { root: single, found } = await run(sequence, true);
    const { root: together, found: foundTogether } = await run(sequence, false);
    expect(foundTogether).toEqual(found);
    const expected = await tablesOf(single);
    const { tables, blobs } = await tablesOf(together);
    expect(tables).toEqual(expected.tables);
    const condemned = new Map(expected.blobs.map((blob) => [blob.hash, blob.condemned]));
    for (const blob of blobs) expect(blob.condemned, blob.hash).toBe(condemned.get(blob.hash));
    const kept = new Set(blobs.map(({ hash }) => hash));
    const missing = expected.blobs.filter(({ hash }) => !kept.has(hash));
    expect(missing.filter((blob) => blob.condemned === 0)).toEqual([]);
    leftOut += missing.length;
    await single.expectSound();
    await together.expectSound();
  });
  await fc.assert(property, { seed, numRuns: counts.journalSequences });
  expect(leftOut).toBeGreaterThan(0);
});
