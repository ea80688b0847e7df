import { RE2JS } from "re2js";
import { type Alphabet, type CharacterSet, partition } from "./alphabet";

/** The kinds of instructions; the numbers are ours. */
export const step = { fail: 0, split: 1, pass: 2, assert: 3, consume: 4, match: 5 } as const;
export type Step = (typeof step)[keyof typeof step];

/** What an `assert` instruction may demand of its place; bits as re2js has them. */
export const place = {
  lineBegin: 1,
  lineEnd: 2,
  textBegin: 4,
  textEnd: 8,
  wordBoundary: 16,
  noWordBoundary: 32,
} as const;

/** A compiled expression as a nondeterministic automaton: the parser, the syntax and the Unicode tables are those of re2js. */
export interface Program {
  readonly size: number;
  readonly start: number;
  readonly kinds: readonly Step[];
  /** Where an instruction leads; for `split`, the preferred way. */
  readonly next: Int32Array;
  /** `split`: the other way. `assert`: bits of `place`, all demanded. */
  readonly argument: Int32Array;
  /** `consume`: 1 for each class of characters that it takes. */
  readonly accepts: readonly (Uint8Array | null)[];
  readonly hasAssertions: boolean;
  readonly alphabet: Alphabet;
}

/** The parts of re2js's own program that are read here. Its package is pinned to one version, and every shape is tested against it. */
interface Re2Instruction {
  readonly op: number;
  readonly out: number;
  readonly arg: number;
  readonly runes: ArrayLike<number>;
}

interface Re2Program {
  readonly inst: readonly Re2Instruction[];
  readonly start: number;
}

/** By re2js's number of the operation: alternatives, captures, assertions, fail, match, no-operation, four ways to take a character. */
const kindOfOperation: readonly (Step | undefined)[] = [
  undefined,
  step.split,
  step.split,
  step.pass,
  step.assert,
  step.fail,
  step.match,
  step.pass,
  step.consume,
  step.consume,
  step.consume,
  step.consume,
];
const runeAny = 10;
const runeAnyNotNewline = 11;
const foldCase = 1;
const everything: CharacterSet = [0, 0x10ffff];

export function readProgram(compiled: RE2JS): Program {
  const { inst: instructions, start } = compiled.re2().prog as Re2Program;
  const kinds = instructions.map(({ op }) => {
    const kind = kindOfOperation[op];
    if (kind === undefined) throw new Error(`re2js made an instruction of the unknown kind ${op}`);
    return kind;
  });
  const sets = new SetRegister();
  const setOf = instructions.map((instruction, pc) => (kinds[pc] === step.consume ? sets.indexOf(instruction) : -1));
  const hasAssertions = kinds.includes(step.assert);
  const { alphabet, memberships } = partition(sets.sets, hasAssertions);
  return {
    size: instructions.length,
    start,
    kinds,
    next: Int32Array.from(instructions, ({ out }) => out),
    argument: Int32Array.from(instructions, ({ arg }) => arg),
    accepts: setOf.map((index) => memberships[index] ?? null),
    hasAssertions,
    alphabet,
  };
}

/** Every distinct set once: `\pL{1000}` is one set in a thousand instructions. */
class SetRegister {
  readonly sets: CharacterSet[] = [];
  readonly #byContent = new Map<string, number>();
  readonly #byRunes = new Map<ArrayLike<number>, number>();

  indexOf(instruction: Re2Instruction): number {
    const folded = (instruction.arg & foldCase) !== 0 && instruction.runes.length === 1;
    const known = folded ? undefined : this.#byRunes.get(instruction.runes);
    if (known !== undefined) return known;
    const content = folded ? `i${instruction.runes[0]}` : Array.prototype.join.call(instruction.runes, ",");
    let index = this.#byContent.get(content);
    if (index === undefined) {
      index = this.sets.push(characterSet(instruction, folded)) - 1;
      this.#byContent.set(content, index);
    }
    if (!folded) this.#byRunes.set(instruction.runes, index);
    return index;
  }
}

function characterSet({ op, runes }: Re2Instruction, folded: boolean): CharacterSet {
  // No line holds `\n`, so whether `.` would take it makes no difference.
  if (op === runeAny || op === runeAnyNotNewline) return everything;
  if (runes.length !== 1) return runes;
  const rune = runes[0] as number;
  return folded ? foldsOf(rune) : [rune, rune];
}

/** The characters that are equal to `rune` but for case. A class with a companion that has no case is always written out. */
function foldsOf(rune: number): CharacterSet {
  const companion = 1;
  const { inst: instructions } = RE2JS.compile(`(?i)[\\x{${companion}}\\x{${rune.toString(16)}}]`).re2()
    .prog as Re2Program;
  const written = instructions.find(({ op }) => kindOfOperation[op] === step.consume);
  if (written?.runes[0] !== companion || written.runes[1] !== companion) {
    throw new Error(`re2js gave no folds of U+${rune.toString(16)}`);
  }
  return Array.from(written.runes).slice(2);
}
