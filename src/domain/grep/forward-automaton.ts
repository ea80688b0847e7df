import { type Alphabet, lineEdge } from "./alphabet";
import { type Neighbour, neighbour, neighbourOf, placeBits } from "./place-bits";
import { type Program, place, type Step, step } from "./program";
import { StateTable } from "./state-table";
import { cost, type WorkMeter } from "./work-meter";

interface ForwardState {
  /**
   * Instructions to go on from, the preferred first: those that take a character, demand something of the place, or match. Before the
   * last demand also the splits on the way: a loop that comes back to one without a character ends there, as in re2js.
   */
  readonly leaves: Int32Array;
  readonly left: Neighbour;
  /** A match was seen: no attempt begins any more, only what is preferred to the match may still replace it. */
  readonly sealed: boolean;
  /** A match ended before the character that led here. */
  readonly matched: boolean;
}

const begin = place.lineBegin | place.textBegin;
/**
 * Finds where the leftmost match ends; of the matches that begin there, the one that a backtracking search would find first. Looks at
 * each character once. Lines are separated on the way, so a whole text is scanned in one go until a line matches.
 */
export class ForwardAutomaton {
  readonly #program: Program;
  readonly #alphabet: Alphabet;
  readonly #table: StateTable<ForwardState>;
  readonly #seen: Uint32Array;
  #mark = 0;
  #visits = 0;

  constructor(program: Program, cellsMax: number) {
    this.#program = program;
    this.#alphabet = program.alphabet;
    this.#table = new StateTable(program.alphabet.classCount + 1, cellsMax);
    this.#seen = new Uint32Array(program.size);
  }

  /** The end of the next match in `from` … `limit`, where a line ends at `limit`; -1 if there is none or the work is used up. */
  findEnd(text: string, from: number, limit: number, work: WorkMeter): number {
    const { ofUnit, classCount } = this.#alphabet;
    let state = this.#startAt(text, from);
    let cells = this.#table.cells;
    let end = -1;
    let at = from;
    for (;;) {
      while (at < limit) {
        const next = cells[state + (ofUnit[text.charCodeAt(at)] as number)] as number;
        if (next <= 0) break;
        state = next;
        at++;
      }
      const inside = at < limit;
      const width = inside && ofUnit[text.charCodeAt(at)] === classCount ? 2 : 1;
      const next = this.#transition(state, inside ? this.#alphabet.classAt(text, at) : lineEdge, work);
      if (next === 0) break;
      cells = this.#table.cells;
      state = Math.abs(next);
      if (next < 0) {
        const { leaves, sealed, matched } = this.#table.state(state);
        if (matched) end = at;
        if (sealed && leaves.length === 0) break;
        // Nothing can match in the rest of this line.
        if (inside && leaves.length === 0) at = nextNewline(text, at + width, limit) - width;
      }
      if (!inside) break;
      at += width;
    }
    return work.spend(cost.walk + at - from) ? end : -1;
  }

  #startAt(text: string, from: number): number {
    const left =
      from === 0
        ? neighbour.edge
        : neighbourOf(this.#alphabet.ofUnit[text.charCodeAt(from - 1)] as number, this.#alphabet.isWord);
    return this.#start(left);
  }

