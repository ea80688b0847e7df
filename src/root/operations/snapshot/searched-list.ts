import { planSearch, type SearchPlan } from "../../../domain/grep/search";
import { selectCandidates } from "../../../domain/grep/select-candidates";
import { parentOf, type RootPath } from "../../../domain/path";
import type { ViewFile } from "../../view/tree-view";

/** What searches make of a list of files. Agents search one list again and again, until the tree changes. */
export class SearchedList {
  /** The rules among the files. */
  readonly rules: ReadonlyMap<RootPath, ViewFile>;
  /** At least one path of each directory that has files. */
  readonly samples: readonly RootPath[];
  private last: { readonly key: string; readonly plan: SearchPlan<ViewFile> } | null = null;

  constructor(private readonly files: readonly ViewFile[]) {
    this.rules = new Map(
      files.filter(({ path }) => path.endsWith("/.gitignore")).map((file) => [file.path, file] as const),
    );
    this.samples = files
      .filter(({ path }, index) => index === 0 || parentOf(path) !== parentOf((files[index - 1] as ViewFile).path))
      .map(({ path }) => path);
  }

  plan(
    targets: readonly RootPath[],
    isIgnored: ((file: RootPath) => boolean) | null,
    maxFiles: number,
  ): SearchPlan<ViewFile> {
    const make = () => planSearch(selectCandidates(this.files, targets, isIgnored), maxFiles);
    if (isIgnored !== null) return make();
    const key = JSON.stringify([maxFiles, ...targets]);
    if (this.last?.key !== key) this.last = { key, plan: make() };
    return this.last.plan;
  }
}

const known = new WeakMap<readonly ViewFile[], SearchedList>();

export function searchedList(files: readonly ViewFile[]): SearchedList {
  const list = known.get(files) ?? new SearchedList(files);
  known.set(files, list);
  return list;
}
