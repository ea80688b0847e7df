import { compareUtf8 } from "../byte-order";
import { contextProblemsMax } from "../limits";

/** The checks of verify, in their order (context.md §8). */
export const checkNames = [
  "manifest",
  "cache_version",
  "count_and_order",
  "files_present",
  "documents",
  "index",
  "no_orphans",
] as const;

export type CheckName = (typeof checkNames)[number];

export type ProblemName =
  | "missing"
  | "not_utf8"
  | "not_json"
  | "bad_field"
  | "unsupported_version"
  | "duplicate_id"
  | "unsafe_file"
  | "mismatch"
  | "wrong_count"
  | "not_sorted"
  | "wrong_name"
  | "id_mismatch"
  | "version_mismatch"
  | "hash_mismatch"
  | "differs"
  | "orphan";

export interface CacheProblem {
  readonly check: CheckName;
  /** Relative to the cache. */
  readonly path: string;
  readonly problem: ProblemName;
}

/** Keeps the problems that come first in order, however many there are. */
export class ProblemList {
  private kept: CacheProblem[] = [];
  private count = 0;
  private readonly failed = new Set<CheckName>();

  add(problem: CacheProblem): void {
    this.count++;
    this.failed.add(problem.check);
    this.kept.push(problem);
    if (this.kept.length >= 2 * contextProblemsMax) this.cut();
  }

  has(check: CheckName): boolean {
    return this.failed.has(check);
  }

  finish(): { readonly problems: readonly CacheProblem[]; readonly truncated: boolean } {
    this.cut();
    return { problems: this.kept, truncated: this.count > contextProblemsMax };
  }

  private cut(): void {
    this.kept = this.kept.sort(compareProblems).slice(0, contextProblemsMax);
  }
}

function compareProblems(left: CacheProblem, right: CacheProblem): number {
  return (
    checkNames.indexOf(left.check) - checkNames.indexOf(right.check) ||
    compareUtf8(left.path, right.path) ||
    compareUtf8(left.problem, right.problem)
  );
}
