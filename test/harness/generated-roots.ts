/** Generated roots with names of every kind and trees of every depth, and what edits, removals and swaps of files and directories make of them. */
import fc from "fast-check";
import { normalizePath } from "../../src/domain/path";
import type { TestFiles } from "./apply-patch";
import { type EditedRoot, editedText, spliced } from "./generated-edits";

const oddNames = [
  "a",
  "a-b",
  "a.b",
  "a0",
  "A",
  "two words",
  'quo"te',
  "é",
  "e\u0301",
  "～",
  "😀",
  "\u0085",
  "\u2028",
  "*",
];
const name = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...oddNames, "~", "...", ".gitignore", "-", " x", "終") },
  {
    weight: 2,
    arbitrary: fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 8 })
      .filter((text) => isPlainName(text) && text !== ".zipfs"),
  },
);
const path = fc.oneof(
  { weight: 6, arbitrary: fc.array(name, { minLength: 1, maxLength: 4 }) },
  { weight: 1, arbitrary: fc.array(fc.constantFrom("d", "é", "😀"), { minLength: 40, maxLength: 63, size: "max" }) },
);

const fate = fc.oneof(
  { weight: 5, arbitrary: fc.record({ type: fc.constant("edit" as const) }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant("keep" as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("remove" as const) }) },
  // The file gives way to a directory of its name, or the directory of the file to a file.
  { weight: 1, arbitrary: fc.record({ type: fc.constant("becomes directory" as const), name }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("becomes parent" as const) }) },
);
const file = fc.record({ path, content: editedText.text, splices: editedText.splices, fate });

/** Only text, so that a patch can tell every change. */
export const swappedRoot: fc.Arbitrary<EditedRoot> = fc
  .record({
    files: fc.array(file, { minLength: 1, maxLength: 12 }),
    added: fc.array(fc.tuple(path, editedText.text), { maxLength: 2 }),
  })
  .map(({ files, added }) => {
    const before = withoutConflicts(files.map((one) => [one.path.join("/"), one.content]));
    const after: [string, string][] = [];
    for (const { path: names, content, splices, fate: end } of files) {
      const at = names.join("/");
      if (before.get(at)?.toString() !== content || end.type === "remove") continue;
      const edited = spliced(content, splices);
      if (end.type === "edit") after.push([at, edited]);
      if (end.type === "keep") after.push([at, content]);
      if (end.type === "becomes directory" && names.length < 63) after.push([`${at}/${end.name}`, edited]);
      if (end.type === "becomes parent") after.unshift([names.slice(0, -1).join("/") || at, edited]);
    }
    return {
      before,
      after: withoutConflicts([...after, ...added.map(([names, text]) => [names.join("/"), text] as const)]),
    };
  });

/** The first of files that cannot be together: of one path, or one in place of a directory of another. */
function withoutConflicts(files: readonly (readonly [path: string, content: string])[]): Map<string, Buffer> {
  const kept = new Map<string, Buffer>();
  const directories = new Set<string>();
  for (const [at, content] of files) {
    const parents = parentsOf(at);
    if (kept.has(at) || directories.has(at) || parents.some((parent) => kept.has(parent))) continue;
    kept.set(at, Buffer.from(content));
    for (const parent of parents) directories.add(parent);
  }
  return kept;
}

function parentsOf(at: string): string[] {
  const names = at.split("/");
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join("/"));
}

/** A name that may stand anywhere in a path. Of an empty file below a directory that ends in a space, git cannot apply its own diff. */
function isPlainName(text: string): boolean {
  const parsed = normalizePath(`/${text}`);
  return parsed.ok && parsed.value === `/${text}` && !text.includes("/") && !text.endsWith(" ");
}

/** Do the two differ, and in texts alone? */
export function differsInText({ before, after }: EditedRoot): boolean {
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter((at) => !sameAt(before, after, at));
  return changed.length > 0 && changed.every((at) => ![before, after].some((files) => files.get(at)?.includes(0)));
}

function sameAt(before: TestFiles, after: TestFiles, at: string): boolean {
  const [old, now] = [before.get(at), after.get(at)];
  return old !== undefined && now !== undefined && Buffer.compare(old, now) === 0;
}
