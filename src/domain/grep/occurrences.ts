/** The characters of texts and of code, the most frequent first; all others are rarer than these. */
const frequent = " etaoinsrlcdumpfhgbyv_.,()w\"\t0123456789=/;:-'{}";

/**
 * The platform looks for a short text by its first character, many characters at a time, and for a longer one step by step. So what is looked for
 * is a short part of the literal, from its rarest character on.
 */
const partUnits = 6;
/** Where the part stands so often without the literal, and more than once in so many characters, the whole is looked for. */
const missesMax = 64;
const unitsPerMiss = 16;

/** Where the literal stands in a text, from left to right, without overlaps. It is not empty. */
export function occurrencesOf(literal: string): (text: string) => Generator<number, void> {
  const offset = rarestIn(literal);
  const part = literal.slice(offset, offset + partUnits);
  return function* occurrences(text) {
    let misses = 0;
    let at = text.indexOf(part, offset);
    while (at !== -1) {
      const start = at - offset;
      const isWhole = part === literal || text.startsWith(literal, start);
      if (isWhole) yield start;
      else if (++misses > missesMax && misses * unitsPerMiss > at) return yield* plainly(text, literal, start + 1);
      at = text.indexOf(part, isWhole ? at + literal.length : at + 1);
    }
  };
}

function* plainly(text: string, literal: string, from: number): Generator<number, void> {
  for (let at = text.indexOf(literal, from); at !== -1; at = text.indexOf(literal, at + literal.length)) yield at;
}

/** The first of the rarest characters. */
function rarestIn(literal: string): number {
  let rarest = 0;
  for (let at = 1; at < literal.length; at++) {
    if (frequency(literal.charAt(at)) < frequency(literal.charAt(rarest))) rarest = at;
  }
  return rarest;
}

function frequency(character: string): number {
  const place = frequent.indexOf(character);
  return place === -1 ? 0 : frequent.length - place;
}
