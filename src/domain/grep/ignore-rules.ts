import type { IgnoreRule } from "./ignore-rule";
import { cost, type WorkMeter } from "./work-meter";

/**
 * The rules of one `.gitignore`, kept so that a path is compared with few of them: names without wildcards, and patterns by the
 * extension that they end with, are looked up. A root has 100 000 files, and a list of names can be long.
 */
export class IgnoreRules {
  readonly #rules: readonly IgnoreRule[];
  /** Positions in `#rules`, ascending. */
  readonly #byLiteralName = new Map<string, number[]>();
  readonly #byLiteralPath = new Map<string, number[]>();
  readonly #byExtension = new Map<string, number[]>();
  readonly #others: number[] = [];
  readonly #work: WorkMeter;

  constructor(rules: readonly IgnoreRule[], work: WorkMeter) {
    this.#rules = rules;
    this.#work = work;
    work.spend(rules.length * cost.compile);
    for (const [index, { glob, byName }] of rules.entries()) {
      const extension = extensionOf(glob.ending);
      if (glob.literal !== null) add(byName ? this.#byLiteralName : this.#byLiteralPath, glob.literal, index);
      else if (extension !== null) add(this.#byExtension, extension, index);
      else this.#others.push(index);
    }
  }

  /** The last rule that matches an entry with this name, at this path from the directory of the rules. */
  lastMatch(name: string, path: string, isDirectory: boolean): IgnoreRule | undefined {
    let last = -1;
    for (const group of [
      this.#byLiteralName.get(name),
      this.#byLiteralPath.get(path),
      this.#byExtension.get(extensionOf(name) ?? ""),
      this.#others,
    ]) {
      last = this.#lastIn(group ?? [], last, name, path, isDirectory);
    }
    return this.#rules[last];
  }

  /** The last of a group that matches and comes after `beyond`, else `beyond`. */
  #lastIn(group: readonly number[], beyond: number, name: string, path: string, isDirectory: boolean): number {
    for (let at = group.length - 1; at >= 0; at--) {
      const index = group[at] as number;
      if (index <= beyond || !this.#work.spend(cost.compare)) break;
      const { directoriesOnly, byName, glob } = this.#rules[index] as IgnoreRule;
      if ((isDirectory || !directoriesOnly) && glob.takes(byName ? name : path, this.#work)) return index;
    }
    return beyond;
  }
}

function add(groups: Map<string, number[]>, key: string, index: number): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [index]);
  else group.push(index);
}

/** From the last dot of the name on; null without one. What a name ends with has the same, if it has any. */
function extensionOf(ending: string): string | null {
  const dot = ending.lastIndexOf(".");
  return dot === -1 || ending.includes("/", dot) ? null : ending.slice(dot);
}
