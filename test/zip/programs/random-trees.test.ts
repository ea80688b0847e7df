// Generated trees: packed by one program, opened, edited at random, synced, and taken apart by four others; all see the same bytes.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { counts, seed } from "../../counts";
import { bytesOf } from "../../harness/zip-builder";
import { ZipRoot } from "../zip-root";
import { extractors, extractWith, run, testArchive, withFolder, writeTree } from "./programs";

const name = fc.constantFrom("a", "b.txt", "c d", "é", "x-y", "Z", "日本", "_");
const path = fc
  .array(name, { minLength: 1, maxLength: 3 })
  .map((names) => names.map((one, depth) => `${one}${depth}`).join("/"));
const content = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.string({ maxLength: 200 }).map((text) => new TextEncoder().encode(text)),
  fc
    .integer({ min: 0, max: 4000 })
    .map((lines) => bytesOf(Array.from({ length: lines }, (_, at) => `line ${at}\n`).join(""))),
);
const edits = fc.array(fc.record({ path, content: fc.option(content) }), { maxLength: 8 });
const files = fc.array(fc.tuple(path, content), { minLength: 1, maxLength: 12 });
const packer = fc.constantFrom("zip", "7z", "bsdtar");

function pack(program: string, tree: ReadonlyMap<string, Uint8Array>): Uint8Array {
  return withFolder((folder) => {
    const inside = join(folder, "t");
    run(folder, "mkdir", "t");
    writeTree(inside, tree);
    if (program === "zip") run(inside, "zip", "-qr", "../t.zip", ".");
    else if (program === "7z") run(inside, "7z", "a", "-tzip", "../t.zip", ".");
    else run(inside, "bsdtar", "--format=zip", "-cf", "../t.zip", ".");
    return new Uint8Array(readFileSync(join(folder, "t.zip")));
  });
}

/** No path of a file is that of a directory: deeper names have other endings. */
it(`opens, edits and syncs ${counts.zipTrees} random trees; every program extracts equal bytes (HOLDFAST_SEED=${seed})`, async () => {
  const root = await ZipRoot.signIn();
  await fc.assert(
    fc.asyncProperty(files, edits, packer, async (list, changes, program) => {
      const tree = new Map(list.filter(([one]) => !list.some(([other]) => other.startsWith(`${one}/`))));
      await root.put("/t.zip", pack(program, tree));
      const { workspace_path: workspace } = await root.ok("zipfs_open", { path: "/t.zip", name: "t" });
      for (const change of changes) {
        const clashes = [...tree.keys()].some(
          (one) => one.startsWith(`${change.path}/`) || change.path.startsWith(`${one}/`),
        );
        const { entries } = await root.ok("zipfs_ls", { recursive: true });
        if (clashes || entries.some((entry) => entry.name === `${change.path}/`)) continue;
        if (change.content === null) {
          if (tree.delete(change.path)) await root.ok("zipfs_delete", { path: change.path });
        } else {
          tree.set(change.path, change.content);
          await root.put(`${workspace}/${change.path}`, change.content);
        }
      }
      await root.ok("zipfs_close", { sync: true });
      const after = await root.bytes("/t.zip");
      testArchive(after);
      for (const extractor of after.length > 22 ? extractors : []) {
        const found = extractWith(extractor, after);
        expect([...found.keys()].sort(), extractor).toEqual([...tree.keys()].sort());
        for (const [file, bytes] of tree) {
          expect(Buffer.compare(found.get(file) ?? Buffer.alloc(0), Buffer.from(bytes)), `${extractor} ${file}`).toBe(
            0,
          );
        }
      }
    }),
    { seed, numRuns: counts.zipTrees },
  );
}, 3_600_000);
