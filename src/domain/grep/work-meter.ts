/** Costs in units of a few nanoseconds; one character scanned is one unit. */
export const cost = {
  /** A walk over a text, however short. */
  walk: 32,
  /** An instruction visited where a state is built. */
  visit: 4,
  /** A path that is compared with an ignore rule; what wildcards take is counted apart. */
  compare: 1,
  /** An ignore rule that is read and compiled. */
  compile: 256,
} as const;

/** What one search may still do. Counted and not timed, so that equal calls give equal answers. */
export class WorkMeter {
  #left: number;

  constructor(units: number) {
    this.#left = units;
  }

  /** Takes `units`; false as soon as more was taken than there was. */
  spend(units: number): boolean {
    this.#left -= units;
    return this.#left >= 0;
  }

  /** What is left; below zero when exhausted. */
  get left(): number {
    return this.#left;
  }

  get exhausted(): boolean {
    return this.#left < 0;
  }
}
