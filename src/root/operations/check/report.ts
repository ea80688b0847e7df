import type { RootProblem } from "../../contract";

const problemsMax = 100;

/** Collects what is wrong; the list is cut at a bound, the count is not. */
export class Problems {
  readonly list: RootProblem[] = [];
  count = 0;

  /** `rule` names the invariant, `what` says where it does not hold. */
  add(rule: string, what: string): void {
    this.count++;
    if (this.list.length < problemsMax) this.list.push({ rule, what });
  }
}
