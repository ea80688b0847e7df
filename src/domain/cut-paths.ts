import { listMaxEntries, pathsAnswerMaxUnits } from "./limits";

/** The first of the paths, as many as one of so many lists of an answer takes by their number and by their length. */
export function cutPaths<Path extends string>(paths: readonly Path[], listCount = 2): readonly Path[] {
  const unitsMax = (2 * pathsAnswerMaxUnits) / Math.max(2, listCount);
  let units = 0;
  const tooLong = paths.findIndex((path) => {
    units += path.length;
    return units > unitsMax;
  });
  return paths.slice(0, Math.min(listMaxEntries, tooLong === -1 ? paths.length : tooLong));
}