  #start(left: Neighbour): number {
    const leaves: number[] = [];
    this.#mark++;
    this.#follow(this.#program.start, left === neighbour.edge ? 0 : begin, leaves);
    return this.#intern(leaves, left, false, false);
  }

  #transition(from: number, characterClass: number, work: WorkMeter): number {
    const known = this.#table.cells[from + characterClass] as number;
    if (known !== 0) return known;
    const { generation } = this.#table;
    this.#visits = 0;
    const offset = this.#successor(this.#table.state(from), characterClass);
    if (!work.spend(cost.visit * this.#visits + this.#alphabet.classCount)) return 0;
    const { leaves, matched } = this.#table.state(offset);
    const next = matched || leaves.length === 0 ? -offset : offset;
    if (generation === this.#table.generation) this.#table.cells[from + characterClass] = next;
    return next;
  }

  #successor({ leaves, left, sealed }: ForwardState, characterClass: number): number {
    const { kinds, next, accepts, start } = this.#program;
    const right = neighbourOf(characterClass, this.#alphabet.isWord);
    const settled: number[] = [];
    const matched = this.#settle(leaves, placeBits(left, right), settled);
    if (characterClass === lineEdge) {
      return matched || sealed ? this.#intern([], neighbour.other, true, matched) : this.#start(neighbour.edge);
    }
    const successors: number[] = [];
    this.#mark++;
    for (const pc of settled) {
      if (kinds[pc] === step.consume && accepts[pc]?.[characterClass] === 1) {
        this.#follow(next[pc] as number, begin, successors);
      }
    }
    if (!matched && !sealed) this.#follow(start, begin, successors);
    return this.#intern(successors, right, sealed || matched, matched);
  }

  /** Adds the instructions that `from` leads to without taking a character; those that demand something impossible are left out. */
  #follow(from: number, impossible: number, leaves: number[]): void {
    const { kinds, next, argument } = this.#program;
    const pending = [from];
    for (let pc = pending.pop(); pc !== undefined; pc = pending.pop()) {
      if (this.#visitedBefore(pc)) continue;
      const kind = kinds[pc];
      if (kind === step.split) pending.push(argument[pc] as number, next[pc] as number);
      else if (kind === step.pass) pending.push(next[pc] as number);
      if (kind === step.assert ? ((argument[pc] as number) & impossible) === 0 : kind !== step.fail) leaves.push(pc);
    }
  }

  /**
   * Adds the leaves that take a character, their assertions decided; true if one matches. What comes after that one is not preferred
   * to it, and so is left out.
   */
  #settle(leaves: Int32Array, holds: number, settled: number[]): boolean {
    const { kinds, next, argument } = this.#program;
    this.#mark++;
    for (const leaf of leaves) {
      // What a split or pass leads to follows in the leaves; here it only counts as visited.
      const listed = kinds[leaf] === step.split || kinds[leaf] === step.pass;
      if (listed) this.#visitedBefore(leaf);
      const pending = listed ? [] : [leaf];
      for (let pc = pending.pop(); pc !== undefined; pc = pending.pop()) {
        if (this.#visitedBefore(pc)) continue;
        const kind = kinds[pc];
        if (kind === step.match) return true;
        if (kind === step.consume) settled.push(pc);
        else if (kind === step.split) pending.push(argument[pc] as number, next[pc] as number);
        else if (kind === step.pass) pending.push(next[pc] as number);
        else if (kind === step.assert && ((argument[pc] as number) & ~holds) === 0) pending.push(next[pc] as number);
      }
    }
    return false;
  }

  #visitedBefore(pc: number): boolean {
    if (this.#seen[pc] === this.#mark) return true;
    this.#seen[pc] = this.#mark;
    this.#visits++;
    return false;
  }

  #intern(visited: readonly number[], left: Neighbour, sealed: boolean, matched: boolean): number {
    const { kinds } = this.#program;
    const lastAssertion = visited.findLastIndex((pc) => kinds[pc] === step.assert);
    const leaves = visited.filter((pc, index) => index < lastAssertion || isLeaf(kinds[pc]));
    // Where nothing is demanded of the place, what stands left of it makes no other state.
    const kept = lastAssertion === -1 ? neighbour.other : left;
    const key = `${kept}${sealed ? "s" : "o"}${matched ? "m" : "n"}${leaves.join()}`;
    return this.#table.intern(key, leaves.length, () => ({
      leaves: Int32Array.from(leaves),
      left: kept,
      sealed,
      matched,
    }));
  }
}

function isLeaf(kind: Step | undefined): boolean {
  return kind !== step.split && kind !== step.pass;
}

function nextNewline(text: string, from: number, limit: number): number {
  const newline = text.indexOf("\n", from);
  return newline === -1 || newline > limit ? limit : newline;
}
