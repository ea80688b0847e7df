// Any archive and any workspace: what a sync makes of them. Archives have skipped entries, duplicates and directories of the same names.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { counts, seed } from "../../../test/counts";
import { bytesOf, type EntrySpec, zipOf } from "../../../test/harness/zip-builder";
import { opened, openInMemory, packed } from "../../../test/harness/zip-core";
import { parentsOf } from "./entry-index";

const path = fc.constantFrom("a", "b", "d/a", "d/e/a", "d/e", "f", "d");
const link = { externalAttributes: 0o120777 * 65536 };
const entry: fc.Arbitrary<EntrySpec> = fc
  .tuple(path, fc.constantFrom("file", "file", "directory", "link"), fc.constantFrom("", "one", "two"))
  .map(([name, kind, data]) => {
    if (kind === "directory") return { name: `${name}/` };
    return { name, data, ...(kind === "link" && link) };
  });
const changes = fc.array(fc.tuple(path, fc.constantFrom("write", "delete", "mkdir"), fc.constantFrom("new", "one")), {
  maxLength: 5,
});

interface Workspace {
  files: Map<string, Uint8Array>;
  directories: Set<string>;
}

function change({ files, directories }: Workspace, [at, kind, content]: [string, string, string]): void {
  const isBlocked = parentsOf(at).some((parent) => files.has(parent));
  if (kind === "delete") {
    for (const one of [...files.keys()]) if (one === at || one.startsWith(`${at}/`)) files.delete(one);
    for (const one of [...directories]) if (one === at || one.startsWith(`${at}/`)) directories.delete(one);
    return;
  }
  if (isBlocked || directories.has(at) || (kind === "mkdir" && files.has(at))) return;
  for (const parent of parentsOf(at)) directories.add(parent);
  if (kind === "mkdir") directories.add(at);
  else files.set(at, bytesOf(content));
}

describe("zipfs.md §6.5: the archive that a sync writes", () => {
  it("opens again with exactly the files and directories of the workspace, and has no file twice", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 8 }), changes, async (entries, edits) => {
        const bytes = zipOf(entries);
        const before = await openInMemory(bytes);
        fc.pre(before.ok);
        if (!before.ok) return;
        const workspace = {
          files: new Map(before.value.files),
          directories: new Set(before.value.archive.directories.keys()),
        };
        for (const edit of edits) change(workspace, edit);
        const after = await opened(await packed(bytes, before.value.index, workspace));
        const texts = (files: Map<string, Uint8Array>) =>
          [...files].map(([one, data]) => [one, new TextDecoder().decode(data)]).sort();
        expect(texts(after.files)).toEqual(texts(workspace.files));
        expect([...after.archive.directories.keys()].sort()).toEqual([...workspace.directories].sort());
        expect(after.archive.entries.filter(({ kind }) => kind === "shadowed")).toEqual([]);
      }),
      { seed, numRuns: counts.zipRepacks },
    );
  }, 300_000);
});
