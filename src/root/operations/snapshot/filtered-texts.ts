import type { LineMatcher } from "../../../domain/grep/compile-query";
import { filterTest, gramFilter } from "../../../domain/grep/gram-filter";
import type { Sha256 } from "../../../domain/hash";
import { grepFilteredMaxUnits } from "../../../domain/limits";
import type { RootState } from "../../root-state";
import type { TextFilter } from "../../store/text-filters";
import type { ViewFile } from "../../view/tree-view";

/** Those that may have a match: what their filters rule out need not be read. Without filters, all of them. */
export function filesToRead<File extends ViewFile>(
  root: RootState,
  files: readonly File[],
  { needs }: LineMatcher,
): readonly File[] {
  root.textFilters.warmUp(files.filter(({ text }) => text === undefined).map(({ blob }) => blob));
  const test = needs === null ? null : filterTest(needs);
  if (test === null) return files;
  return files.filter(({ blob }) => root.textFilters.mayPass(blob, test));
}

/** The texts, in their order; those without a filter get one, as far as one call goes. */
export async function* readAndFilter(
  root: RootState,
  files: readonly ViewFile[],
): AsyncGenerator<readonly string[], void> {
  const made: TextFilter[] = [];
  const due = filtersDue(root, files);
  let unitsLeft = grepFilteredMaxUnits;
  let next = 0;
  try {
    for await (const texts of root.blobs.readTexts(files, root.now())) {
      for (const text of texts) {
        const { blob } = files[next++] as ViewFile;
        if (unitsLeft <= 0 || !due.has(blob)) continue;
        made.push({ blob, bits: gramFilter(text) });
        unitsLeft -= text.length;
      }
      yield texts;
    }
  } finally {
    if (made.length > 0) root.aside(() => root.textFilters.keep(made));
  }
}

/** Where many lack a filter, a root is searched for the first time. A few are new, and may give way before they are searched again. */
function filtersDue({ textFilters }: RootState, files: readonly ViewFile[]): ReadonlySet<Sha256> {
  // What waits may never be stored, and is at hand.
  const stored = files.filter(({ text }) => text === undefined).map(({ blob }) => blob);
  const lacking = stored.filter((blob) => !textFilters.has(blob));
  return new Set(lacking.length > fewLacking ? lacking : lacking.filter((blob) => textFilters.isSearchedAgain(blob)));
}

const fewLacking = 64;
