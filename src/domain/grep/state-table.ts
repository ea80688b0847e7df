/** Numbers that the states of one automaton may hold, 4 MB of them: it learns a query, it does not keep it. */
export const stateCellsMax = 1 << 20;

/**
 * States of an automaton that come to be when they are needed, and the transitions between them. A state is named by where its row
 * begins in `cells`. A cell is 0 while the transition is unknown, and negative where it leads to a state that needs a look: one that
 * tells of a match or cannot go on. A scan can therefore run on for as long as cells are positive.
 */
export class StateTable<State> {
  readonly #stride: number;
  readonly #cellsMax: number;
  readonly #offsets = new Map<string, number>();
  #states: State[] = [];
  #weight = 0;
  #generation = 0;
  cells: Int32Array;

  /** `cellsMax` bounds the memory: beyond it everything is forgotten, and the automaton goes on from where it is. */
  constructor(stride: number, cellsMax: number) {
    this.#stride = stride;
    this.#cellsMax = cellsMax;
    this.cells = new Int32Array(stride * 16);
  }

  /** Grows when states are forgotten; offsets from before are then void. */
  get generation(): number {
    return this.#generation;
  }

  state(offset: number): State {
    return this.#states[offset / this.#stride - 1] as State;
  }

  /** The offset of the state with this key, which holds `weight` numbers and is made if it is new. */
  intern(key: string, weight: number, make: () => State): number {
    const known = this.#offsets.get(key);
    if (known !== undefined) return known;
    if (this.#weight + weight + this.#stride > this.#cellsMax && this.#states.length > 0) this.#forget();
    this.#weight += weight + this.#stride;
    // Row 0 belongs to nobody: 0 means unknown.
    const offset = this.#states.push(make()) * this.#stride;
    this.#offsets.set(key, offset);
    if (offset + this.#stride > this.cells.length) {
      const grown = new Int32Array(this.cells.length * 2);
      grown.set(this.cells);
      this.cells = grown;
    }
    return offset;
  }

  #forget(): void {
    this.#offsets.clear();
    this.#states = [];
    this.#weight = 0;
    this.#generation++;
    this.cells.fill(0);
  }
}
