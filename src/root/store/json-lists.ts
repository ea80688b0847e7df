/** Well below the 2 MB that SQLite takes as one value, whatever UTF-8 and escapes make of a character. */
const listMaxUnits = 250_000;

/** The values as JSON arrays, each short enough for one binding; none for no values. */
export function* jsonLists(values: readonly string[]): Generator<string, void> {
  let from = 0;
  let units = 0;
  for (const [index, { length }] of values.entries()) {
    if (units + length > listMaxUnits && index > from) {
      yield JSON.stringify(values.slice(from, index));
      from = index;
      units = 0;
    }
    units += length + 3;
  }
  if (from < values.length) yield JSON.stringify(values.slice(from));
}
