import type { LineMatcher } from "../../../domain/grep/compile-query";
import { filterTest, gramFilter } from "../../../domain/grep/gram-filter";
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
  root.textFilters.warmUp(files.map(({ blob }) => blob));
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
  let unitsLeft = grepFilteredMaxUnits;
  let next = 0;
  try {
    for await (const texts of root.blobs.readTexts(files, root.now())) {
      for (const text of texts) {
        const { blob } = files[next++] as ViewFile;
        if (unitsLeft <= 0 || root.textFilters.has(blob)) continue;
        made.push({ blob, bits: gramFilter(text) });
        unitsLeft -= text.length;
      }
      yield texts;
    }
  } finally {
    if (made.length > 0) root.transaction(() => root.textFilters.keep(made));
  }
}
