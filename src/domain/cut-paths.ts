import { listMaxEntries, pathsAnswerMaxUnits } from "./limits";
import type { RootPath } from "./path";

/** The first of the paths, as many as one list of an answer takes by their number and by their length. */
export function cutPaths(paths: readonly RootPath[]): readonly RootPath[] {
  let units = 0;
  const tooLong = paths.findIndex((path) => {
    units += path.length;
    return units > pathsAnswerMaxUnits;
  });
  return paths.slice(0, Math.min(listMaxEntries, tooLong === -1 ? paths.length : tooLong));
}
