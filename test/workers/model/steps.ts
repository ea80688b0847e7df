import fc from "fast-check";
import type { LineRange } from "../../../src/domain/lines";
import { dayMs, hourMs, minuteMs } from "../clock";

/** One step of a generated sequence. What it cites and aims at is settled when its turn comes, from what is there then. */
export type Step =
  | { readonly do: "create"; readonly place: Place; readonly content: Content }
  | { readonly do: "remove"; readonly place: Place; readonly cite: Cite }
  | EditStep
  | { readonly do: "read"; readonly place: Place; readonly lines: LineRange | null }
  | { readonly do: "list"; readonly place: Place; readonly up: number; readonly limit: number; readonly offset: number }
  | { readonly do: "retry" | "evict" | "ring" }
  | { readonly do: "advance"; readonly ms: number };

export type EditStep =
  | { readonly do: "replace"; readonly place: Place; readonly cite: Cite; readonly aim: Aim; readonly given: Content }
  | { readonly do: "insert"; readonly place: Place; readonly cite: Cite; readonly aim: Aim; readonly given: Content }
  | { readonly do: "append"; readonly place: Place; readonly cite: Cite; readonly given: Content };

/** Counts round in the paths of the sequence, or in those of them that are files now. */
export interface Place {
  readonly at: number;
  readonly among: "all" | "files";
}

/** `many`: that many lines that hold `mark`. */
export type Content =
  | { readonly text: string }
  | { readonly bytes: readonly number[] }
  | { readonly many: number; readonly mark: string };

/** `former`: the n-th last version that the path ever had, known or not any more; `other`: what another path has now. */
export type Cite = "current" | "unknown" | { readonly former: number } | { readonly other: number };

/** A run of lines, and how its place is told. `miss`: other text than what stands there. */
export interface Aim {
  readonly at: number;
  readonly count: number;
  readonly range: "all" | "tight" | "negative" | LineRange;
  readonly miss: string | null;
}

export interface Sequence {
  /** Few, so that steps meet. */
  readonly paths: readonly string[];
  readonly steps: readonly Step[];
}

/** Names that collide, that sort unlike UTF-16, that are the same to the eye, that may not be written. */
const names = [
  ["/a", "/a/b", "/a/b/c.txt", "/a.txt", "/a0"],
  ["/é", "/e\u0301", "/～", "/😀", "/n/～", "/n/😀", "/n/é", "/n/e\u0301/x", "/n/sub", "/n/sub/deep/er/file"],
  ['/with space/"quoted".md', "/.hidden", "/.zipfs/x"],
].flat();

const small = fc.integer({ min: 0, max: 24 });
const pieces = ["a", "b", "a b", "", "\n", "\n", "\n", "\r\n", "\ufeff", "é", "😀", "\u2028", "x".repeat(40)];
const text = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => ({ text: parts.join("") }));
const many = fc.record({ many: fc.integer({ min: 300, max: 700 }), mark: fc.constantFrom("u", "v", "é".repeat(20)) });
/** Above what is stored in SQLite. */
const large = fc.record({ many: fc.constant(16_500), mark: fc.constantFrom("y".repeat(64), "z".repeat(64)) });
const binary = fc.record({ bytes: fc.array(fc.constantFrom(0, 10, 65, 0x80, 0xc3, 0xff), { maxLength: 9 }) });
const content: fc.Arbitrary<Content> = weighted<Content>([60, text], [8, binary], [3, many], [1, large]);
/** What edits take: text without NUL. */
const given: fc.Arbitrary<Content> = weighted<Content>([60, text], [2, many]);

const somewhere = fc.record({ at: small, among: fc.constant("all" as const) });
const place = weighted<Place>([1, somewhere], [6, fc.record({ at: small, among: fc.constant("files" as const) })]);
const cite = weighted<Cite>(
  [12, fc.constant("current")],
  [1, fc.constant("unknown")],
  [4, fc.record({ former: small })],
  [1, fc.record({ other: small })],
);
const range = fc.tuple(fc.integer({ min: -6, max: 6 }), fc.integer({ min: -6, max: 6 }));
const aim: fc.Arbitrary<Aim> = fc.record({
  at: small,
  count: fc.integer({ min: 1, max: 3 }),
  range: weighted<Aim["range"]>([9, fc.constantFrom("all", "tight", "tight", "negative")], [1, range]),
  miss: fc.option(fc.constantFrom("a", "b", "", "a\r"), { freq: 6 }),
});
const leaps = [1000, 2 * minuteMs, 61 * minuteMs, 25 * hourMs, 8 * dayMs, 31 * dayMs];

const create = fc.record({ do: fc.constant("create" as const), place: somewhere, content });
const remove = fc.record({ do: fc.constant("remove" as const), place, cite });
const replace = fc.record({ do: fc.constant("replace" as const), place, cite, aim, given });
const insert = fc.record({ do: fc.constant("insert" as const), place, cite, aim, given });
const append = fc.record({ do: fc.constant("append" as const), place, cite, given });
const read = fc.record({ do: fc.constant("read" as const), place, lines: fc.option(range, { freq: 3 }) });
const list = fc.record({
  do: fc.constant("list" as const),
  place,
  up: fc.integer({ min: 0, max: 2 }),
  limit: fc.constantFrom(1, 2, 1000),
  offset: fc.constantFrom(0, 0, 1, 5),
});
const advance = fc.record({ do: fc.constant("advance" as const), ms: fc.constantFrom(...leaps) });
const retry = fc.record({ do: fc.constant("retry" as const) });
const aside = fc.record({ do: fc.constantFrom("evict" as const, "ring" as const) });

const anything = weighted<Step>(
  [10, create],
  [5, remove],
  [10, replace],
  [6, insert],
  [8, append],
  [5, read],
  [4, list],
  [3, advance],
  [8, retry],
  [4, aside],
);
/** So many versions of one path that the oldest fall out of its history. */
const grow = fc.record({
  do: fc.constant("append" as const),
  place: fc.constant<Place>({ at: 0, among: "files" }),
  cite: weighted<Cite>([5, fc.constant("current")], [1, fc.record({ former: fc.integer({ min: 17, max: 21 }) })]),
  given: fc.constantFrom({ text: "a\n" }, { text: "b\n" }),
});
const versions = weighted<Step>([1, create], [1, remove], [50, grow], [2, replace], [1, retry], [1, aside]);

export const sequences: fc.Arbitrary<Sequence> = weighted<Sequence>(
  [9, fc.record({ paths: someNames(1, 8), steps: stepsOf(anything) })],
  [1, fc.record({ paths: someNames(1, 1), steps: stepsOf(versions, 30) })],
);

function someNames(minLength: number, maxLength: number): fc.Arbitrary<string[]> {
  return fc.shuffledSubarray(names, { minLength, maxLength });
}

/** Files first, then anything. */
function stepsOf(step: fc.Arbitrary<Step>, minLength = 0): fc.Arbitrary<Step[]> {
  const first = fc.array(create, { minLength: 1, maxLength: 4 });
  const rest = fc.array(step, { minLength, maxLength: 36, size: "max" });
  return fc.tuple(first, rest).map(([creates, steps]) => [...creates, ...steps]);
}

function weighted<T>(...choices: [weight: number, arbitrary: fc.Arbitrary<T>][]): fc.Arbitrary<T> {
  return fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));
}
