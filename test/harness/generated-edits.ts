/** Generated roots and what edits make of them, for tests of diffs and patches. */
import fc from "fast-check";
import type { TestFiles } from "./apply-patch";

export interface EditedRoot {
  readonly before: TestFiles;
  readonly after: TestFiles;
}

/** Lines that look like parts of a patch, and characters that some programs take for line ends or leave out. */
const oddLines = [
  "",
  "a\r",
  "\r",
  " ",
  "\tx",
  "x ",
  "\u2028",
  "\u0085",
  "\ufeffa",
  "é",
  "😀",
  "- a",
  "+",
  "-- ",
  "@@ -1 +1 @@",
  "--- a/f",
  "+++ b/f",
  "diff --git a/f b/f",
  "\\ No newline at end of file",
];
const line = fc.constantFrom(..."abcdefgh", ...oddLines);
const text = fc
  .tuple(fc.array(line, { maxLength: 30 }), fc.boolean())
  .map(([lines, isTerminated]) => lines.join("\n") + (isTerminated && lines.length > 0 ? "\n" : ""));
const splices = fc.array(fc.tuple(fc.nat(30), fc.nat(2), fc.array(line, { maxLength: 2 })), { maxLength: 4 });
const binary = Buffer.from([1, 0, 2]);

/** Texts, and what is done to one. */
export const editedText = { text, splices };

/** None is a directory of another, but for `s`, which may become one. */
const paths = ["f", "two words", 'quo"te', "é～😀", "e\u0301", "d/f", "d d/ g ", "~", "~b/c", "x/y/z", "b b/b", "s"];

const fate = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant("edit" as const), splices }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("keep" as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("remove" as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant("move" as const),
      to: fc.constantFrom("m", "n n", "é/m", "s/t"),
      splices,
    }),
  },
);
const file = fc.record({
  content: fc.oneof({ weight: 12, arbitrary: text }, { weight: 1, arbitrary: fc.constant(binary) }),
  fate,
});

/** Edits, removals, moves with and without edits, and new files. Binary files are moved or stay: a patch of text cannot edit them. */
export const editedRoot: fc.Arbitrary<EditedRoot> = fc
  .record({
    files: fc.dictionary(fc.constantFrom(...paths), file, { maxKeys: 5 }),
    added: fc.dictionary(fc.constantFrom("new", "n/e w", 'n/"', "終"), text, { maxKeys: 2 }),
  })
  .map(({ files, added }) => {
    const before = new Map<string, Buffer>();
    const after = new Map<string, Buffer>();
    for (const [path, { content, fate }] of Object.entries(files)) {
      const bytes = Buffer.from(content as string);
      before.set(path, bytes);
      const isBinary = typeof content !== "string";
      const edited = !isBinary && "splices" in fate ? Buffer.from(spliced(content, fate.splices)) : bytes;
      if (fate.type === "edit" || fate.type === "keep") after.set(path, edited);
      if (fate.type === "move" || (fate.type === "remove" && isBinary)) {
        const target = fate.type === "move" ? fate.to : path;
        after.set(after.has(target) || (target === "s/t" && "s" in files && path !== "s") ? path : target, edited);
      }
    }
    for (const [path, content] of Object.entries(added)) after.set(path, Buffer.from(content));
    return { before, after };
  });

export function spliced(content: string, edits: readonly (readonly [number, number, readonly string[]])[]): string {
  const lines = content.split("\n");
  for (const [at, removed, added] of edits) lines.splice(at % (lines.length + 1), removed, ...added);
  return lines.join("\n");
}
