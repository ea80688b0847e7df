import { type Alphabet, lineEdge } from "./alphabet";
import { type Neighbour, neighbour, neighbourOf, placeBits } from "./place-bits";
import { type Program, step } from "./program";
import { StateTable } from "./state-table";
import { cost, type WorkMeter } from "./work-meter";

interface ReverseState {
  /** Instructions from which the end can be reached over the characters walked so far, before the place itself is looked at. */
  readonly members: Int32Array;
  readonly right: Neighbour;
  /** An attempt that began right of the character that led here reaches the end. */
  readonly reached: boolean;
}

/** Walks back from the end of a match to the first place it can have begun at: the program with its arrows turned. */
export class ReverseAutomaton {
  readonly #program: Program;
  readonly #alphabet: Alphabet;
  readonly #table: StateTable<ReverseState>;
  /** For each instruction, those that lead to it without a character, and those that lead to it over one. */
  readonly #freeBefore: readonly (readonly number[])[];
  readonly #takingBefore: readonly (readonly number[])[];
  readonly #matches: readonly number[];
  readonly #seen: Uint32Array;
  #mark = 0;
  #visits = 0;

  constructor(program: Program, cellsMax: number) {
    const free: number[][] = Array.from({ length: program.size }, () => []);
    const taking: number[][] = Array.from({ length: program.size }, () => []);
    const matches: number[] = [];
    for (const [pc, kind] of program.kinds.entries()) {
      if (kind === step.match) matches.push(pc);
      else if (kind === step.consume) taking[program.next[pc] as number]?.push(pc);
      else if (kind !== step.fail) free[program.next[pc] as number]?.push(pc);
      if (kind === step.split) free[program.argument[pc] as number]?.push(pc);
    }
    this.#program = program;
    this.#alphabet = program.alphabet;
    this.#table = new StateTable(program.alphabet.classCount + 1, cellsMax);
    this.#freeBefore = free;
    this.#takingBefore = taking;
    this.#matches = matches;
    this.#seen = new Uint32Array(program.size);
  }

  /** The first place at or after `from` where a match that ends at `end` begins; -1 if the work is used up. */
  findStart(text: string, from: number, end: number, lineEnd: number, work: WorkMeter): number {
    const right = end === lineEnd ? lineEdge : this.#alphabet.classAt(text, end);
    let state = this.#intern(this.#matches, neighbourOf(right, this.#alphabet.isWord), false);
    let start = -1;
    let at = end;
    for (;;) {
      const before = at === 0 ? lineEdge : this.#alphabet.classBefore(text, at);
      const next = this.#transition(state, before, work);
      if (next === 0) break;
      state = Math.abs(next);
      if (next < 0) {
        const { members, reached } = this.#table.state(state);
        if (reached) start = at;
        if (members.length === 0) break;
      }
      if (at <= from) break;
      at -= this.#alphabet.ofUnit[text.charCodeAt(at - 1)] === this.#alphabet.classCount ? 2 : 1;
    }
    return work.spend(cost.walk + end - at) ? start : -1;
  }

  #transition(from: number, characterClass: number, work: WorkMeter): number {
    const known = this.#table.cells[from + characterClass] as number;
    if (known !== 0) return known;
    const { generation } = this.#table;
    this.#visits = 0;
    const offset = this.#predecessor(this.#table.state(from), characterClass);
    if (!work.spend(cost.visit * this.#visits + this.#alphabet.classCount)) return 0;
    const { members, reached } = this.#table.state(offset);
    const next = reached || members.length === 0 ? -offset : offset;
    if (generation === this.#table.generation) this.#table.cells[from + characterClass] = next;
    return next;
  }

  #predecessor({ members, right }: ReverseState, characterClass: number): number {
    const { kinds, argument, accepts, start } = this.#program;
    const left = neighbourOf(characterClass, this.#alphabet.isWord);
    const holds = placeBits(left, right);
    const pending = Array.from(members);
    const taken: number[] = [];
    let reached = false;
    this.#mark++;
    for (let pc = pending.pop(); pc !== undefined; pc = pending.pop()) {
      if (this.#seen[pc] === this.#mark) continue;
      this.#seen[pc] = this.#mark;
      this.#visits++;
      if (pc === start) reached = true;
      for (const before of this.#freeBefore[pc] ?? []) {
        if (kinds[before] !== step.assert || ((argument[before] as number) & ~holds) === 0) pending.push(before);
      }
      for (const before of this.#takingBefore[pc] ?? []) {
        if (accepts[before]?.[characterClass] === 1) taken.push(before);
      }
    }
    return this.#intern(
      taken.sort((a, b) => a - b),
      left,
      reached,
    );
  }

  #intern(members: readonly number[], right: Neighbour, reached: boolean): number {
    const kept = this.#program.hasAssertions ? right : neighbour.other;
    const key = `${kept}${reached ? "r" : "n"}${members.join()}`;
    return this.#table.intern(key, members.length, () => ({ members: Int32Array.from(members), right: kept, reached }));
  }
}
